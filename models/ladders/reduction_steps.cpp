#include "reduction_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace perfmodel {

namespace {

using Word = ReductionWord;

Word both(ReductionType type, Word a, Word b) {
  if (!a || !b) return a ? a : b;
  if (type == ReductionType::min) return std::min(*a, *b);
  if (type == ReductionType::max) return std::max(*a, *b);
  return *a + *b;
}

// "0 to 31", "0, 2 .. 62": threads at equal distances.
std::string threads_in_words(std::int64_t count, std::int64_t distance) {
  if (count == 1) return "0";
  if (distance == 1) return fmt::format("0 to {}", count - 1);
  if (count == 2) return fmt::format("0, {}", distance);
  return fmt::format("0, {} .. {}", distance, (count - 1) * distance);
}

// "528, 527, ..": the words that the threads of a step leave, the first of them.
std::string values_in_words(const TreeFrame& frame, std::int64_t place) {
  constexpr std::size_t most = 8;
  std::string values;
  std::size_t shown = 0;
  for (std::int64_t i = 0; i < frame.threads; ++i) {
    const Word& word = frame.after[static_cast<std::size_t>(place * i)];
    if (!word) continue;
    if (++shown <= most) values += fmt::format("{}{}", values.empty() ? "" : ", ", *word);
    if (shown == most + 1) values += ", ..";
  }
  return values;
}

class Tree {
public:
  Tree(ReductionType type, std::vector<Word> words) : type_(type), words_(std::move(words)) {}

  // `count` threads, so far from one to the next, each add to the word `place * i` of the i-th of them the
  // one that lies `apart` behind. All read before any of them writes.
  void add(std::int64_t count, std::int64_t distance, std::int64_t place, std::int64_t apart) {
    step(count, distance, place, apart, [](std::int64_t) { return true; });
  }
  // Lanes past the end of a warp have their own word once more.
  void shuffle(std::int64_t count, std::int64_t apart) {
    step(count, 1, 1, apart, [&](std::int64_t thread) { return thread % 32 + apart < 32; });
  }
  // What the warps have found goes to the lanes of the first.
  void gather_warps() {
    const std::vector<Word> from = words_;
    for (std::size_t t = 0; t < words_.size(); ++t) words_[t] = 32 * t < from.size() ? from[32 * t] : Word{};
    gathered_ = true;
  }
  std::vector<TreeFrame> frames;

private:
  template <class Has>
  void step(std::int64_t count, std::int64_t distance, std::int64_t place, std::int64_t apart,
            const Has& has_partner) {
    const std::vector<Word> from = words_;
    TreeFrame frame{.apart = apart, .threads = count, .distance = distance, .adds = {}, .after = {}};
    for (std::int64_t i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(place * i);
      const Word other = from[has_partner(i) ? at + static_cast<std::size_t>(apart) : at];
      words_[at] = both(type_, from[at], other);
      if (has_partner(i) && other)
        frame.adds.push_back({.thread = distance * i, .at = place * i, .from = place * i + apart});
    }
    if (frame.adds.empty()) return;
    frame.after = words_, frame.gathers = std::exchange(gathered_, false);
    frames.push_back(std::move(frame));
  }

  ReductionType type_;
  std::vector<Word> words_;
  bool gathered_ = false;
};

} // namespace

std::vector<TreeFrame> tree_frames(const ReductionShape& shape, std::vector<Word> words) {
  words.resize(static_cast<std::size_t>(shape.threads));
  if (shape.version == ReductionVersion::vector) return {};
  Tree tree(shape.type, std::move(words));
  if (shape.version <= ReductionVersion::strided_index)
    for (std::int64_t s = 1; s < shape.threads; s *= 2)
      tree.add(shape.threads / (2 * s), shape.version == ReductionVersion::interleaved ? 2 * s : 1, 2 * s, s);
  else if (shape.version == ReductionVersion::shuffle) {
    for (std::int64_t s = 16; s > 0; s /= 2) tree.shuffle(shape.threads, s);
    tree.gather_warps();
    for (std::int64_t s = 16; s > 0; s /= 2) tree.shuffle(32, s);
  } else {
    // By the first warp alone in the end: its lanes go on with words that nobody needs.
    const bool folds = shape.version >= ReductionVersion::warp_synchronous;
    for (std::int64_t s = shape.threads / 2; s > 0; s /= 2) tree.add(folds && s < 32 ? 32 : s, 1, 1, s);
  }
  return std::move(tree.frames);
}

std::vector<TreeStep> tree_steps(const ReductionShape& shape) {
  std::vector<Word> words;
  for (std::int64_t i = 0; i < shape.n; ++i) words.emplace_back(i + 1);
  std::vector<TreeStep> rows;
  for (const TreeFrame& frame : tree_frames(shape, std::move(words))) {
    const std::int64_t place = shape.version <= ReductionVersion::strided_index ? 2 * frame.apart : 1;
    rows.push_back({.version = std::string(names(shape.version)[static_cast<std::size_t>(shape.version)]),
                    .step = static_cast<Count>(rows.size() + 1),
                    .apart = static_cast<Count>(frame.apart),
                    .active = static_cast<Count>(frame.threads),
                    .threads = threads_in_words(frame.threads, frame.distance),
                    .values = values_in_words(frame, place)});
  }
  return rows;
}

} // namespace perfmodel
