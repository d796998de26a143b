// What of a launch's accesses L2 and device memory serve, by allocation.
#pragma once

#include <vector>

namespace perfmodel {

struct BlockSamples;
struct DeviceTraffic;
struct Gpu;
struct LaunchGrowth;
struct Shape;

struct MemoryShares {
  std::vector<double> missing; // share of the sectors beyond L1 that device memory has to deliver
  std::vector<double> fetched; // bytes from device memory for each byte that a block asks for first
  std::vector<double> far;     // chance that what L2 has lies in its far half alone
  std::vector<double> load_bytes, store_bytes; // that device memory is busy for, of a byte
  // Lines to which atomic operations go, and words of them, of the whole launch: so many as all alike would
  // bind L2 as they do. No words: not known.
  std::vector<double> added_lines, added_words;
  std::vector<double> together; // SMs that ask L2 for a line at about the same time
  std::vector<double> gathered; // the same where lanes ask for lines of their own
  double written_back = 0;      // of local memory that stores change, the share that L1 writes
  bool writes = false;          // stores reach device memory while the kernel runs
};

// What local memory moves from device memory and to it: of what L1 asks L2 for again, the share that L2 has
// no room for, as resident blocks touch more than it holds, all of them in turn, and any of it goes for them.
struct LocalMissing {
  double share = 0, read = 0, written = 0; // bytes, of the whole launch
};
LocalMissing local_missing(const Shape& grid, const BlockSamples& samples, const LaunchGrowth& growth);

MemoryShares memory_shares(const Gpu& gpu, const Shape& grid, const BlockSamples& samples,
                           const LaunchGrowth& growth, const DeviceTraffic& traffic);

} // namespace perfmodel
