// The model on the nodes of the database: slide 99 of the lecture worked by hand, cuts, new names, shared
// links.
#include "models/parallel/node.hpp"

#include "models/core/error.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <cmath>
#include <map>

#include <gtest/gtest.h>

namespace perfmodel::node_test {

Result ask_node(const NodeGraph& node, const Words& options = {}) {
  const Model& m = model("node");
  Request request = request_of(m, options);
  for (Axis& axis : request.inputs)
    if (axis.name == "node") axis.values = {{.text = node.text()}};
  return predict(m, {}, request);
}
Result ask_node(const char* name, const Words& options = {}) {
  return ask_node(database().node(name), options);
}

constexpr const char* ways = "between places";
constexpr const char* flows = "flows at the same time";

double gbs(const Result& r, const char* table, const char* column, std::size_t row = 0) {
  return number(r, table, column, row) / 1e9;
}

// Slide 99: QPI between the sockets and to the I/O hubs, PCIe x16 to the GPUs. One of those is the narrowest.
TEST(NodeModel, the_node_of_the_lecture_by_hand) {
  const Result near = ask_node("fermi-node", {{"from", "mem1"}, {"to", "gpu1"}});
  EXPECT_EQ(text(near, ways, "way"), "mem1 > cpu1 > hub1 > gpu1");
  EXPECT_NEAR(number(near, ways, "latency"), 65e-9 + 45e-9 + 500e-9, 1e-15);
  EXPECT_DOUBLE_EQ(gbs(near, ways, "bandwidth"), 8);
  const Result far = ask_node("fermi-node", {{"from", "mem1"}, {"to", "gpu2"}});
  EXPECT_EQ(text(far, ways, "way"), "mem1 > cpu1 > cpu2 > hub2 > gpu2");
  EXPECT_NEAR(number(far, ways, "latency") - number(near, ways, "latency"), 45e-9, 1e-15) << "one QPI more";
  EXPECT_EQ(text(far, ways, "grade"), "assumed");
  EXPECT_EQ(text(far, ways, "assumed"), "latency");
}

// Two GPUs that read the other socket's memory: 12.8 GB/s of QPI for both, where PCIe has 8 for each.
TEST(NodeModel, far_gpus_share_the_link_between_the_sockets) {
  const Result one = ask_node("fermi-node", {{"flows", "mem1-gpu2"}});
  EXPECT_DOUBLE_EQ(gbs(one, flows, "bandwidth"), 8);
  const Result two = ask_node("fermi-node", {{"flows", "mem1-gpu2,mem1-gpu3"}});
  EXPECT_DOUBLE_EQ(gbs(two, flows, "bandwidth", 0), 6.4);
  EXPECT_DOUBLE_EQ(gbs(two, flows, "bandwidth", 1), 6.4);
  EXPECT_DOUBLE_EQ(number(two, flows, "share"), 0.8);
  EXPECT_EQ(text(two, flows, "held_by"), "cpu1 to cpu2");
  const Result apart = ask_node("fermi-node", {{"flows", "mem1-gpu1,mem2-gpu2"}});
  EXPECT_DOUBLE_EQ(gbs(apart, flows, "bandwidth", 1), 8) << "each near its memory";
  EXPECT_NE(apart.verdict.front().find("No flow is in another's way"), std::string::npos);
}

TEST(NodeModel, numa_costs_the_sockets_a_link_and_its_bandwidth) {
  const Result r = ask_node("fermi-node");
  const Table& numa = table_of(r, "near and far memory");
  const std::size_t cpu = row_of(numa, "place", "cpu1");
  EXPECT_EQ(numa.at("near").text(cpu), "mem1");
  EXPECT_EQ(numa.at("far").text(cpu), "mem2");
  EXPECT_NEAR(numa.at("latency_ratio").number(cpu), 110.0 / 65, 1e-12);
  EXPECT_DOUBLE_EQ(numa.at("near_bandwidth").number(cpu), 32e9);
  EXPECT_DOUBLE_EQ(numa.at("far_bandwidth").number(cpu), 12.8e9);
}

// NVIDIA: 900 GB/s of a GPU, both directions together, whichever other GPU it speaks to.
TEST(NodeModel, gpus_of_the_hgx_board_reach_one_another_over_all_switches) {
  const Result r = ask_node("hgx-h200", {{"from", "gpu1"}, {"to", "gpu6"}});
  EXPECT_EQ(text(r, ways, "way"), "gpu1 > 4 nvswitches > gpu6");
  EXPECT_NEAR(gbs(r, ways, "bandwidth"), 450, 1e-9);
  const Result ring = ask_node("hgx-h200", {{"flows", "gpu0-gpu1,gpu1-gpu2,gpu2-gpu3,gpu3-gpu0"}});
  EXPECT_NEAR(gbs(ring, flows, "bandwidth", 3), 450, 1e-9) << "the switches block nothing";
  const Result one = ask_node("hgx-h200", {{"flows", "gpu0-gpu2,gpu1-gpu2,gpu3-gpu2"}});
  EXPECT_NEAR(gbs(one, flows, "bandwidth"), 150, 1e-9) << "all to one";
  const Result host = ask_node("hgx-h200", {{"flows", "mem0-gpu0,mem0-gpu1,mem0-gpu2"}});
  EXPECT_NEAR(gbs(host, flows, "bandwidth", 0), 63.015 / 2, 1e-9) << "two GPUs behind one switch";
  EXPECT_NEAR(gbs(host, flows, "bandwidth", 2), 63.015, 1e-9);
}

TEST(NodeModel, a_cut_link_changes_the_answers) {
  const Result cut = ask_node("hgx-h200", {{"from", "gpu0"}, {"to", "gpu1"}, {"cut", "nvswitch0"}});
  EXPECT_NEAR(gbs(cut, ways, "bandwidth"), 325, 1e-9) << "5 of 18 links less";
  const Result host = ask_node(
      "hgx-h200", {{"from", "gpu0"}, {"to", "gpu1"}, {"cut", "nvswitch0,nvswitch1,nvswitch2,nvswitch3"}});
  EXPECT_EQ(text(host, ways, "way"), "gpu0 > pex0 > gpu1") << "by the PCIe switch of both";
  EXPECT_NEAR(gbs(host, ways, "bandwidth"), 63.015, 1e-9);
}

TEST(NodeModel, a_cut_that_separates_two_places_is_an_answer_in_words) {
  const Result r = ask_node("fermi-node", {{"from", "gpu1"}, {"to", "mem2"}, {"cut", "cpu1-cpu2"}});
  EXPECT_EQ(r.verdict.front(), "No way is left from gpu1 to mem2: what was cut separates them.");
  EXPECT_EQ(text(r, ways, "way"), "none");
  EXPECT_TRUE(std::isnan(number(r, ways, "bandwidth")));
  const Result f = ask_node("fermi-node", {{"flows", "mem1-gpu1,mem2-gpu1"}, {"cut", "cpu1-cpu2"}});
  EXPECT_EQ(f.verdict.front(), "mem2-gpu1 has no way left: what was cut separates the two places.");
  EXPECT_DOUBLE_EQ(gbs(f, flows, "bandwidth", 0), 8) << "the other flow goes on";
  EXPECT_NO_THROW(ask_node("fermi-node", {{"cut", "cpu1,cpu2"}}));
}

// New names for all places: the same numbers in the same rows, and words with the new names.
TEST(NodeModel, new_names_change_nothing_but_names) {
  for (const std::string& name : database().node_names()) {
    const NodeGraph node = database().node(name);
    NodeGraph renamed = node;
    std::map<std::string, std::string> new_name;
    for (std::size_t i = 0; i < node.places.size(); ++i)
      new_name[node.places[i].name] = renamed.places[i].name = "z" + std::to_string(991 * (i + 3) % 1000);
    const std::string from = node.places.front().name, to = node.places.back().name;
    for (const bool asked : {false, true}) {
      const Result a =
          asked ? ask_node(node, {{"flows", from + "-" + to + "," + from + "-" + to}}) : ask_node(node);
      const Result b = asked ? ask_node(renamed, {{"flows", new_name[from] + "-" + new_name[to] + "," +
                                                                new_name[from] + "-" + new_name[to]}})
                             : ask_node(renamed);
      ASSERT_EQ(a.tables.size(), b.tables.size());
      for (std::size_t t = 0; t < a.tables.size(); ++t) {
        ASSERT_EQ(a.tables[t].rows(), b.tables[t].rows()) << a.tables[t].title;
        for (const Column& column : a.tables[t].columns) {
          if (column.name == "kind") continue; // the network is also called so
          for (std::size_t row = 0; row < a.tables[t].rows(); ++row) {
            const Column& other = b.tables[t].at(column.name);
            if (!column.is_text()) {
              EXPECT_TRUE(column.text(row) == other.text(row)) << column.name << " of " << a.tables[t].title;
            } else if (const auto known = new_name.find(column.text(row)); known != new_name.end()) {
              EXPECT_EQ(other.text(row), known->second) << column.name;
            }
          }
        }
      }
    }
  }
}

TEST(NodeModel, a_row_is_known_where_no_assumed_figure_moves_it) {
  EXPECT_EQ(text(ask_node("fermi-node", {{"flows", "mem1-gpu2"}}), flows, "grade"), "known");
  EXPECT_EQ(text(ask_node("hgx-h200", {{"flows", "cpu0-cpu1"}}), flows, "grade"), "assumed") << "UPI";
}

TEST(NodeModel, says_what_is_wrong_with_a_question) {
  const auto why = [](const Words& words) { return error_of([&] { ask_node("fermi-node", words); }); };
  EXPECT_NE(why({{"from", "gpu9"}}).find("no place 'gpu9' (did you mean 'gpu"), std::string::npos);
  EXPECT_NE(why({{"flows", "gpu1"}}).find("two places with '-'"), std::string::npos);
  EXPECT_NE(why({{"flows", "gpu1-gpu1"}}).find("two places are expected"), std::string::npos);
  EXPECT_NE(why({{"from", "gpu1"}, {"to", "gpu1"}}).find("two places are expected"), std::string::npos);
  EXPECT_NE(why({{"from", "gpu1"}, {"flows", "gpu1-gpu2"}}).find("leave out --from"), std::string::npos);
  EXPECT_NE(why({{"cut", "gpu1-gpu2"}}).find("no link joins"), std::string::npos);
}

} // namespace perfmodel::node_test
