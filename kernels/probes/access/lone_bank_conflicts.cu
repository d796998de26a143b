// Bank conflicts as a warp that is alone on its SM meets them: cycles between two of its accesses to shared
// memory that do not wait for one another.
#include "kernels/core/probe.hpp"
#include "kernels/probes/access/bank_sweep.cuh"

namespace perfmodel::kernels {
namespace lone_bank_conflicts_probe {
namespace {

ProbeResult run(Session& session) {
  return measure_banks(session, "shared memory by stride, one warp of an SM", "lone_cycles", 1);
}

} // namespace
} // namespace lone_bank_conflicts_probe

extern const Probe lone_bank_conflicts{
    .name = "lone-bank-conflicts",
    .order = 230,
    .model = "bank-conflicts",
    .measures = "cycles between two accesses of one warp to shared memory, by stride and word",
    .run = lone_bank_conflicts_probe::run};

} // namespace perfmodel::kernels
