#include "transfer.hpp"

#include "copy_pipeline.hpp"
#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/in_words.hpp"
#include "models/core/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

using namespace copy_pipeline;

// Both ways at once. Each gets half of what they can take together, and what the other leaves of its half;
// when one is done, the other goes on alone.
template <class T> Transfer::Copy copy_both(const Gpu& gpu, const Transfer::Input& in, T& trace) {
  const auto n_in = trace.input("n(in)", in.bytes), n_back = trace.input("n(back)", *in.back);
  const auto b_in = beta(gpu, in, Direction::in, trace), b_back = beta(gpu, in, Direction::back, trace);
  const auto all = shares(gpu, in) ? together(gpu, in, trace) : b_in + b_back;
  const auto half = all / trace.number(2.0);
  const auto r_in = trace.define("r(in)", "rate to the device, beside the other",
                                 lesser(b_in, greater(half, all - lesser(b_back, half))));
  const auto r_back = trace.define("r(back)", "rate back, beside the other",
                                   lesser(b_back, greater(half, all - lesser(b_in, half))));
  const bool in_first = value_of(n_in / r_in) <= value_of(n_back / r_back);
  const auto flow = in_first ? n_in / r_in + (n_back - r_back * (n_in / r_in)) / b_back
                             : n_back / r_back + (n_in - r_in * (n_back / r_back)) / b_in;
  const auto both = trace.define("t(both)", "bytes both ways at once", flow);
  Transfer::Copy row{.direction = "both at once", .bytes = in.bytes, .bandwidth = value_of(r_in + r_back)};
  if (has_alpha(gpu, in, Direction::in)) {
    const auto start = greater(alpha(gpu, in, Direction::in, trace), alpha(gpu, in, Direction::back, trace));
    row.latency = value_of(start);
    row.time = value_of(trace.define("T(both)", "time until both are there", start + both));
  } else
    row.time = value_of(both);
  row.rate = value_of(n_in + n_back) / row.time;
  return row;
}

template <class T> Transfer::Gain gain(const Gpu& gpu, const Transfer::Input& in, T& trace) {
  const auto to = copy_time(gpu, in, Direction::in, trace);
  const auto copies = in.back ? to + copy_time(gpu, in, Direction::back, trace) : to;
  const auto before = trace.input("before", *in.before), after = trace.input("after", *in.after);
  const auto slow = trace.define("total_before", "copies and kernel", copies + before);
  const auto fast = trace.define("total_after", "copies and kernel", copies + after);
  const auto total = trace.define("total_gain", "end to end", slow / fast);
  return {.bytes = in.bytes,
          .before = *in.before,
          .after = *in.after,
          .copies = value_of(copies),
          .kernel = *in.before / *in.after,
          .total_before = value_of(slow),
          .total_after = value_of(fast),
          .total = value_of(total),
          .most = value_of(slow) / value_of(copies)};
}

// The same bytes in pieces, each with a latency of its own.
template <class T> Transfer::Batch batch(const Gpu& gpu, const Transfer::Input& in, T& trace) {
  const auto bytes = carried(gpu, in, Direction::in, trace);
  const auto together = copy_time(gpu, in, Direction::in, trace);
  const auto apart =
      trace.define("T(apart)", "of the pieces, one by one",
                   has_alpha(gpu, in, Direction::in)
                       ? trace.input("copies", *in.copies) * alpha(gpu, in, Direction::in, trace) + bytes
                       : bytes);
  return {.copies = *in.copies,
          .piece = in.bytes / *in.copies,
          .apart = value_of(apart),
          .together = value_of(together),
          .gain = value_of(apart) / value_of(together)};
}

// With the engines that the GPU has, where none are given: 0 where it has none.
template <class T> Transfer::Input with_engines(const Gpu& gpu, Transfer::Input in, T& trace) {
  const bool none = gpu.lacks.contains(facts::copy_engines.path);
  if (in.engines && *in.engines > (none ? 0 : 2))
    throw InputError(
        none ? fmt::format("--engines {}: {}", *in.engines, gpu.lacks.find(facts::copy_engines.path)->second)
             : fmt::format("--engines {}: copies go through 1 or 2 of them", *in.engines));
  if (!in.engines)
    in.engines = none                            ? 0
                 : gpu.find(facts::copy_engines) ? value_of(trace.fact(gpu, facts::copy_engines))
                                                 : 2;
  return in;
}

void check(const Gpu& gpu, const Transfer::Input& in) {
  if (in.bytes.value != std::floor(in.bytes.value))
    throw InputError(fmt::format("--bytes {:g} B: a whole number of bytes is copied", in.bytes.value));
  if (in.both && !in.back)
    throw InputError("--both is of copies in both directions: --back says how much comes back");
  if (in.both && *in.engines < 2)
    throw InputError("--both is of copies both ways at once, which take two engines");
  if (in.both && in.memory == HostMemory::pageable)
    throw InputError("--both is of pinned memory: of pageable memory the host waits for each copy by itself");
  if (in.chunks && !in.before && !in.after)
    throw InputError("--chunks goes with a kernel, which --before or --after gives");
  if (in.chunks && *in.chunks > 1 && in.engines == 0)
    throw InputError(
        fmt::format("--chunks {}: {}", *in.chunks, gpu.lacks.find(facts::copy_engines.path)->second));
  if (in.chunks && *in.chunks > 1 && in.memory == HostMemory::pageable)
    throw InputError(
        fmt::format("--chunks {}: copies of pageable memory overlap with nothing: the host waits "
                    "for each",
                    *in.chunks));

  if (in.copies && *in.copies > in.bytes.value)
    throw InputError(fmt::format("--copies {}: that is more pieces than there are bytes", *in.copies));
  if (in.chunks && *in.chunks > in.bytes.value)
    throw InputError(fmt::format("--chunks {}: that is more pieces than there are bytes", *in.chunks));
}

} // namespace

template <class T>
Transfer::Tables Transfer::predict(const Gpu& gpu, const Transfer::Input& given, T& trace) {
  const Input in = with_engines(gpu, given, trace);
  check(gpu, in);
  Tables tables;
  auto& [copies, gains, in_pieces, best, batches] = tables;
  copies.push_back(copy(gpu, in, Direction::in, trace));
  if (in.back) copies.push_back(copy(gpu, in, Direction::back, trace));
  if (has_both(in)) copies.push_back(copy_both(gpu, in, trace));
  if (in.before && in.after) gains.push_back(gain(gpu, in, trace));
  if (in.before) add_overlaps(gpu, in, {"before", *in.before}, tables, trace);
  if (in.after) add_overlaps(gpu, in, {"after", *in.after}, tables, trace);
  if (in.copies) batches.push_back(batch(gpu, in, trace));
  return tables;
}

double Transfer::tolerance(const Gpu&, const Transfer::Input& in) {
  if (in.memory == HostMemory::pageable) return 0.4;
  return in.bytes < Bytes(64 << 10) ? 0.5 : info.tolerance;
}

std::string Transfer::verdict(const Gpu& gpu, const Transfer::Input& in, const Tables& rows) {
  const auto& [copies, gains, in_pieces, best, batches] = rows;
  const Copy& to = copies.front();
  std::string text = fmt::format("Copying {} takes {} over a link of {}", in_words(to.bytes),
                                 in_words(to.time), in_words(to.bandwidth));
  if (!gains.empty()) {
    const Gain& g = gains.front();
    return text +
           fmt::format(". With the copies the kernel's gain of {} times is {}, and never more than {}.",
                       in_words(g.kernel), in_words(g.total), in_words(g.most));
  }
  if (!batches.empty()) {
    const Batch& b = batches.front();
    return text + fmt::format(". In {} of {} each it takes {}, {} times as long.",
                              in_words(b.copies, "copies"), in_words(b.piece), in_words(b.apart),
                              in_words(b.gain));
  }
  if (in_pieces.empty() && copies.size() == 3) // the one, the other, and both
    text +=
        fmt::format("; with {} back both take {} one after the other, {} at once", in_words(copies[1].bytes),
                    in_words(to.time + copies[1].time), in_words(copies[2].time));
  if (in_pieces.empty()) return text + ".";
  const Overlap& last = in_pieces.back();
  if (const auto none = gpu.lacks.find(facts::copy_engines.path); none != gpu.lacks.end())
    return text + fmt::format(". Copies and kernel take {}, one after the other: {}.", in_words(last.time),
                              none->second);
  if (in.memory == HostMemory::pageable)
    return text +
           fmt::format(". Copies and kernel take {}, one after the other: pageable memory is not copied "
                       "while something else runs.",
                       in_words(last.time));
  return text + fmt::format(". In {} copies and kernel take {}, and all wait for {}.",
                            in_words(last.chunks, "chunks"), in_words(last.time), last.bound);
}

template Transfer::Tables Transfer::predict(const Gpu&, const Transfer::Input&, Plain&);
template Transfer::Tables Transfer::predict(const Gpu&, const Transfer::Input&, Recorder&);

} // namespace perfmodel
