// A reduction step by step: the numbers, below them the threads that add, below those what they leave.
#include "kinds.hpp"

#include "input_of.hpp"
#include "models/core/error.hpp"
#include "models/ladders/reduction.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <map>

namespace perfmodel {

namespace reduction_tree {

enum Kinds : std::size_t { number, kept, adding };
constexpr double value_height = 1, thread_height = 0.8, gap = 0.75;

// Fewer threads than a block has draw the same tree, as far as its steps allow that: those of a warp need
// one.
std::int64_t threads_for(ReductionVersion version, std::int64_t n) {
  const std::int64_t least = version == ReductionVersion::shuffle            ? 32
                             : version >= ReductionVersion::warp_synchronous ? 64
                                                                             : 2;
  return std::max(least, static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(n))));
}

bool adds(ReductionType type) { return type != ReductionType::min && type != ReductionType::max; }

const char* sign_of(ReductionType type) {
  return type == ReductionType::min ? "min" : type == ReductionType::max ? "max" : "+";
}

std::string added(const TreeFrame::Addition& a, const std::vector<ReductionWord>& before,
                  const std::vector<ReductionWord>& after, const char* sign) {
  const auto at = static_cast<std::size_t>(a.at), from = static_cast<std::size_t>(a.from);
  return fmt::format("thread {}: word {} = {} {} {} = {}", a.thread, a.at, before[at].value_or(0), sign,
                     *before[from], *after[at]);
}

class Picture {
public:
  Picture(const ReductionShape& shape, std::vector<ReductionWord> words) : of_(shape) {
    drawing.kinds = {{"a number"},
                     {"as it was", Drawing::Tone::quiet},
                     {adds(shape.type) ? "a thread that adds" : "a thread that compares"}};
    drawing.width = static_cast<double>(shape.n);
    values("numbers", words, {});
    words.resize(static_cast<std::size_t>(shape.threads));
    std::size_t step = 0;
    for (const TreeFrame& frame : tree_frames(shape, words)) {
      if (frame.gathers) { // the words of the first lanes of the warps
        std::vector<ReductionWord> gathered(words.size());
        for (std::size_t t = 0; 32 * t < words.size(); ++t) gathered[t] = words[32 * t];
        words = std::move(gathered);
        values("of the warps", words, {});
      }
      add(frame, words, ++step);
      words = frame.after;
    }
    drawing.height = y_ - gap;
    result = words.front();
  }

  Drawing drawing;
  std::map<std::int64_t, std::size_t> counted; // threads that add, by step
  ReductionWord result;

private:
  // A row of words; those that a thread has just written are `fresh`. Their cells, by word.
  void values(std::string name, const std::vector<ReductionWord>& words,
              const std::vector<TreeFrame::Addition>& fresh) {
    above_.clear();
    for (std::size_t w = 0; w < words.size() && w < static_cast<std::size_t>(of_.n); ++w) {
      if (!words[w]) continue;
      const auto is_written = [&](const TreeFrame::Addition& a) {
        return a.at == static_cast<std::int64_t>(w);
      };
      const bool old = !fresh.empty() && std::none_of(fresh.begin(), fresh.end(), is_written);
      above_[static_cast<std::int64_t>(w)] = drawing.cells.size();
      drawing.cells.push_back({.left = static_cast<double>(w),
                               .top = y_,
                               .height = value_height,
                               .text = fmt::format("{}", *words[w]),
                               .title = fmt::format("word {}: {}", w, *words[w]),
                               .kind = old ? kept : number});
    }
    drawing.rows.push_back({y_ + value_height / 2, std::move(name)});
    y_ += value_height + gap;
  }

  void add(const TreeFrame& frame, const std::vector<ReductionWord>& before, std::size_t step) {
    const std::map<std::int64_t, std::size_t> read = above_;
    const auto first_thread = drawing.cells.size();
    for (const TreeFrame::Addition& a : frame.adds) {
      Drawing::Cell cell{.left = static_cast<double>(a.at),
                         .top = y_,
                         .height = thread_height,
                         .text = fmt::format("{}", a.thread),
                         .title = added(a, before, frame.after, sign_of(of_.type)),
                         .kind = adding};
      for (const std::int64_t word : {a.at, a.from})
        if (const auto from = read.find(word); from != read.end())
          drawing.arrows.push_back(arrow_down(drawing.cells[from->second], cell));
      drawing.cells.push_back(std::move(cell));
    }
    counted[static_cast<std::int64_t>(step)] = frame.adds.size();
    drawing.rows.push_back({y_ + thread_height / 2, fmt::format("step {}: threads", step)});
    y_ += thread_height + gap / 2;
    values(fmt::format("after step {}", step), frame.after, frame.adds);
    for (std::size_t i = 0; i < frame.adds.size(); ++i)
      drawing.arrows.push_back(
          arrow_down(drawing.cells[first_thread + i], drawing.cells[above_.at(frame.adds[i].at)]));
  }

  ReductionShape of_;
  double y_ = 0;
  std::map<std::int64_t, std::size_t> above_; // the cells of the last row of words
};

} // namespace reduction_tree

Drawing draw_tree(const Gpu&, const Request& request) {
  using namespace reduction_tree;
  const auto in = input_of<Reduction::Input>(request);
  const ReductionVersion version = in.version.value_or(ReductionVersion::interleaved);
  const std::int64_t n = in.values                ? static_cast<std::int64_t>(in.values->values.size())
                         : is_given(request, "n") ? static_cast<std::int64_t>(in.n)
                                                  : 16;
  if (in.values && is_given(request, "n") && static_cast<std::int64_t>(in.n) != n)
    throw InputError(fmt::format("--n {:.0f}: --values has {} numbers", in.n, n));
  if (n < 2 || n > most_shown_steps)
    throw InputError(fmt::format("--draw tree: 2 to {} numbers can be seen in a picture, not {}{}",
                                 most_shown_steps, in.values ? "" : "--n ", n));
  if (version == ReductionVersion::vector)
    throw InputError("--draw tree: warps of the vector version add up in one instruction: it has no steps");
  const ReductionShape shape{version, in.type, threads_for(version, n), n};
  std::vector<ReductionWord> words;
  for (std::int64_t i = 0; i < n; ++i)
    words.emplace_back(in.values ? in.values->values[static_cast<std::size_t>(i)] : i + 1);
  Picture picture(shape, words);
  Drawing& d = picture.drawing;
  const std::string_view name = names(version)[static_cast<std::size_t>(version)];
  const char* what = in.type == ReductionType::min   ? "The least"
                     : in.type == ReductionType::max ? "The greatest"
                                                     : "The sum";
  d.title = fmt::format("{} of {} numbers, step by step: {}", what, n, name);
  std::vector<std::string> adding_threads;
  for (const auto& [step, threads] : picture.counted) adding_threads.push_back(fmt::format("{}", threads));
  d.verdict = {fmt::format("{} is {}, found in {} steps; {} threads have something to {}, one step after "
                           "another.",
                           what, *picture.result, picture.counted.size(), fmt::join(adding_threads, ", "),
                           adds(in.type) ? "add" : "compare")};
  return std::move(d);
}

} // namespace perfmodel
