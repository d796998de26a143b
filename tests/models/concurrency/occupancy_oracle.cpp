// Our rule against NVIDIA's: cuda_occupancy.h of the CUDA toolkit, fed with the limits of our own files. It
// needs the header and no GPU; where there is no toolkit the test is skipped and says so.
#include "models/concurrency/resident_blocks.hpp"
#include "models/concurrency/sm_resources.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/nvidia_gpus.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <iostream>

#ifdef PERFMODEL_CUDA_OCCUPANCY

#include <cuda_occupancy.h>

namespace perfmodel {
namespace {

// Of a grid of 45 million points every eleventh (prime to its sides): seconds, and under the sanitizers too.
constexpr std::size_t stride = 11;
constexpr std::size_t least_points = 900'000;

struct Oracle {
  int major = 0, minor = 0;
  cudaOccDeviceProp device;

  explicit Oracle(const Gpu& cc) {
    const std::size_t dot = cc.name.find('.');
    major = std::stoi(cc.name.substr(0, dot));
    minor = std::stoi(cc.name.substr(dot + 1));
    const auto count = [&](const Key<Count>& key) { return static_cast<int>(cc.at(key).value); };
    const auto bytes = [&](const Key<Bytes>& key) {
      return static_cast<std::size_t>(cc.at(key).value.value);
    };
    device.computeMajor = major;
    device.computeMinor = minor;
    device.maxThreadsPerBlock = count(facts::max_threads_per_block);
    device.maxThreadsPerMultiprocessor = count(facts::max_threads_per_sm);
    device.regsPerBlock = count(facts::max_registers_per_block);
    device.regsPerMultiprocessor = count(facts::registers_per_sm);
    device.warpSize = count(facts::warp_size);
    device.sharedMemPerBlock = bytes(facts::shared_per_block);
    device.sharedMemPerMultiprocessor = bytes(facts::shared_per_sm);
    device.sharedMemPerBlockOptin = bytes(facts::shared_per_block_optin);
    device.reservedSharedMemPerBlock = bytes(facts::shared_reserved);
    device.numSms = 1;
  }
};

// A preference as the header takes it and as we do.
struct Preference {
  cudaOccDeviceState state;
  std::optional<Bytes> carveout;
};

// From Volta on a percentage; on Kepler one of three; on Maxwell and Pascal there is nothing to choose.
std::vector<Preference> preferences(const Oracle& oracle) {
  std::vector<Preference> all(1);
  const double most = static_cast<double>(oracle.device.sharedMemPerMultiprocessor);
  if (oracle.major >= 7)
    for (const int percent : {0, 3, 25, 50, 77, 100}) {
      Preference p;
      p.state.carveoutConfig = percent;
      p.carveout = Bytes(std::floor(percent * most / 100));
      all.push_back(p);
    }
  if (oracle.major == 3)
    for (const auto& [config, bytes] :
         {std::pair{CACHE_PREFER_SHARED, most}, std::pair{CACHE_PREFER_L1, most - 32 * 1024},
          std::pair{CACHE_PREFER_EQUAL, most - 16 * 1024}}) {
      Preference p;
      p.state.cacheConfig = config;
      p.carveout = Bytes(bytes);
      all.push_back(p);
    }
  return all;
}

const std::vector<int> block_sizes = {1,   31,  32,  33,  64,  65,  96,  100,  128,  160,  192, 224,
                                      256, 288, 320, 352, 384, 448, 480, 512,  544,  640,  672, 704,
                                      736, 768, 800, 896, 960, 992, 993, 1023, 1024, 1025, 2048};
// Both sides of every unit of 8 registers, and what no thread can have; see the last test for 256.
std::vector<int> register_counts() {
  std::vector<int> counts = {0, 1, 2, 7, 63, 65, 255, 257, 300};
  for (int r = 8; r <= 248; r += 8) {
    counts.push_back(r);
    counts.push_back(r + 1);
  }
  return counts;
}
const std::vector<int> shared_sizes = {
    0,          1,          127,        128,        129,        256,        1000,       3072,      7168,
    8192,       15 * 1024,  16 * 1024,  20'000,     31 * 1024,  32 * 1024,  47 * 1024,  48 * 1024, 49'153,
    56 * 1024,  57 * 1024,  63 * 1024,  64 * 1024,  81 * 1024,  96 * 1024,  97 * 1024,  99 * 1024, 100 * 1024,
    112 * 1024, 113 * 1024, 163 * 1024, 164 * 1024, 200 * 1024, 227 * 1024, 228 * 1024, 300 * 1024};

int blocks_or_most(Count blocks) { return std::isinf(blocks) ? INT_MAX : static_cast<int>(blocks); }

struct Compared {
  std::size_t points = 0, launched = 0;
};

Compared compare_all(const Gpu& cc) {
  const Oracle oracle(cc);
  const SmResources<Plain> sm = sm_resources(cc);
  const std::vector<Preference> carveouts = preferences(oracle);
  const std::vector<int> registers = register_counts();
  std::vector<PartitionedCaching> cachings = {PartitionedCaching::off};
  if (cc.find(facts::sm_cache_partitions))
    cachings = {PartitionedCaching::off, PartitionedCaching::on, PartitionedCaching::strict};
  Compared compared;
  std::size_t turn = 0;
  cudaOccFuncAttributes kernel;
  kernel.maxThreadsPerBlock = INT_MAX;
  kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  cudaOccResult theirs;
  for (const Preference& preference : carveouts)
    for (const PartitionedCaching caching : cachings)
      for (const int barriers : {0, 1, 4, 16})
        for (const int threads : block_sizes)
          for (const int r : registers)
            for (std::size_t s = 0; s < shared_sizes.size(); ++s) {
              if (++turn % stride != 0) continue;
              if (r > sm.registers.per_thread && r <= 255) continue; // cc 3.0, see the last test
              const int shared = shared_sizes[s], in_static = shared / 3;
              kernel.numRegs = r;
              kernel.sharedSizeBytes = static_cast<std::size_t>(in_static);
              kernel.maxDynamicSharedSizeBytes = static_cast<std::size_t>(shared - in_static);
              kernel.partitionedGCConfig = static_cast<cudaOccPartitionedGCConfig>(caching);
              kernel.numBlockBarriers = barriers;
              kernel.virtualResourceCount = static_cast<int>(s % 5) * 9; // 0 to 36 of 128
              const cudaOccError status =
                  cudaOccMaxActiveBlocksPerMultiprocessor(&theirs, &oracle.device, &kernel, &preference.state,
                                                          threads, kernel.maxDynamicSharedSizeBytes);
              if (status != CUDA_OCC_SUCCESS) {
                ADD_FAILURE() << cc.name << ": the header knows no such device, " << status;
                return compared;
              }
              Launch launch;
              launch.threads_per_block = threads;
              launch.registers_per_thread = r;
              launch.shared_per_block = Bytes(shared);
              launch.barriers_per_block = barriers;
              launch.virtual_resources_per_block = kernel.virtualResourceCount;
              launch.carveout = preference.carveout;
              launch.caching = caching;
              const Occupancy ours = occupancy(sm, launch);
              const bool same =
                  ours.blocks == theirs.activeBlocksPerMultiprocessor &&
                  blocks_or_most(ours.allows(Limiter::registers)) == theirs.blockLimitRegs &&
                  blocks_or_most(ours.allows(Limiter::warps)) == theirs.blockLimitWarps &&
                  blocks_or_most(ours.allows(Limiter::blocks)) == theirs.blockLimitBlocks &&
                  blocks_or_most(ours.allows(Limiter::shared)) == theirs.blockLimitSharedMem &&
                  blocks_or_most(ours.allows(Limiter::barriers)) == theirs.blockLimitBarriers &&
                  blocks_or_most(ours.allows(Limiter::virtual_resources)) == theirs.blockLimitVirtual &&
                  ours.shared_allocated.value == static_cast<double>(theirs.allocatedSharedMemPerBlock);
              if (!same) {
                ADD_FAILURE() << cc.name << ": " << threads << " threads, " << r << " registers, " << shared
                              << " B, " << barriers << " barriers, caching " << static_cast<int>(caching)
                              << ", carve-out " << preference.state.carveoutConfig << "/"
                              << preference.state.cacheConfig << ": " << ours.blocks << " blocks, the header "
                              << theirs.activeBlocksPerMultiprocessor;
                return compared;
              }
              ++compared.points;
              if (ours.blocks > 0) ++compared.launched;
            }
  return compared;
}

TEST(OccupancyOracle, equals_cuda_occupancy_h_on_every_capability_the_header_knows) {
  Compared all;
  int capabilities = 0;
  for (const std::string& name : every_compute_capability()) {
    if (name[0] == '1' && name[1] == '.') continue; // CUDA 7.0's header, by hand in resident_blocks.cpp
    if (name[0] == '2') continue;
    const Compared one = compare_all(database().architecture(name));
    if (::testing::Test::HasFailure()) return;
    EXPECT_GT(one.launched, one.points / 20) << name << ": hardly a block launches";
    all.points += one.points;
    all.launched += one.launched;
    ++capabilities;
  }
  EXPECT_EQ(capabilities, 24);
  EXPECT_GE(all.points, least_points);
  std::cout << all.points << " points on " << capabilities << " capabilities, " << all.launched
            << " of them launch\n";
}

// The header lets 256 registers of a thread pass from cc 7.0 on and 255 on cc 3.0. The guide says 255 and 63,
// and no compiler hands out more.
TEST(OccupancyOracle, differs_on_purpose_where_no_compiler_hands_out_so_many_registers) {
  for (const auto& [name, most, passes] : {std::tuple{"9.0", 255, 256}, std::tuple{"3.0", 63, 64}}) {
    const Gpu cc = database().architecture(name);
    const Oracle oracle(cc);
    cudaOccFuncAttributes kernel;
    kernel.maxThreadsPerBlock = INT_MAX;
    kernel.numRegs = passes;
    cudaOccResult theirs;
    const cudaOccDeviceState state;
    ASSERT_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(&theirs, &oracle.device, &kernel, &state, 32, 0),
              CUDA_OCC_SUCCESS);
    EXPECT_GT(theirs.activeBlocksPerMultiprocessor, 0) << name;
    Launch launch{.threads_per_block = 32, .registers_per_thread = static_cast<Count>(most)};
    EXPECT_GT(occupancy(sm_resources(cc), launch).blocks, 0) << name;
    launch.registers_per_thread = passes;
    EXPECT_EQ(occupancy(sm_resources(cc), launch).blocks, 0) << name;
  }
}

} // namespace
} // namespace perfmodel

#else

TEST(OccupancyOracle, equals_cuda_occupancy_h_on_every_capability_the_header_knows) {
  GTEST_SKIP() << "cuda_occupancy.h of the CUDA toolkit was not found when this was built";
}

#endif
