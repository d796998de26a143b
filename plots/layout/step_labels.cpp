// Names of steps that stand closely above one another, such as the versions of a sum, which all have the same
// intensity: one column to the side, a thin leader to each.
#include "labels.hpp"

#include "font.hpp"
#include "frame.hpp"
#include "text_box.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel::plots {

namespace {
constexpr double line_height = label_size * (ascent + descent) + 3; // px from name to name
constexpr double one_place = 14;                                    // px that a stack is wide at most
constexpr double rim = 3;                                           // px from a marker to its leader

// Steps of one path that follow each other in about one place of x: [from, to).
std::size_t end_of_stack(const std::vector<DotLabel>& labels, std::size_t from) {
  std::size_t to = from + 1;
  while (to < labels.size() && labels[from].step > 0 && labels[to].step == labels[to - 1].step + 1 &&
         std::fabs(labels[to].target.x - labels[from].target.x) <= one_place)
    ++to;
  return to;
}

bool crowded(const std::vector<DotLabel>& sorted) {
  for (std::size_t i = 0; i + 1 < sorted.size(); ++i)
    if (sorted[i + 1].target.y - sorted[i].target.y < line_height) return true;
  return false;
}

// Heights as near to the dots' own as names that are `line_height` apart can be: names that would overlap
// share the mean of what they want (pool adjacent violators).
std::vector<double> heights(const std::vector<DotLabel>& sorted) {
  struct Pool {
    double sum = 0; // of wanted heights, less the lines above each within the pool
    std::size_t count = 0;
    double top() const { return sum / static_cast<double>(count); }
  };
  std::vector<Pool> pools;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    pools.push_back({sorted[i].target.y - static_cast<double>(i) * line_height, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].top() > pools.back().top()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back().sum += last.sum, pools.back().count += last.count;
    }
  }
  std::vector<double> at;
  for (const Pool& pool : pools)
    for (std::size_t i = 0; i < pool.count; ++i)
      at.push_back(pool.top() + static_cast<double>(at.size()) * line_height);
  return at;
}

bool place_column(Layout& l, Obstacles& obstacles, const std::vector<DotLabel>& sorted,
                  const std::vector<double>& at, double shift, double gap, double side) {
  std::vector<Text> texts;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const DotLabel& label = sorted[i];
    Text t = text_of(label);
    const double side_at = sorted.front().target.x + side * (label.radius + gap);
    centre_text(t, {side_at + side * text_width(t.text, t.size, t.bold) / 2, at[i] + shift});
    if (!inside(t.box, l.plot) || !obstacles.is_free(grown(t.box, 1))) return false;
    t.leader = Segment{rounded(Point{label.target.x + side * (label.radius + rim), label.target.y}),
                       rounded(Point{side_at - side * 3, at[i] + shift})};
    texts.push_back(std::move(t));
  }
  // Nothing else may stand between the names.
  Rect column = texts.front().box.bounds();
  for (Text& t : texts) {
    const Rect box = t.box.bounds();
    column = {std::min(column.left, box.left), std::min(column.top, box.top),
              std::max(column.right, box.right), std::max(column.bottom, box.bottom)};
    obstacles.add(*t.leader);
    l.labels.push_back(std::move(t));
  }
  obstacles.add(quad_of(column));
  return true;
}

bool place_stack(Layout& l, Obstacles& obstacles, std::vector<DotLabel> stack) {
  std::stable_sort(stack.begin(), stack.end(), [](const DotLabel& a, const DotLabel& b) {
    return a.target.y != b.target.y ? a.target.y < b.target.y : a.step > b.step;
  });
  if (stack.size() < 3 || !crowded(stack)) return false;
  const std::vector<double> at = heights(stack);
  for (const double gap : {20.0, 32.0, 48.0, 70.0, 100.0})
    for (const double shift : {0.0, 8.0, -8.0, 16.0, -16.0, 32.0, -32.0})
      for (const double side : {1.0, -1.0})
        if (place_column(l, obstacles, stack, at, shift, gap, side)) return true;
  return false;
}
} // namespace

void place_step_labels(Layout& l, Obstacles& obstacles, std::vector<DotLabel>& labels) {
  std::vector<DotLabel> left;
  for (std::size_t from = 0, to; from < labels.size(); from = to) {
    to = end_of_stack(labels, from);
    const auto begin = labels.begin() + static_cast<std::ptrdiff_t>(from),
               end = labels.begin() + static_cast<std::ptrdiff_t>(to);
    if (!place_stack(l, obstacles, {begin, end})) left.insert(left.end(), begin, end);
  }
  labels = std::move(left);
}

} // namespace perfmodel::plots
