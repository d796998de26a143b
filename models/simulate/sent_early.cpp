#include "sent_early.hpp"

#include "models/access/partial_lines.hpp"
#include "models/core/facts.hpp"
#include "models/core/trace.hpp"

#include <algorithm>
#include <numeric>

namespace perfmodel {

namespace {

// Where each block, while it writes, has so many lines partly written.
template <class T> double share_of_lines(const Gpu& gpu, const KernelTime& launch, double lines, T& trace) {
  const SmRun& run = launch.run;
  if (lines == 0 || run.writing.empty()) return 0;
  if (!gpu.has_cost(facts::l2_partial_sets)) return 0; // no L2
  const PartialLines l2{.sets = value_of(trace.cost(gpu, facts::l2_partial_sets)),
                        .ways = value_of(trace.cost(gpu, facts::l2_partial_ways))};
  const double begun = lines * launch.blocks / run.cycles; // in a cycle
  double sum = 0;
  for (const double cycles : run.writing) sum += sent_early(l2, cycles * begun);
  return sum / static_cast<double>(run.writing.size());
}

} // namespace

template <class T> double share_sent_early(const Gpu& gpu, const KernelTime& launch, T& trace) {
  const double share = share_of_lines(gpu, launch, launch.pieced_lines, trace);
  if (share == 0) return 0;
  return value_of(
      trace.define("sent_early", "sectors that leave L2 before they are whole", trace.number(share)));
}

template <class T>
double share_filled_early(const Gpu& gpu, const KernelTime& launch, double open_sectors, T& trace) {
  constexpr double of_line = 4;
  return share_of_lines(gpu, launch, open_sectors / of_line, trace);
}

double filled_and_kept(const BlockTrace& typical) {
  const double refilled =
      std::accumulate(typical.refilled_sectors.begin(), typical.refilled_sectors.end(), 0.0);
  return std::max(0.0, typical.filled_sectors - refilled);
}

double more_for_parts(const BlockTrace& typical, double early) {
  constexpr double more = 3;
  if (typical.filled_sectors == 0) return 0;
  const double parts = typical.filled_sectors * typical.pieces_of_sector;
  return more * early / typical.pieces_of_sector * std::min(1.0, parts / typical.counts.store_sectors);
}

template double share_sent_early(const Gpu&, const KernelTime&, Plain&);
template double share_sent_early(const Gpu&, const KernelTime&, Recorder&);
template double share_filled_early(const Gpu&, const KernelTime&, double, Plain&);
template double share_filled_early(const Gpu&, const KernelTime&, double, Recorder&);

} // namespace perfmodel
