#include "probe_runs.hpp"

#include <fmt/format.h>

namespace perfmodel::cli {

ProbeRuns run_probes(const std::vector<const kernels::Probe*>& probes,
                     const std::function<kernels::ProbeResult(const kernels::Probe&)>& measure) {
  ProbeRuns runs;
  std::exception_ptr unavailable;
  for (const kernels::Probe* probe : probes) {
    try {
      runs.results.push_back(measure(*probe));
    } catch (const kernels::Unavailable& e) {
      runs.left_out.push_back(fmt::format("{}: {}", probe->name, e.what()));
      unavailable = std::current_exception();
    } catch (const MachineError&) {
      if (runs.results.empty()) throw;
      runs.ended = std::current_exception();
      break;
    }
  }
  if (runs.results.empty() && unavailable) std::rethrow_exception(unavailable);
  return runs;
}

} // namespace perfmodel::cli
