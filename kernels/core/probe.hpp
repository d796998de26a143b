// What a microkernel found out, and the list of all of them. No CUDA header: cli/ includes this with or
// without a toolkit. In the program without kernels (absent.cpp) there are no probes, and open_session()
// throws NoKernels.
#pragma once

#include "models/core/error.hpp"
#include "models/core/gpu.hpp"
#include "models/core/table.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel::kernels {

struct Options {
  bool quick = false;       // fewer points and samples: all probes together in less than 30 s
  bool counters = false;    // hardware counters instead of times: Probe::count runs, not Probe::run
  unsigned time_limit = 30; // seconds that a step of several GPUs may take before the missing one is named
  std::string revision;     // of the tool, written into every result
  const Gpu* gpu = nullptr; // facts of this device, for the physical limits that no device query gives
  std::function<void(std::string_view)> progress; // told, in a few words, what is being measured
};

// The device as NVML sees it while the last kernel of a probe was running. Absent where NVML is.
struct DeviceState {
  std::optional<double> sm_clock, memory_clock; // Hz
  std::optional<double> power;                  // W
  std::optional<double> temperature;            // degrees Celsius
  std::vector<std::string> throttle_reasons;    // "sw_power_cap"; idle is not listed
};

struct Environment {
  std::string device, compute_capability;
  std::string driver, cuda_runtime;
  std::string counters; // "CUPTI 13.0.1" where counters were read; empty where times were taken
  std::optional<bool> ecc;
  DeviceState before, under_load;
  std::string date; // ISO 8601, UTC
  std::string revision;
};

// Every sample of one table row, in the unit of its measured column.
struct RawSamples {
  std::string name; // the row's keys: "fp32 dram 0.5"
  Unit unit;
  std::vector<double> values;
  std::vector<double> sm_clock; // Hz, seen by the device itself
};

struct ProbeResult {
  std::string probe, model, measures;
  // Key columns are inputs of the model; then the measured quantity (median), its low and high (5th and 95th
  // percentile) and the SM clock.
  Table table;
  std::vector<Constant> constants; // path is a fact key; place is left to whoever writes the file
  std::vector<RawSamples> samples;
  bool verified = true; // every kernel's answer was checked and right
  std::string invalid;  // why no number here may be used; empty when they may
  std::vector<std::string> notes;
  Environment environment;
};

struct Session; // one GPU, opened for measuring
struct CloseSession {
  void operator()(Session* session) const;
};
using SessionHandle = std::unique_ptr<Session, CloseSession>;

// Defined in its own file as `extern const Probe fma_rate{.name = "fma-rate", ...};`, from which the list of
// all of them is made (probes/list.cmake).
struct Probe {
  std::string_view name; // "dram-read"
  // Place among the others when several are measured: latencies first, on an idle GPU; the tensor units last,
  // because they heat it up to the power cap. In steps of ten, to leave room.
  int order = 0;
  // Whose quantity it measures, keyed by that model's inputs; empty: constants alone.
  std::string_view model = {};
  std::string_view measures;                   // one line for `measure --list`
  std::vector<std::string_view> provides = {}; // fact keys of its constants
  std::vector<std::string_view> shows = {};    // fact keys that somebody worked out from its rows
  ProbeResult (*run)(Session&);
  // The hardware's counts for the same keys, taken in a session opened for counters; nullptr: there are none.
  ProbeResult (*count)(Session&) = nullptr;
  std::string_view counts = {}; // one line for `measure --list`: "sectors per request"
};

// By their order. Empty in the program without kernels.
std::span<const Probe> probes();

// What one probe needs beside a GPU is not on this machine: others may still run.
struct Unavailable : MachineError {
  using MachineError::MachineError;
};

// There is a GPU that can be measured, of this compute capability ("9.0"), and this program has no kernels.
struct NoKernels : MachineError {
  explicit NoKernels(std::string capability)
      : MachineError("the microkernels are not built: with the CUDA toolkit (nvcc) there, configure with "
                     "-DPERFMODEL_CUDA=ON and build"),
        compute_capability(std::move(capability)) {}
  std::string compute_capability;
};

// Throws MachineError: no GPU, no driver, no CUPTI where counters are asked for; NoKernels.
SessionHandle open_session(Options options);

// Runs one probe, or counts with it where the session is for counters, and adds the environment. Throws
// MachineError when a CUDA call fails.
ProbeResult measure(const Probe& probe, Session& session);

// What the device query knows, for `hw detect`: fact keys with values in base units or a text.
struct DetectedFact {
  std::string_view path;
  double value = 0;
  std::string text;
  std::string_view source; // "cuDeviceGetAttribute", "NVML"
};
struct DetectedDevice {
  std::string title;              // "NVIDIA H200"
  std::string compute_capability; // "9.0"
  std::vector<DetectedFact> facts;
};
DetectedDevice detect(); // from the driver: needs no kernels. Throws MachineError: no GPU, no driver

} // namespace perfmodel::kernels
