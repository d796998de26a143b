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
} // namespace

void place_end_labels(Layout& l, const std::vector<EndLabel>& labels) {
  const double low = l.plot.top + 2, high = l.plot.bottom - 6;
  const std::size_t room = static_cast<std::size_t>((high - low) / pitch) + 1;
  std::vector<EndLabel> kept = labels;
  if (kept.size() > room) {
    kept.resize(room > 1 ? room - 1 : 0);
    l.unplaced += static_cast<int>(labels.size() - kept.size());
  }
  std::stable_sort(kept.begin(), kept.end(), [](const EndLabel& a, const EndLabel& b) {
    return a.end.y != b.end.y ? a.end.y < b.end.y : a.bold > b.bold;
  });
  std::vector<double> wishes;
  for (const EndLabel& label : kept) wishes.push_back(label.end.y);
  const std::vector<double> heights = spread(wishes, low, high);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    Text t;
    t.size = label_size, t.bold = kept[i].bold, t.colour = kept[i].colour;
    t.title = kept[i].title.empty() ? kept[i].text : kept[i].title;
    double left = l.plot.right + gutter_gap;
    t.leader = Segment{rounded(kept[i].end), rounded(Point{left - 3, heights[i]})};
    if (kept[i].sample) {
      l.samples.push_back({rounded(Point{left, heights[i]}), *kept[i].sample});
      left += sample_width;
    }
    t.text = cut_to_width(kept[i].text, l.size.width - 10 - left, t.size, t.bold);
    t.at = rounded(Point{left, heights[i] + t.size * (ascent - descent) / 2});
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
      obstacles.add(t.box);
      l.labels.push_back(std::move(t));
      return true;
    };
    if (!beside(label.text) && !beside(less) &&
        !(label.bold && place_near(l, obstacles, as_dot_label(label, less))))
      ++l.unplaced;
  }
}

} // namespace perfmodel::plots
