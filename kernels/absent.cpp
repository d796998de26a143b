// Stands in for the kernels in the program `perfmodel`: it answers without a CUDA compiler. What runs kernels
// is the program beside it, perfmodel-measure.
#include "kernels/core/driver.hpp"
#include "kernels/core/probe.hpp"

namespace perfmodel::kernels {
namespace {

[[noreturn]] void refuse() {
  const Driver driver; // throws where there is no GPU, which no build could change
  if (10 * driver.attribute(attribute::major) + driver.attribute(attribute::minor) < 75)
    throw MachineError("the microkernels need a GPU of compute capability 7.5 or later; " + driver.name() +
                       " has " + driver.compute_capability());
  throw NoKernels(driver.compute_capability());
}

} // namespace

struct Session {};
void CloseSession::operator()(Session* session) const { delete session; }

std::span<const Probe> probes() { return {}; }
// By value as where it is kept. NOLINTNEXTLINE(performance-unnecessary-value-param)
SessionHandle open_session(Options) { refuse(); }
ProbeResult measure(const Probe&, Session&) { refuse(); }

} // namespace perfmodel::kernels
