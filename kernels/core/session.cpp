#include "kernels/core/session.hpp"

#include <array>
#include <ctime>
#include <utility>

namespace perfmodel::kernels {
namespace {

std::string bus_id(int device) {
  std::array<char, 32> text{};
  PERFMODEL_CUDA(cudaDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), device));
  return text.data();
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

} // namespace

Session::Session(Options given)
    // CUPTI before the first kernel is loaded, should it count instructions by rewriting the code.
    : options(std::move(given)), device(open_device()), cupti(options.counters ? load_cupti() : nullptr),
      nvml(bus_id(device.index)) {}

std::size_t Session::buffer_bytes(std::size_t wanted) const {
  std::size_t bytes = wanted;
  while (bytes > free_memory() / 5) bytes /= 2;
  return bytes;
}

void CloseSession::operator()(Session* session) const { delete session; }

SessionHandle open_session(Options options) { return SessionHandle(new Session(std::move(options))); }

ProbeResult measure(const Probe& probe, Session& session) {
  Environment environment;
  environment.device = session.device.properties.name;
  environment.compute_capability = session.device.compute_capability();
  environment.driver = session.nvml.driver_version();
  environment.cuda_runtime = cuda_runtime_version();
  if (session.cupti != nullptr) environment.counters = version_of(*session.cupti);
  environment.ecc = session.nvml.ecc();
  environment.before = session.nvml.state();
  environment.date = utc_now();
  environment.revision = session.options.revision;
  session.under_load = {};

  const bool counts = session.cupti != nullptr;
  ProbeResult result = counts ? probe.count(session) : probe.run(session);
  result.probe = probe.name;
  result.model = probe.model;
  result.measures = counts ? probe.counts : probe.measures;
  // Latency probes load the GPU with one thread and time nothing that lasts: what NVML says right after will
  // do.
  environment.under_load = session.under_load.sm_clock ? session.under_load : session.nvml.state();
  for (Constant& constant : result.constants) {
    constant.probe = probe.name;
    constant.source = "perfmodel measure " + result.probe + ", " + environment.device + ", driver " +
                      environment.driver + ", " + environment.date;
  }
  result.environment = std::move(environment);
  return result;
}

} // namespace perfmodel::kernels
