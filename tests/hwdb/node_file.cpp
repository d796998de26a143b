#include "hwdb/node_file.hpp"

#include "models/core/facts.hpp"
#include "tests/hwdb/cards.hpp"
#include "tests/models/ask.hpp"

#include <map>
#include <set>

#include <gtest/gtest.h>

namespace perfmodel::hwdb::node_file_test {

// Line 5 is the sockets', line 10 PCIe's bandwidth, line 13 the links of PCIe.
const std::string toy =
    "name: toy\n"
    "title: A toy\n"
    "aliases: [plaything]\n"
    "places:\n"
    "  - {names: [cpu0, cpu1], kind: socket, title: A socket}\n"
    "  - {names: [gpu0], kind: gpu, crossing: {value: 1 ns, from: 0.5 ns, to: 2 ns, why: a guess}}\n"
    "wires:\n"
    "  pcie:\n"
    "    title: PCIe\n"
    "    bandwidth: {value: 8 GB/s, status: derived, source: manual, note: lanes x rate}\n"
    "    latency: {value: 500 ns, from: 300 ns, to: 1 us, why: nobody measured it}\n"
    "links:\n"
    "  pcie: [cpu0-gpu0, cpu0-cpu1]\n";

NodeFile read(const std::string& text) { return parse_node(text, "toy.yaml", sources); }
std::string why_node(const std::string& text) {
  return error_of([&] { read(text); });
}
std::string why_with(const char* from, const char* to) { return why_node(with(toy, from, to)); }

TEST(NodeFile, a_node_is_read_with_everything_it_says) {
  const NodeFile file = read(toy);
  const NodeGraph& node = file.node;
  EXPECT_EQ(file.aliases, std::vector<std::string>{"plaything"});
  EXPECT_EQ(node.name, "toy");
  ASSERT_EQ(node.places.size(), 3u);
  EXPECT_EQ(node.places[1].name, "cpu1");
  EXPECT_EQ(node.places[1].title, "A socket");
  EXPECT_EQ(node.places[2].kind, PlaceKind::gpu);
  EXPECT_EQ(node.places[2].crossing.high, Seconds(2e-9));
  ASSERT_EQ(node.wires.size(), 1u);
  EXPECT_EQ(node.wires[0].bandwidth.value, BytesPerSecond(8e9));
  EXPECT_EQ(node.wires[0].bandwidth.grade, Grade::known);
  EXPECT_EQ(node.wires[0].bandwidth.source, "Board manual (lanes x rate)");
  EXPECT_EQ(node.wires[0].latency.grade, Grade::assumed);
  EXPECT_DOUBLE_EQ(node.wires[0].latency.low.value, 3e-7);
  EXPECT_EQ(node.wires[0].latency.source, "nobody measured it");
  EXPECT_FALSE(node.wires[0].half_duplex || node.wires[0].spread);
  ASSERT_EQ(node.links.size(), 2u);
  EXPECT_EQ(node.link_name(1), "cpu0-cpu1");
}

TEST(NodeFile, a_wire_may_be_half_duplex_and_spread) {
  const NodeFile file =
      read(with(toy, "    title: PCIe\n", "    title: PCIe\n    duplex: half\n    spread: true\n"));
  EXPECT_TRUE(file.node.wires[0].half_duplex && file.node.wires[0].spread);
}

TEST(NodeFile, unknown_keys_kinds_and_wires_come_with_the_nearest) {
  EXPECT_EQ(why_with("title: A socket", "titel: A socket"),
            "toy.yaml:5: a place has an unknown key 'titel' (did you mean 'title'?)");
  EXPECT_NE(why_with("kind: socket", "kind: sokcet")
                .find("toy.yaml:5: unknown kind 'sokcet' (did you mean 'socket'?)"),
            std::string::npos);
  EXPECT_NE(why_with("  pcie: [", "  pci: [").find("unknown wire 'pci' (did you mean 'pcie'?)"),
            std::string::npos);
  EXPECT_NE(
      why_with("source: manual", "source: manuall").find("unknown source 'manuall' (did you mean 'manual'?)"),
      std::string::npos);
  EXPECT_NE(why_with("    title: PCIe\n", "    title: PCIe\n    duplex: quarter\n")
                .find("unknown duplex 'quarter'"),
            std::string::npos);
  EXPECT_NE(why_with("links:\n", "links:\nlnks: {}\n"), "no error");
}

TEST(NodeFile, links_join_two_places_that_are_there_once) {
  EXPECT_EQ(why_with("cpu0-gpu0", "cpu0-gpu1"),
            "toy.yaml:13: the link 'cpu0-gpu1' ends at an unknown place 'gpu1' (did you mean 'cpu1'?)");
  EXPECT_EQ(why_with("cpu0-gpu0", "cpu0-cpu0"), "toy.yaml:13: the link 'cpu0-cpu0' ends where it begins");
  EXPECT_EQ(why_with("cpu0-gpu0", "cpu1-cpu0"),
            "toy.yaml:13: cpu0 and cpu1 are linked twice: give one wire with the bandwidth of all");
  EXPECT_NE(why_with("cpu0-gpu0", "cpu0").find("two places with '-' between them"), std::string::npos);
  EXPECT_NE(why_with("[cpu0-gpu0, cpu0-cpu1]", "{}"), "no error");
}

TEST(NodeFile, names_are_plain_and_there_once) {
  EXPECT_EQ(why_with("[gpu0]", "[cpu1]"), "toy.yaml:6: the place 'cpu1' is there twice");
  EXPECT_NE(why_with("[gpu0]", "[gpu-0]").find("is no plain word"), std::string::npos);
  EXPECT_NE(why_with("[gpu0]", "['']").find("is no plain word"), std::string::npos);
  EXPECT_NE(why_with("name: toy", "name: a toy").find("is no plain word"), std::string::npos);
}

TEST(NodeFile, figures_have_the_right_unit_a_plausible_size_and_a_reason) {
  EXPECT_NE(why_with("value: 8 GB/s", "value: 8 ns").find("toy.yaml:10: 'bandwidth'"), std::string::npos);
  EXPECT_EQ(why_with("value: 8 GB/s", "value: 8"),
            "toy.yaml:10: 'bandwidth': '8' has no unit; one like GB/s is expected");
  EXPECT_NE(why_with("value: 8 GB/s", "value: -8 GB/s").find("is outside"), std::string::npos);
  EXPECT_NE(why_with("value: 8 GB/s", "value: 8 EB/s").find("is a prefix wrong?"), std::string::npos);
  EXPECT_NE(why_with("500 ns", "500 s").find("is a prefix wrong?"), std::string::npos);
  EXPECT_NE(why_with("500 ns", "0 ns").find("is outside"), std::string::npos);
  EXPECT_NE(why_with("500 ns", "200 ns").find("is not within"), std::string::npos);
  EXPECT_NE(why_with(", source: manual", "").find("has no 'source'"), std::string::npos);
  EXPECT_NE(why_with(", why: nobody measured it", "").find("has no 'status'"), std::string::npos);
  EXPECT_NE(why_with("status: derived", "status: unverified").find("what is unverified is assumed"),
            std::string::npos);
}

TEST(NodeFile, what_is_no_node_is_refused) {
  EXPECT_EQ(why_node(""), "toy.yaml is empty");
  EXPECT_NE(why_node("name: toy\n").find("no 'title'"), std::string::npos);
  EXPECT_NE(why_node("[1, 2]"), "no error");
  EXPECT_NE(why_with("links:\n  pcie: [cpu0-gpu0, cpu0-cpu1]\n", "links: {}\n").find("at least one link"),
            std::string::npos);
  const std::string two = "    latency: {value: 500 ns, from: 300 ns, to: 1 us, why: nobody measured it}\n";
  EXPECT_NE(
      why_with("links:\n", ("  idle:\n    title: Idle\n    bandwidth: {value: 1 GB/s, from: 0.5 GB/s, to: "
                            "2 GB/s, why: none}\n" +
                            two + "links:\n")
                               .c_str())
          .find("no link is made of the wire 'idle'"),
      std::string::npos);
}

TEST(Nodes, are_found_by_name_alias_and_path) {
  EXPECT_EQ(database().node("fermi-node").name, "fermi-node");
  EXPECT_EQ(database().node("Lecture-Node").name, "fermi-node");
  EXPECT_EQ(database().node(PERFMODEL_SOURCE_DIR "/hwdb/nodes/hgx-h200.yaml").name, "hgx-h200");
  EXPECT_NE(error_of([] { database().node("hgx-h20"); }).find("(did you mean 'hgx-h200'?)"),
            std::string::npos);
  EXPECT_NE(error_of([] { database().node("./none.yaml"); }), "no error");
}

TEST(Nodes, carry_the_name_of_their_file_and_join_all_their_places) {
  for (const std::string& name : database().node_names()) {
    const NodeGraph node = database().node(name);
    EXPECT_EQ(node.name, name);
    std::set<std::size_t> linked;
    for (const NodeLink& link : node.links) linked.insert(link.a), linked.insert(link.b);
    EXPECT_EQ(linked.size(), node.places.size()) << name;
    for (const NodeWire& wire : node.wires)
      EXPECT_FALSE(wire.bandwidth.source.empty() || wire.latency.source.empty()) << name << ": " << wire.name;
  }
}

// A GPU's file and the node's say the same of the same link.
TEST(Nodes, link_their_gpus_as_the_gpus_say) {
  const struct {
    const char *node, *gpu;
  } pairs[] = {{"hgx-h200", "h200"}, {"fermi-node", "m2090"}, {"fermi-node", "c2050"}};
  for (const auto& [name, gpu_name] : pairs) {
    const NodeGraph node = database().node(name);
    const Gpu gpu = database().gpu(gpu_name);
    std::map<std::size_t, double> nvlink;
    for (const NodeLink& link : node.links) {
      const bool from = node.places[link.a].kind == PlaceKind::gpu;
      if (!from && node.places[link.b].kind != PlaceKind::gpu) continue;
      const NodeWire& wire = node.wires[link.wire];
      if (wire.spread)
        nvlink[from ? link.a : link.b] += wire.bandwidth.value.value;
      else
        EXPECT_EQ(wire.bandwidth.value, gpu.at(facts::pcie_bandwidth).value) << name << " " << wire.title;
    }
    for (const auto& [place, one_direction] : nvlink)
      EXPECT_DOUBLE_EQ(2 * one_direction, gpu.at(facts::nvlink_bandwidth).value.value)
          << node.places[place].name;
  }
  EXPECT_EQ(database().node("hgx-h200").places.size(), 2u + 2 + 4 + 8 + 8 + 4 + 1);
}

} // namespace perfmodel::hwdb::node_file_test
