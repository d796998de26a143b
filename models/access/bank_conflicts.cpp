#include "bank_conflicts.hpp"

#include "bank_advice.hpp"
#include "models/core/error.hpp"
#include "models/core/in_words.hpp"
#include "models/core/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

// What a block may have. The strides shown without a question are of no array in particular.
std::int64_t most_bytes(const Gpu& gpu, const BankConflicts::Input& in) {
  constexpr std::int64_t anything = std::int64_t{1} << 50; // addresses stay far from the ends of 64 bits
  if (in.index.empty() && !in.stride) return anything;
  for (const Key<Bytes>& key : {facts::shared_per_block_optin, facts::shared_per_block})
    if (const auto most = gpu.find(key)) return static_cast<std::int64_t>(most->value.value);
  return anything;
}

[[noreturn]] void no_such_word(const Gpu& gpu, const BankConflicts::Input& in, std::int64_t word,
                               std::int64_t thread, std::int64_t most) {
  throw InputError(
      fmt::format("{}: thread {} of the block would access word {}, but {}",
                  in.index.empty() ? "--stride" : "--index", thread, word,
                  word < 0 ? "an array has none before word 0"
                           : fmt::format("a block of {} has at most {} B of shared memory", gpu.name, most)));
}

struct Steps {
  std::int64_t degree = 0, wavefronts = 0, least = 0, instructions = 0;
  double mean(std::int64_t of) const { return static_cast<double>(of) / static_cast<double>(instructions); }
};

Steps count(const Gpu& gpu, const Banks& banks, const BankConflicts::Input& in, const Expression& index,
            const Bindings& let) {
  const std::int64_t most = most_bytes(gpu, in);
  LaunchWalk walk(in.block, {}, let);
  walk.guard_by(in.predicate, "--if");
  const std::size_t words = walk.add(index, "--index");
  const auto word = static_cast<std::int64_t>(in.word.value), offset = static_cast<std::int64_t>(in.offset);
  Steps sum;
  std::array<std::int64_t, warp_lanes> address{};
  walk.each_warp([&](const WarpView& view) {
    const auto values = view.values(words);
    for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
      if ((view.active >> lane & 1u) == 0) continue;
      if (values[lane] < -offset || values[lane] > most || word * (values[lane] + offset + 1) > most)
        no_such_word(gpu, in, values[lane], view.warp * 32 + static_cast<std::int64_t>(lane), most);
      address[lane] = word * (values[lane] + offset);
    }
    const BankSteps s = bank_steps(banks, address, view.active, word, in.access);
    sum.degree = std::max(sum.degree, s.degree);
    sum.wavefronts += s.wavefronts;
    sum.least += s.least;
    sum.instructions += view.active != 0 ? 1 : 0;
  });
  return sum;
}

// A stride is an index, too: `let` knows it by its name.
struct Pattern {
  Expression index;
  Bindings let;
  double stride = absent;
};

void check(const Gpu& gpu, const BankConflicts::Input& in) {
  check_block(gpu, in.block);
  const double sizes[] = {1, 2, 4, 8, 16};
  if (std::find(std::begin(sizes), std::end(sizes), in.word.value) == std::end(sizes))
    throw InputError(fmt::format(
        "--word: {} B given; one instruction accesses 1, 2, 4, 8 or 16 B of a thread", in.word.value));
  const auto whole = [](std::string_view name, double v) {
    if (v != std::floor(v) || std::fabs(v) > 1e9)
      throw InputError(fmt::format("--{}: {} given, a whole number of words up to 1e9 is expected", name, v));
  };
  whole("offset", in.offset);
  if (in.stride) whole("stride", *in.stride);
  if (in.stride && !in.index.empty())
    throw InputError("--stride and --index both say which word a thread accesses: give one of them");
  if (in.index.empty() && in.let.find("stride") != nullptr)
    throw InputError("--let: without --index, --stride says the stride");
}

std::vector<Pattern> patterns(const BankConflicts::Input& in) {
  if (!in.index.empty()) return {{in.index, in.let}};
  std::vector<double> strides{1, 2, 3, 4, 8, 16, 17, 32, 33};
  if (in.stride) strides = {*in.stride};
  std::vector<Pattern> all;
  for (const double stride : strides) {
    all.push_back({Expression::from_text("stride * tid"), in.let, stride});
    all.back().let.values.emplace_back("stride", static_cast<std::int64_t>(stride));
  }
  return all;
}

bool conflict_free(const Steps& s) { return s.wavefronts == s.least; }

std::string advice(const Gpu& gpu, const BankConflicts::Input& in, const Banks& banks,
                   const Pattern& pattern) {
  const auto helps = [&](const BankConflicts::Input& asked, const Banks& b, const Expression& index,
                         const Bindings& let) {
    try {
      return conflict_free(count(gpu, b, asked, index, let));
    } catch (const InputError&) { // tid / (33 - pitch) has no value where one more is tried
      return false;
    }
  };
  const auto ways_of = [&](const BankConflicts::Input& asked, const Banks& b) {
    return ways_without_conflicts(
        pattern.index, in.predicate, pattern.let, banks.count,
        [&](const Expression& index, const Bindings& let) { return helps(asked, b, index, let); });
  };
  std::vector<std::string> ways = ways_of(in, banks), with_mode;
  if (const auto modes = gpu.find(facts::shared_bank_modes))
    for (const Bytes mode : modes->value) {
      Banks other = banks;
      other.interleave = std::max<std::int64_t>(static_cast<std::int64_t>(mode.value), 1);
      if (other.interleave == banks.interleave) continue;
      const std::string choice = fmt::format("banks of {} B (--mode {}B)", mode.value, mode.value);
      if (helps(in, other, pattern.index, pattern.let)) ways.push_back("choose " + choice);
      for (const std::string& way : ways_of(in, other)) with_mode.push_back(way + " with " + choice);
    }
  if (!ways.empty()) return fmt::format("{}", fmt::join(ways, ", or "));
  if (!with_mode.empty()) return fmt::format("{}", fmt::join(with_mode, ", or "));
  BankConflicts::Input parts = in;
  parts.word = Bytes(static_cast<double>(banks.width));
  if (parts.word < in.word) {
    const std::string apart =
        fmt::format("keep the {} B parts of the words in arrays of their own", banks.width);
    if (helps(parts, banks, pattern.index, pattern.let)) return apart;
    if (const auto more = ways_of(parts, banks); !more.empty()) return apart + ", and " + more.front();
  }
  if (helps(in, banks, Expression::from_text("tid"), in.let))
    return "let neighbouring threads access neighbouring words";
  return "nothing tried removes them";
}

// What a lone warp takes to issue an access; of a store, to hand over its address and values.
template <class T>
auto lone_issue(const Gpu& gpu, const BankConflicts::Input& in, T& trace)
    -> decltype(trace.fact(gpu, facts::shared_lone_issue)) {
  const bool store = in.access == SharedAccess::store;
  const Key<Cycles>& key = store ? facts::shared_lone_register : facts::shared_lone_issue;
  const auto cycles = trace.cost(gpu, key);
  if (!store) return cycles;
  const auto registers = trace.define("registers", "of the address and of what is stored",
                                      trace.number(1 + std::ceil(in.word.value / 4)));
  return trace.define("handover", "cycles that a store's registers take", registers * cycles);
}

template <class T>
BankConflicts::Access row_of(const Gpu& gpu, const BankConflicts::Input& in, const Banks& banks,
                             const Pattern& pattern, T& trace) {
  const Steps steps = count(gpu, banks, in, pattern.index, pattern.let);
  if (steps.instructions == 0) throw InputError("--if: no thread of the block accesses anything");
  BankConflicts::Access row{.index = pattern.index.text(),
                            .stride = pattern.stride,
                            .degree = static_cast<double>(steps.degree),
                            .wavefronts = steps.mean(steps.wavefronts),
                            .least = steps.mean(steps.least)};
  row.advice = conflict_free(steps) ? "none: no bank conflicts" : advice(gpu, in, banks, pattern);
  trace.say("access", "word of a thread", pattern.index.text());
  if (!std::isnan(pattern.stride)) trace.input("stride", pattern.stride);
  const auto wavefronts = trace.define("wavefronts", "counted: steps of an instruction, mean of the warps",
                                       trace.number(row.wavefronts));
  if (gpu.record(facts::shared_cycles_per_request) != nullptr)
    row.cycles = value_of(trace.define("cycles", "of an SM full of warps, each instruction",
                                       wavefronts * trace.fact(gpu, facts::shared_cycles_per_request)));
  row.lone_cycles = value_of(trace.define(
      "lone_cycles", "between two instructions of one warp alone",
      greater(lone_issue(gpu, in, trace), wavefronts * trace.cost(gpu, facts::shared_lone_wavefront))));
  return row;
}

} // namespace

template <class T>
std::vector<BankConflicts::Access> BankConflicts::predict(const Gpu& gpu, const Input& in, T& trace) {
  const Banks banks = banks_of(gpu, in.mode, trace);
  check(gpu, in);
  trace.say("bank(a)", "bank of byte a", fmt::format("(a / {} B) mod {}", banks.interleave, banks.count));
  trace.say("row(a)", "what a bank delivers in a step",
            fmt::format("a / ({} x {} B)", banks.count, banks.width));
  std::vector<Access> rows;
  Unexplained others(trace); // one access is explained, the last
  const std::vector<Pattern> all = patterns(in);
  for (std::size_t i = 0; i + 1 < all.size(); ++i)
    rows.push_back(row_of(gpu, in, banks, all[i], others.plain));
  rows.push_back(row_of(gpu, in, banks, all.back(), trace));
  return rows;
}

namespace {
const BankConflicts::Access& worst_of(const std::vector<BankConflicts::Access>& rows) {
  const auto worse = [](const auto& a, const auto& b) { return a.wavefronts < b.wavefronts; };
  return *std::max_element(rows.begin(), rows.end(), worse);
}
} // namespace

const void* BankConflicts::said(const Input&, const std::vector<Access>& rows) {
  return &worst_of(rows).wavefronts;
}

std::string BankConflicts::verdict(const Gpu&, const Input&, const std::vector<Access>& rows) {
  const Access& worst = worst_of(rows);
  const auto conflicts = [](const Access& a) { return a.wavefronts > a.least; };
  if (!conflicts(worst))
    return fmt::format("No bank conflicts: an instruction takes {}, the fewest there are.",
                       in_words(worst.wavefronts, "wavefronts"));
  std::string text = fmt::format("{} instead of {}, {} times as slow: up to {} words share a bank",
                                 in_words(worst.wavefronts, "wavefronts"), in_words(worst.least),
                                 in_words(worst.wavefronts / worst.least), in_words(worst.degree));
  if (rows.size() > 1)
    return fmt::format("{} of {} strides conflict. The worst, {}, takes {}.",
                       std::count_if(rows.begin(), rows.end(), conflicts), rows.size(),
                       in_words(worst.stride), text);
  if (worst.advice.size() < 60) text += fmt::format("; without conflicts: {}", worst.advice);
  return text + ".";
}

template std::vector<BankConflicts::Access> BankConflicts::predict(const Gpu&, const Input&, Plain&);
template std::vector<BankConflicts::Access> BankConflicts::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
