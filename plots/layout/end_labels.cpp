// Labels in the right margin: each wants the height of its line, all want a line's distance. Pooling adjacent
// violators gives the smallest sum of squared shifts.
#include "labels.hpp"

#include "font.hpp"
#include "frame.hpp"
#include "text_box.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel::plots {

namespace {
constexpr double pitch = 17; // px from one label's middle to the next

// The heights of labels that wish to stand at `wishes` (ascending), `pitch` apart, inside [low, high].
std::vector<double> spread(const std::vector<double>& wishes, double low, double high) {
  struct Block {
    double sum;
    std::size_t count;
    double first(double l, double h) const { // where its first label stands
      const double span = pitch * static_cast<double>(count - 1);
      return std::clamp(sum / static_cast<double>(count), l, std::max(l, h - span));
    }
  };
  std::vector<Block> blocks;
  for (const double wish : wishes) {
    blocks.push_back({wish, 1});
    while (blocks.size() > 1) {
      const Block last = blocks.back(), before = blocks[blocks.size() - 2];
      const double below = before.first(low, high) + pitch * static_cast<double>(before.count);
      if (last.first(low, high) >= below) break;
      blocks.pop_back();
      blocks.back() = {before.sum + last.sum - pitch * static_cast<double>(before.count * last.count),
                       before.count + last.count};
    }
  }
  std::vector<double> heights;
  for (const Block& block : blocks)
    for (std::size_t i = 0; i < block.count; ++i)
      heights.push_back(block.first(low, high) + pitch * static_cast<double>(i));
  return heights;
}

// Labels in one row of the margin, from above to below as their lines end.
using Row = std::vector<EndLabel>;

double middle_of(const Row& row) { return (row.front().end.y + row.back().end.y) / 2; }

// The row as one label, in ink: its names have different colours.
EndLabel label_of(const Row& row) {
  EndLabel label = row.front();
  for (std::size_t i = 1; i < row.size(); ++i) {
    label.text += ", " + row[i].text, label.title += "; " + row[i].title;
    label.colour = ink;
  }
  return label;
}

// Whether the two rows are narrow enough to be one.
bool fit_in_one(const Row& above, const Row& below, double width) {
  const auto share = [](const EndLabel& label) { return label.shares_row; };
  if (!std::all_of(above.begin(), above.end(), share) || !std::all_of(below.begin(), below.end(), share))
    return false;
  const EndLabel a = label_of(above), b = label_of(below);
  return text_width(a.text + ", " + b.text, label_size, a.bold || b.bold) <= width;
}

// Rows of one label each (sorted from above), of which those nearest to one another become one until there
// are no more than `most`, as far as `width` px allow it.
std::vector<Row> in_rows(const std::vector<EndLabel>& labels, std::size_t most, double width) {
  std::vector<Row> rows;
  for (const EndLabel& label : labels) rows.push_back({label});
  while (rows.size() > most) {
    std::optional<std::size_t> nearest;
    const auto gap = [&](std::size_t i) { return middle_of(rows[i + 1]) - middle_of(rows[i]); };
    for (std::size_t i = 0; i + 1 < rows.size(); ++i)
      if (fit_in_one(rows[i], rows[i + 1], width) && (!nearest || gap(i) < gap(*nearest))) nearest = i;
    if (!nearest) break;
    Row& above = rows[*nearest];
    const auto below = rows.begin() + static_cast<std::ptrdiff_t>(*nearest) + 1;
    above.insert(above.end(), below->begin(), below->end());
    rows.erase(below);
  }
  return rows;
}
} // namespace

void place_end_labels(Layout& l, const std::vector<EndLabel>& labels) {
  const double low = l.plot.top + 2, high = l.plot.bottom - 6;
  const std::size_t room = static_cast<std::size_t>((high - low) / pitch) + 1;
  std::vector<EndLabel> kept = labels;
  const bool share =
      std::any_of(labels.begin(), labels.end(), [](const EndLabel& e) { return e.shares_row; });
  const auto drop = [&](auto& list) {
    if (list.size() <= room) return;
    const std::size_t left_out = list.size() - (room > 1 ? room - 1 : 0);
    list.resize(list.size() - left_out);
    l.unplaced += static_cast<int>(left_out);
  };
  if (!share) drop(kept);
  std::stable_sort(kept.begin(), kept.end(), [](const EndLabel& a, const EndLabel& b) {
    return a.end.y != b.end.y ? a.end.y < b.end.y : a.bold > b.bold;
  });
  const double left = l.plot.right + gutter_gap, most_width = l.size.width - 10 - left;
  std::vector<Row> rows = in_rows(kept, room, most_width);
  drop(rows);
  std::vector<double> wishes;
  for (const Row& row : rows) wishes.push_back(middle_of(row));
  const std::vector<double> heights = spread(wishes, low, high);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const EndLabel label = label_of(rows[i]);
    Text t;
    t.size = label_size, t.bold = label.bold, t.colour = label.colour;
    t.title = label.title.empty() ? label.text : label.title;
    const Point before = rounded(Point{left - 3, heights[i]});
    t.leader = Segment{rounded(label.end), before};
    for (std::size_t more = 1; more < rows[i].size(); ++more)
      l.leaders.push_back({rounded(rows[i][more].end), before});
    const double beside = label.sample ? sample_width : 0;
    if (label.sample) l.samples.push_back({rounded(Point{left, heights[i]}), *label.sample});
    t.text = cut_to_width(label.text, most_width - beside, t.size, t.bold);
    t.at = rounded(Point{left + beside, heights[i] + t.size * (ascent - descent) / 2});
    measure(t);
    l.labels.push_back(std::move(t));
  }
}

namespace {
// The label beside its line, as far right as it is free there, with no other line between.
bool find_inside(const Layout& l, const Obstacles& obstacles, const EndLabel& label, Text& t) {
  const double width = text_width(t.text, t.size, t.bold), height = t.size * (ascent + descent);
  const double left =
      l.plot.left + 0.2 * l.plot.width(); // of the picture; the label may begin before its line
  for (double right = label.end.x - 4; right - width > left && right > label.from; right -= 8)
    for (const double gap : {3.5, 9.0}) // past the markers on it
      for (const double side : {-1.0, 1.0}) {
        const double centre = right - width / 2;
        centre_text(t, {centre, label.end.y + side * (height / 2 + gap)});
        const Segment between{{centre, label.end.y + side * 1.5}, {centre, label.end.y + side * gap}};
        if (inside(t.box, l.plot) && obstacles.is_free(grown(t.box, 1)) && obstacles.is_free(between, true))
          return true;
      }
  return false;
}

DotLabel as_dot_label(const EndLabel& label, const std::string& text) {
  return {label.end, 0, text, label.title, label.colour, label.bold};
}
} // namespace

void place_inside(Layout& l, Obstacles& obstacles, const std::vector<EndLabel>& labels) {
  std::vector<EndLabel> sorted = labels; // the roof first
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const EndLabel& a, const EndLabel& b) { return a.bold > b.bold; });
  for (const EndLabel& label : sorted) {
    const std::string& less = label.short_text.empty() ? label.text : label.short_text;
    const auto beside = [&](const std::string& words) {
      Text t = text_of(as_dot_label(label, words));
      if (!find_inside(l, obstacles, label, t)) return false;
      obstacles.add(with_spaces(t));
      l.labels.push_back(std::move(t));
      return true;
    };
    if (!beside(label.text) && !beside(less) &&
        !(label.bold && place_near(l, obstacles, as_dot_label(label, less)))) {
      ++l.unplaced;
      l.unnamed_lines.push_back(label.text);
    }
  }
}

} // namespace perfmodel::plots
