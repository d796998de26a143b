#include "diagram_boxes.hpp"

#include "font.hpp"
#include "frame.hpp"
#include "text_box.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace perfmodel::plots {

namespace {

constexpr double picture_edge = 16, kinds_width = 112, most_box = 120, most_height = 30;
constexpr double least_pitch = 28;  // px from row to row: a name, and a line that can be seen
constexpr double upright_gap = 0.8; // rows more, for a row of upright names
constexpr std::size_t many_lines = 20;

std::vector<std::string> kinds_of_row(const Diagram& d, std::size_t row) {
  std::vector<std::string> kinds;
  for (const DiagramBox& box : d.boxes)
    if (box.row == row && std::find(kinds.begin(), kinds.end(), box.kind) == kinds.end())
      kinds.push_back(box.kind);
  return kinds;
}

// "nvs0" for nvswitch0: what tells places of a kind apart stays. Empty: too little of it would be left.
std::string short_name(const std::string& name, double width) {
  if (text_width(name, label_size) <= width) return name;
  constexpr std::size_t least_letters = 2;
  const std::size_t digits = name.find_last_not_of("0123456789") + 1;
  if (digits == name.size()) {
    const std::string cut = cut_to_width(name, width, label_size);
    return cut.find("…") > least_letters ? cut : "";
  }
  for (std::size_t letters = digits - 1; letters >= least_letters; --letters)
    if (std::string shorter = name.substr(0, letters) + name.substr(digits);
        text_width(shorter, label_size) <= width)
      return shorter;
  return "";
}

class BoxPlacer {
public:
  BoxPlacer(const Diagram& d, Layout& l) : d_(d), l_(l) {
    for (const DiagramBox& box : d.boxes) rows_ = std::max(rows_, box.row + 1), ++count_[box.row];
    area_ = {picture_edge + kinds_width, l.plot.top, static_cast<double>(l.size.width) - picture_edge,
             l.plot.bottom};
    set_rows();
  }

  PlacedBoxes place() {
    PlacedBoxes placed;
    for (const DiagramBox& box : d_.boxes) {
      const double width = box_width(box.row), height = heights_[box.row];
      const double x = area_.centre().x + box.place * slot(box.row), y = row_y(box.row);
      const Rect rect{rounded(x - width / 2), rounded(y - height / 2), rounded(x + width / 2),
                      rounded(y + height / 2)};
      placed.rects.push_back(rect);
      l_.bars.push_back(
          {.rect = rect, .colour = ink, .fill = Fill::pale, .title = box.name + ": " + box.kind});
      if (upright_[box.row] > 0)
        put(cut_to_width(box.name, height - 4, label_size), {x, y}, -90);
      else
        put(short_name(box.name, width - 4), {x, y}, 0);
    }
    name_kinds();
    placed.heights = heights_;
    return placed;
  }

private:
  void name_kinds() {
    for (std::size_t row = 0; row < rows_; ++row) {
      const std::vector<std::string> kinds = kinds_of_row(d_, row);
      double y = row_y(row) - label_size * line_height * (static_cast<double>(kinds.size()) - 1) / 2;
      for (const std::string& kind : kinds) {
        Text text;
        text.text = cut_to_width(kind, kinds_width - box_gap, label_size);
        text.at = rounded(Point{picture_edge, y + label_size * (ascent - descent) / 2});
        text.size = label_size, text.colour = grey;
        measure(text);
        l_.frame.push_back(std::move(text));
        y += label_size * line_height;
      }
    }
  }

  double slot(std::size_t row) const { return area_.width() / static_cast<double>(count_.at(row)); }
  double box_width(std::size_t row) const {
    return std::min(most_box, slot(row) - std::min(box_gap, slot(row) / 5));
  }

  // Names that do not fit beside one another stand upright.
  void set_names() {
    upright_.assign(rows_, 0);
    std::vector<double> widest(rows_, 0);
    for (const DiagramBox& box : d_.boxes) {
      widest[box.row] = std::max(widest[box.row], text_width(box.name, label_size));
      if (short_name(box.name, box_width(box.row) - 4).empty()) upright_[box.row] = 1;
    }
    for (std::size_t row = 0; row < rows_; ++row) upright_[row] *= widest[row] + 6;
  }

  // Where many lines cross, rows are farther apart.
  void set_rows() {
    set_names();
    std::vector<double> gaps(rows_, 1);
    std::vector<std::size_t> lines(rows_, 0);
    for (const DiagramLine& line : d_.lines) ++lines[std::min(d_.boxes[line.a].row, d_.boxes[line.b].row)];
    for (std::size_t row = 0; row + 1 < rows_; ++row)
      if (lines[row] > many_lines) gaps[row] = 2;
    for (std::size_t row = 0; row < rows_; ++row)
      if (upright_[row] > 0) {
        gaps[row] = std::max(gaps[row], 1 + upright_gap / 2);
        if (row > 0) gaps[row - 1] += upright_gap / 2;
      }
    const double sum = std::accumulate(gaps.begin(), gaps.end(), 0.0);
    const double pitch = area_.height() / sum;
    if (pitch < least_pitch)
      throw NoRoom(fmt::format("{} x {} px is too small for this diagram", l_.size.width, l_.size.height));
    const double height = std::min(most_height, 0.65 * pitch);
    for (const double upright : upright_)
      heights_.push_back(upright > 0 ? std::min(upright, height + upright_gap * pitch) : height);
    double y = area_.top + pitch / 2;
    for (const double gap : gaps) {
      row_ys_.push_back(y);
      y += gap * area_.height() / sum;
    }
  }
  double row_y(std::size_t row) const { return row_ys_[row]; }

  void put(const std::string& name, Point centre, double angle) {
    Text text = text_around(name, centre, ink);
    text.angle = angle;
    centre_text(text, centre);
    l_.labels.push_back(std::move(text));
  }

  const Diagram& d_;
  Layout& l_;
  Rect area_;
  std::vector<double> heights_, // of the boxes of each row
      upright_;                 // what a row's names take standing; 0 where they lie
  std::vector<double> row_ys_;
  std::size_t rows_ = 1;
  std::map<std::size_t, std::size_t> count_;
};

} // namespace

PlacedBoxes place_boxes(const Diagram& diagram, Layout& l) { return BoxPlacer(diagram, l).place(); }

Text text_around(const std::string& words, Point centre, int colour) {
  Text text;
  text.text = words, text.size = label_size, text.colour = colour;
  centre_text(text, centre);
  return text;
}

} // namespace perfmodel::plots
