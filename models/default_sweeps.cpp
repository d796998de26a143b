#include "default_sweeps.hpp"

#include <array>
#include <span>
#include <string_view>

namespace perfmodel {

namespace {

struct SweepOf {
  std::string_view model, values; // of the model's x
};

// Around what the model's question is about: up to all threads of a block, past the banks' and sectors'
// periods, blocks that fill their warps and blocks that do not, over the sizes at which a link's latency
// gives way to its bandwidth.
constexpr auto sweeps = std::to_array<SweepOf>({
    {"warp", "8x4,8x8,10x10,12x12,16x16,20x20,24x24,28x28,32x8,33x8,32x32"},
    {"littles-law", "1:16:*2"},
    {"latency-hiding", "32:1024:32"},
    {"memory-parallelism", "32:1024:32"},
    {"coalescing", "0:32"},
    {"partition-camping", "1024:4096:128"},
    {"segment-rate", "32B:4KiB:*2"},
    {"divergence", "20:400:4"},
    {"transfer", "4KiB:1GiB:*4"},
    {"message", "64B:4MiB:*4"},
    {"all-reduce", "1KiB:1GiB:*4"},
    {"shared-memory", "1:64:*2"},
});

// Of blocks, those that are usual.
constexpr auto few = std::to_array<SweepOf>({{"occupancy", "128,256,512,1024"}});

std::optional<Axis> found(std::span<const SweepOf> all, const Model& model) {
  for (const SweepOf& sweep : all)
    if (sweep.model == model.info.name)
      if (const Option* x = model.find(model.info.x)) return Axis{x->name, parse_values(*x, sweep.values)};
  return {};
}

} // namespace

std::optional<Axis> default_sweep(const Model& model) { return found(sweeps, model); }

std::optional<Axis> few_of_x(const Model& model) { return found(few, model); }

} // namespace perfmodel
