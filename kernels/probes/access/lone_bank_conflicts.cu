// Bank conflicts as a warp that is alone on its SM meets them: cycles between two of its accesses to shared
// memory that do not wait for one another.
#include "kernels/probes/access/bank_sweep.cuh"
#include "kernels/probes/registry.hpp"

namespace perfmodel::kernels {
namespace {

ProbeResult run(Session& session) {
  return measure_banks(session, "shared memory by stride, one warp of an SM", "lone_cycles", 1);
}

} // namespace

const Probe lone_bank_conflicts{
    "lone-bank-conflicts",
    "bank-conflicts",
    "cycles between two accesses of one warp to shared memory, by stride and word",
    {},
    run};

} // namespace perfmodel::kernels
