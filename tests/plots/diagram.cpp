// The picture of a node: rows of boxes, lines between them, no axes.
#include "plots/chart/diagram.hpp"

#include "plots/layout/diagram_layout.hpp"
#include "plots/layout/figure_size.hpp"
#include "plots/layout/geometry.hpp"
#include "plots/output/html.hpp"
#include "plots/output/svg.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

namespace perfmodel::plots::diagram_test {

Result answer(const NodeGraph& node, const Words& options = {}) {
  const Model& m = model("node");
  Request request = request_of(m, options);
  for (Axis& axis : request.inputs)
    if (axis.name == "node") axis.values = {{.text = node.text()}};
  Result result = predict(m, {}, request);
  result.title = "Node";
  return result;
}
Result answer(const char* name, const Words& options = {}) { return answer(database().node(name), options); }

void expect_golden(const std::string& file, const std::string& actual) {
  const auto path = std::filesystem::path(PERFMODEL_GOLDEN_DIR) / "plots" / file;
  if (const char* update = std::getenv("PERFMODEL_UPDATE_GOLDEN"); update && std::string(update) == "1") {
    std::ofstream(path, std::ios::binary) << actual;
    return;
  }
  std::ifstream in(path, std::ios::binary);
  std::stringstream expected;
  expected << in.rdbuf();
  EXPECT_TRUE(expected.str() == actual) << file << " differs: PERFMODEL_UPDATE_GOLDEN=1 rewrites it";
}

TEST(Diagram, memories_stand_above_sockets_and_the_rest_below_by_links) {
  const Diagram d = diagram_of(answer("hgx-h200"));
  std::map<std::string, std::size_t> rows;
  for (const DiagramBox& box : d.boxes) rows[box.name] = box.row;
  EXPECT_EQ(rows["mem0"], 0u);
  EXPECT_EQ(rows["cpu1"], 1u);
  EXPECT_EQ(rows["pex3"], 2u);
  EXPECT_EQ(rows["gpu0"], 3u);
  EXPECT_EQ(rows["nic7"], 3u);
  EXPECT_EQ(rows["nvswitch2"], 4u);
  EXPECT_EQ(d.title, "Node hgx-h200");
}

TEST(Diagram, what_flows_take_is_thick_and_what_is_cut_says_so) {
  const Diagram d =
      diagram_of(answer("fermi-node", {{"flows", "mem1-gpu2,mem1-gpu3"}, {"cut", "hub1-gpu1"}}));
  std::map<std::string, DiagramLine> lines;
  for (const DiagramLine& line : d.lines) lines[d.boxes[line.a].name + "-" + d.boxes[line.b].name] = line;
  EXPECT_GT(lines["cpu1-cpu2"].width, 3);
  EXPECT_EQ(lines["cpu1-cpu2"].label, "2 flows");
  EXPECT_EQ(lines["hub2-gpu2"].label, "") << "one flow is no news";
  EXPECT_GT(lines["hub2-gpu2"].width, 3);
  EXPECT_EQ(lines["cpu1-hub1"].colour, grey);
  EXPECT_EQ(lines["hub1-gpu1"].label, "cut");
  EXPECT_EQ(lines["hub1-gpu1"].colour, alarm);
}

TEST(Diagram, boxes_stand_apart_inside_the_picture_on_a_slide_and_in_a_column) {
  for (const char* name : {"fermi-node", "hgx-h200"})
    for (const Size size :
         {Size{960, 600}, Size{640, 480}, figure_size("slide").layout(), figure_size("column").layout()}) {
      Diagram diagram = diagram_of(answer(name));
      if (size.width < 500) diagram.notes.clear(); // as a figure without room does
      const Layout l = layout(diagram, size);
      const Rect all{0, 0, static_cast<double>(size.width), static_cast<double>(size.height)};
      EXPECT_FALSE(l.axes);
      for (std::size_t i = 0; i < l.bars.size(); ++i) {
        EXPECT_TRUE(inside(quad_of(l.bars[i].rect), all)) << l.bars[i].title;
        for (std::size_t j = 0; j < i; ++j)
          EXPECT_FALSE(intersects(quad_of(l.bars[i].rect), quad_of(l.bars[j].rect)))
              << l.bars[i].title << " and " << l.bars[j].title;
      }
      for (const Text& text : l.frame) EXPECT_TRUE(inside(text.box, all)) << text.text;
    }
}

// In a column sixteen boxes are narrower than their names.
TEST(Diagram, every_place_is_told_from_the_others_of_its_kind) {
  Diagram d = diagram_of(answer("hgx-h200"));
  for (const Size size : {Size{}, figure_size("column").layout()}) {
    if (size.width < 500) d.notes.clear(); // as a figure without room does
    const Layout l = layout(d, size);
    std::set<std::string> names;
    for (const Text& text : l.labels) names.insert(text.text);
    for (int i = 0; i < 8; ++i) {
      EXPECT_TRUE(names.contains("gpu" + std::to_string(i))) << size.width;
      EXPECT_TRUE(names.contains("nic" + std::to_string(i))) << size.width;
    }
    for (const char* number : {"0", "1", "2", "3"})
      EXPECT_TRUE(std::any_of(names.begin(), names.end(), [&](const std::string& name) {
        return name.starts_with("nvs") && name.ends_with(number);
      })) << size.width;
    for (std::size_t i = 0; i < l.labels.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        EXPECT_FALSE(intersects(l.labels[i].box, l.labels[j].box)) << l.labels[i].text;
  }
}

TEST(Diagram, a_column_is_so_high_that_its_caption_stays) {
  Diagram d = diagram_of(answer("fermi-node"));
  d.notes = {"What is to be read in it, in a sentence of two lines, as the verdict of a question may be."};
  d.caption =
      "Source: perfmodel 0.1.0 (12345678), its hardware database; a lecture, autumn 2010; assumed costs.";
  const Size column = figure_size("column").layout();
  EXPECT_THROW(layout(d, column), NoRoom);
  EXPECT_NO_THROW(layout(d, readable_size(d, column)));
}

TEST(Diagram, names_each_kind_of_link_in_a_column) {
  const Layout l = layout(diagram_of(answer("fermi-node")), figure_size("column").layout());
  const auto said = [&](const std::string& part) {
    return std::any_of(l.frame.begin(), l.frame.end(),
                       [&](const Text& text) { return text.text.find(part) != std::string::npos; });
  };
  EXPECT_TRUE(said("InfiniBand QDR"));
  EXPECT_FALSE(said("and 1 more")) << "which takes as much room as the one that it leaves out";
}

TEST(Diagram, labels_touch_neither_boxes_nor_one_another) {
  const Layout l = layout(diagram_of(
      answer("hgx-h200", {{"flows", "mem0-gpu0,mem0-gpu1,mem0-gpu4,gpu0-gpu2,gpu1-gpu2,nic0-gpu3"}})));
  std::vector<Text> labels;
  for (const Text& text : l.labels)
    if (text.halo) labels.push_back(text);
  EXPECT_GE(labels.size(), 3u);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    for (const PlacedBar& box : l.bars)
      EXPECT_FALSE(intersects(labels[i].box, quad_of(box.rect))) << box.title;
    for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(intersects(labels[i].box, labels[j].box));
  }
}

TEST(Diagram, labels_without_room_are_counted_below_it) {
  const Diagram d = diagram_of(answer(
      "hgx-h200", {{"flows", "mem0-gpu0,mem0-gpu1,mem0-gpu4,gpu0-gpu2,gpu1-gpu2,nic0-gpu3,mem1-gpu5"}}));
  bool lost = false;
  for (const Size size : {Size{420, 500}, Size{560, 500}, Size{960, 600}}) {
    const Layout l = layout(d, size);
    const bool told = std::any_of(l.frame.begin(), l.frame.end(), [](const Text& text) {
      return text.text.find("of lines found no room") != std::string::npos;
    });
    EXPECT_EQ(told, l.unplaced > 0) << size.width;
    lost = lost || told;
  }
  EXPECT_TRUE(lost);
}

TEST(Diagram, new_names_move_nothing) {
  const NodeGraph node = database().node("hgx-h200");
  NodeGraph renamed = node;
  for (std::size_t i = 0; i < node.places.size(); ++i)
    renamed.places[i].name = "p" + std::to_string(97 * i % 100);
  const Layout a = layout(diagram_of(answer(node))), b = layout(diagram_of(answer(renamed)));
  ASSERT_EQ(a.bars.size(), b.bars.size());
  for (std::size_t i = 0; i < a.bars.size(); ++i) EXPECT_EQ(a.bars[i].rect.left, b.bars[i].rect.left);
  ASSERT_EQ(a.lines.size(), b.lines.size());
  for (std::size_t i = 0; i < a.lines.size(); ++i) EXPECT_EQ(a.lines[i].strokes, b.lines[i].strokes);
}

TEST(Diagram, is_the_same_byte_for_byte) {
  const auto svg = [] {
    return to_svg(layout(diagram_of(answer("fermi-node", {{"flows", "mem1-gpu2,mem1-gpu3"}}))));
  };
  EXPECT_EQ(svg(), svg());
  expect_golden("node_flows.svg", svg());
  expect_golden("node_hgx_h200.svg", to_svg(layout(diagram_of(answer("hgx-h200")))));
}

TEST(Diagram, a_page_has_the_picture_and_the_tables) {
  const Result result = answer("fermi-node");
  const std::string page = to_html("Node", {.svg = to_svg(layout(diagram_of(result)))}, {result});
  EXPECT_NE(page.find("<svg"), std::string::npos);
  EXPECT_NE(page.find("near and far memory"), std::string::npos);
}

TEST(Diagram, a_result_without_places_is_refused) {
  EXPECT_NE(error_of([] { diagram_of(Result{.model = "balance"}); }).find("no places and links"),
            std::string::npos);
}

} // namespace perfmodel::plots::diagram_test
