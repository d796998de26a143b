#include "constant_cache.hpp"

#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/in_words.hpp"
#include "models/core/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace perfmodel {

namespace {

struct Passes {
  std::int64_t words = 0, passes = 0, requests = 0, instructions = 0;
  double mean(std::int64_t of) const { return static_cast<double>(of) / static_cast<double>(instructions); }
};

struct WordPattern {
  Expression index;
  Bindings let;
};

// 64 KiB in words of 4 B, on every capability (programming guide, "Technical Specifications").
constexpr std::int64_t constant_words = 16384;

// The different words of lanes [first, first + count).
std::int64_t different(const WarpView& view, std::size_t program, std::size_t first, std::size_t count) {
  std::array<std::int64_t, warp_lanes> words{};
  std::size_t size = 0;
  const auto values = view.values(program);
  for (std::size_t lane = first; lane < std::min(first + count, warp_lanes); ++lane)
    if ((view.active >> lane & 1u) != 0) {
      if (values[lane] < 0 || values[lane] >= constant_words)
        throw InputError(fmt::format("--index: thread {} of the block would read word {}, but constant "
                                     "memory has words 0 to {}",
                                     view.warp * 32 + static_cast<std::int64_t>(lane), values[lane],
                                     constant_words - 1));
      words[size++] = values[lane];
    }
  const auto end = words.begin() + static_cast<std::ptrdiff_t>(size);
  std::sort(words.begin(), end);
  return std::unique(words.begin(), end) - words.begin();
}

Passes count(const ConstantCache::Input& in, const WordPattern& pattern, std::size_t request_threads) {
  LaunchWalk walk(in.block, {}, pattern.let);
  walk.guard_by(in.predicate, "--if");
  const std::size_t program = walk.add(pattern.index, "--index");
  Passes sum;
  walk.each_warp([&](const WarpView& view) {
    if (view.active == 0) return;
    ++sum.instructions;
    sum.words += different(view, program, 0, warp_lanes);
    for (std::size_t first = 0; first < warp_lanes; first += request_threads) {
      const std::int64_t words = different(view, program, first, request_threads);
      sum.passes += words;
      sum.requests += words > 0 ? 1 : 0;
    }
  });
  return sum;
}

std::vector<WordPattern> patterns(const ConstantCache::Input& in) {
  if (in.words && !in.index.empty())
    throw InputError("--words and --index both say what a thread reads: give one of them");
  if (!in.index.empty()) return {{in.index, in.let}};
  if (in.words && *in.words > 32)
    throw InputError("--words: a warp of 32 threads reads at most 32 different words");
  if (in.let.find("words") != nullptr)
    throw InputError("--let: without --index, --words says the different words");
  std::vector<double> words{1, 2, 4, 8, 16, 32};
  if (in.words) words = {*in.words};
  std::vector<WordPattern> all;
  for (const double w : words) {
    all.push_back({Expression::from_text("tid % words"), in.let});
    all.back().let.values.emplace_back("words", static_cast<std::int64_t>(w));
  }
  return all;
}

template <class T>
ConstantCache::Read row_of(const Gpu& gpu, const ConstantCache::Input& in, const WordPattern& pattern,
                           T& trace) {
  const auto threads = value_of(trace.fact(gpu, facts::constant_request_threads));
  const Passes counted = count(in, pattern, static_cast<std::size_t>(threads));
  if (counted.instructions == 0) throw InputError("--if: no thread of the block reads anything");
  ConstantCache::Read row{.index = pattern.index.text(),
                          .words = counted.mean(counted.words),
                          .passes = counted.mean(counted.passes),
                          .least = counted.mean(counted.requests)};
  row.advice = counted.passes == counted.requests
                   ? "none: the threads of a request read one word"
                   : "keep a table whose word depends on the lane in shared or global memory";
  trace.say("read", "word of a thread", pattern.index.text());
  const auto passes = trace.define("passes", "counted: different words of the requests, mean of the warps",
                                   trace.number(row.passes));
  row.cycles = value_of(trace.define("cycles", "of an SM full of warps, each instruction",
                                     passes * trace.cost(gpu, facts::constant_cycles_per_word)));
  row.latency = value_of(
      trace.define("latency", "from a read to the use of what it brings",
                   trace.cost(gpu, facts::constant_latency) +
                       (passes - trace.number(1.0)) * trace.cost(gpu, facts::constant_latency_per_word)));
  return row;
}

} // namespace

template <class T>
std::vector<ConstantCache::Read> ConstantCache::predict(const Gpu& gpu, const Input& in, T& trace) {
  gpu.at(facts::constant_request_threads); // the first sentence of a device that lacks it
  check_block(gpu, in.block);
  std::vector<Read> rows;
  Unexplained others(trace); // one read is explained, the last
  const std::vector<WordPattern> all = patterns(in);
  for (std::size_t i = 0; i + 1 < all.size(); ++i) rows.push_back(row_of(gpu, in, all[i], others.plain));
  rows.push_back(row_of(gpu, in, all.back(), trace));
  return rows;
}

std::string ConstantCache::verdict(const Gpu&, const Input&, const std::vector<Read>& rows) {
  const auto passes = [](double n) {
    return in_words(n, "passes") == "1 passe" ? "1 pass" : in_words(n, "passes");
  };
  const Read &first = rows.front(), &last = rows.back();
  const auto cycles = [](const Read& r) {
    return std::isnan(r.cycles.value) ? std::string()
                                      : fmt::format(", {} of an SM", in_words(r.cycles.value, "cycles"));
  };
  if (rows.size() > 1)
    return fmt::format("A word that the whole warp reads takes {}{}; {} different words take {}{}.",
                       passes(first.passes), cycles(first), in_words(last.words), passes(last.passes),
                       cycles(last));
  if (last.passes <= last.least)
    return fmt::format("No request is split: {}{}, the fewest there are.", passes(last.passes), cycles(last));
  return fmt::format("A warp reads {} different words in {} instead of {}{}.", in_words(last.words),
                     passes(last.passes), in_words(last.least), cycles(last));
}

template std::vector<ConstantCache::Read> ConstantCache::predict(const Gpu&, const Input&, Plain&);
template std::vector<ConstantCache::Read> ConstantCache::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
