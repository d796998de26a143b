// Stands in for the kernels in a build without a CUDA compiler.
#include "core/probe.hpp"

#include "models/core/error.hpp"

namespace perfmodel::kernels {
namespace {

[[noreturn]] void missing() {
  throw MachineError("this build has no GPU kernels: install the CUDA toolkit (nvcc must be on the PATH), "
                     "configure again and rebuild");
}

} // namespace

struct Session {};
void CloseSession::operator()(Session* session) const { delete session; }

std::span<const Probe> probes() { return {}; }
// By value as where it is kept. NOLINTNEXTLINE(performance-unnecessary-value-param)
SessionHandle open_session(Options) { missing(); }
ProbeResult measure(const Probe&, Session&) { missing(); }
DetectedDevice detect() { missing(); }

} // namespace perfmodel::kernels
