#include "tests/models/error_of.hpp"
#include "tests/models/parallel/nodes.hpp"

#include <gtest/gtest.h>

namespace perfmodel::node_graph_test {

using test::two_sockets;

TEST(NodeGraph, a_text_makes_the_same_graph_again) {
  NodeGraph node = two_sockets();
  node.title = "with\ta tab and\na line end";
  node.wires[0].latency = {Seconds(1e-8), Seconds(5e-9), Seconds(3e-8), Grade::assumed, "for this reason"};
  node.cut("a-b");
  const NodeGraph again = NodeGraph::from_text(node.text());
  EXPECT_EQ(again.text(), node.text());
  EXPECT_EQ(again.places.size(), 6u);
  EXPECT_EQ(again.wires[0].latency.grade, Grade::assumed);
  EXPECT_EQ(again.wires[0].latency.high, Seconds(3e-8));
  EXPECT_TRUE(again.wires[0].half_duplex);
  EXPECT_TRUE(again.links[2].cut);
}

TEST(NodeGraph, a_text_that_is_none_is_refused) {
  const auto why = [](const std::string& text) { return error_of([&] { NodeGraph::from_text(text); }); };
  EXPECT_NE(why("").find("not a node"), std::string::npos);
  EXPECT_NE(why("a\nb\n").find("not a node"), std::string::npos);
  const std::string text = two_sockets().text();
  EXPECT_EQ(why(text), "no error");
  EXPECT_NE(why(text + "link\t0\t99\t0\t0\n").find("not a node"), std::string::npos);
  EXPECT_NE(why(text + "link\t0\t1\t7\t0\n").find("not a node"), std::string::npos);
  EXPECT_NE(why(text + "link\t0\t1\n").find("not a node"), std::string::npos);
  EXPECT_NE(why(text + "place\tc\tmoon\t\t0\t0\t0\tknown\t\n").find("not a node"), std::string::npos);
}

TEST(NodeGraph, a_cut_takes_a_link_in_either_order_or_all_of_a_place) {
  const auto cut = [](const char* what) {
    NodeGraph node = two_sockets();
    node.cut(what);
    std::string links;
    for (std::size_t i = 0; i < node.links.size(); ++i)
      if (node.links[i].cut) links += node.link_name(i) + " ";
    return links;
  };
  EXPECT_EQ(cut("a-b"), "a-b ");
  EXPECT_EQ(cut("b-a"), "a-b ");
  EXPECT_EQ(cut("a"), "a-ma a-b a-ga ");
  EXPECT_EQ(cut("ga, a-b"), "a-b a-ga ");
}

TEST(NodeGraph, what_there_is_not_cannot_be_cut) {
  const auto why = [](const char* what) {
    return error_of([&] {
      NodeGraph node = two_sockets();
      node.cut(what);
    });
  };
  EXPECT_EQ(why("ga-gb"), "--cut 'ga-gb': no link joins ga and gb");
  EXPECT_EQ(why("gc"), "toy has no place 'gc' (did you mean 'ga'?); its places are a, b, ma, mb, ga, gb");
  EXPECT_EQ(why("a-"), "--cut 'a-': two places with '-' between them are expected, such as cpu0-cpu1");
  EXPECT_NE(why("a-b-ma"), "no error");
  EXPECT_NE(why(""), "no error");
}

} // namespace perfmodel::node_graph_test
