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

} // namespace perfmodel::plots
