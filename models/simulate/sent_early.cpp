#include "sent_early.hpp"

#include "models/access/partial_lines.hpp"
#include "models/core/facts.hpp"
#include "models/core/trace.hpp"

namespace perfmodel {

template <class T> double share_sent_early(const Gpu& gpu, const KernelTime& launch, T& trace) {
  const SmRun& run = launch.run;
  if (launch.pieced_lines == 0 || run.writing.empty()) return 0;
  if (!gpu.has_cost(facts::l2_partial_sets)) return 0; // no L2
  const PartialLines l2{.sets = value_of(trace.cost(gpu, facts::l2_partial_sets)),
                        .ways = value_of(trace.cost(gpu, facts::l2_partial_ways))};
  const double lines = launch.pieced_lines * launch.blocks / run.cycles; // that are begun in a cycle
  double sum = 0;
  for (const double cycles : run.writing) sum += sent_early(l2, cycles * lines);
  return value_of(trace.define("sent_early", "sectors that leave L2 before they are whole",
                               trace.number(sum / static_cast<double>(run.writing.size()))));
}

template double share_sent_early(const Gpu&, const KernelTime&, Plain&);
template double share_sent_early(const Gpu&, const KernelTime&, Recorder&);

} // namespace perfmodel
