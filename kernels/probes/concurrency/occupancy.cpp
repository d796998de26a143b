// Occupancy as the runtime answers it (cudaOccupancyMaxActiveBlocksPerMultiprocessor) over block sizes,
// registers, shared memory and carve-outs: the grid is drawn from evenly, so that every pair of values meets.
// What the device query says of an SM is held against the database. resident_blocks.cu counts for itself.
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/probes/concurrency/resident_kernels.hpp"

#include "models/concurrency/resident_blocks.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <vector>

namespace perfmodel::kernels {
namespace {

constexpr std::array carveouts = {0, 25, 50, 75, 100}; // %

std::vector<int> block_sizes() {
  std::vector<int> sizes = {1, 33, 250, 1000}; // with a warp that is not full
  for (int threads = 32; threads <= 1024; threads += 32) sizes.push_back(threads);
  return sizes;
}

std::vector<std::size_t> shared_sizes(const Device& device) {
  std::vector<std::size_t> sizes = {0, 1, 1000, 4096, 7168, 16384, 20000, 48 * 1024, 64 * 1024, 100 * 1024};
  std::erase_if(sizes, [&](std::size_t s) { return s >= device.properties.sharedMemPerBlockOptin; });
  sizes.push_back(device.properties.sharedMemPerBlockOptin);
  return sizes;
}

// Limits of an SM where the database and the device disagree: then the model would be blamed for a wrong
// fact.
std::string disagreement(const Gpu& gpu) {
  std::string text;
  for (const DetectedFact& fact : detect().facts) {
    const bool of_sm = fact.path.substr(0, 4) == "max_" || fact.path.substr(0, 7) == "shared." ||
                       fact.path == "registers_per_sm" || fact.path == "warp_size";
    const FactRecord* known = gpu.record(fact.path);
    if (of_sm && known != nullptr && known->values.front() != fact.value)
      text += fmt::format("{}{} is {} in the database, {} on the device", text.empty() ? "" : "; ", fact.path,
                          known->values.front(), fact.value);
  }
  return text;
}

ProbeResult run(Session& session) {
  Report report(
      "resident blocks, by the runtime",
      {{"threads", {}}, {"registers", {}}, {"shared", unit_of<Bytes>()}, {"carveout", unit_of<Bytes>()}},
      "blocks", {});
  const Gpu* gpu = session.options.gpu;
  const std::vector<int> sizes = block_sizes();
  const std::vector<std::size_t> shared = shared_sizes(session.device);
  const std::span<const ResidentKernel> kernels = resident_kernels();
  std::vector<int> registers;
  for (const ResidentKernel kernel : kernels) registers.push_back(registers_of(kernel));

  const std::size_t grid = sizes.size() * kernels.size() * shared.size() * carveouts.size();
  const std::size_t stride = session.quick() ? 89 : 13; // prime to the sides of the grid
  int refused = 0, agreed = 0;
  session.say("occupancy by the runtime");
  for (std::size_t at = 0; at < grid; at += stride) {
    std::size_t rest = at;
    const auto next = [&rest](std::size_t side) {
      const std::size_t digit = rest % side;
      rest /= side;
      return digit;
    };
    const int threads = sizes[next(sizes.size())];
    const std::size_t kernel = next(kernels.size());
    const std::size_t bytes = shared[next(shared.size())];
    const int percent = carveouts[next(carveouts.size())];
    const std::size_t carveout = carveout_bytes(session.device, percent);
    const int blocks = blocks_by_runtime({kernels[kernel], threads, bytes, percent});
    if (blocks == 0) { // a relative error of nothing is no number: counted instead
      ++refused;
      const perfmodel::Launch launch{.threads_per_block = static_cast<double>(threads),
                                     .registers_per_thread = static_cast<double>(registers[kernel]),
                                     .shared_per_block = Bytes(static_cast<double>(bytes)),
                                     .carveout = Bytes(static_cast<double>(carveout))};
      if (gpu != nullptr && !refusal(*gpu, launch).empty()) ++agreed;
      continue;
    }
    report.row(
        {std::int64_t(threads), std::int64_t(registers[kernel]), std::int64_t(bytes), std::int64_t(carveout)},
        Measurement{.values = {static_cast<double>(blocks)}, .sm_clock = {}});
  }
  if (gpu != nullptr)
    report.note(
        fmt::format("{} launches more are refused by the runtime, {} of them by the model", refused, agreed));
  ProbeResult result = report.take();
  result.samples.clear(); // one answer is no sample
  if (gpu != nullptr) result.invalid = disagreement(*gpu);
  return result;
}

} // namespace

extern const Probe occupancy{.name = "occupancy",
                             .order = 130,
                             .model = "occupancy",
                             .measures = "blocks that the runtime says an SM holds at a time",
                             .run = run};

} // namespace perfmodel::kernels
