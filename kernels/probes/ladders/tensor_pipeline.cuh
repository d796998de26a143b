// What a Hopper matrix kernel is fed with: boxes of a matrix that the copy engine writes to shared memory,
// and the barriers that say when a box has arrived and when its place is free again; and the way back.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>

namespace perfmodel::kernels::tensor {

__device__ inline std::uint32_t shared_address(const void* at) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(at));
}

__device__ inline void init_barrier(std::uint64_t* barrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals)
               : "memory");
}
// Makes the barriers known to the copy engine and to the cluster; a barrier of the threads must follow.
__device__ inline void publish_barriers() {
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

// Arrives, and lets the phase end when `bytes` have been copied as well.
__device__ inline void expect_bytes(std::uint64_t* barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
               "r"(bytes)
               : "memory");
}

// At the barrier of the same place in block `rank` of the cluster. Released to the own block alone: what is
// handed back was read by the tensor units or into registers, and a fence for the cluster waits for all of
// memory.
__device__ inline void arrive(std::uint64_t* barrier, int rank) {
  asm volatile("{\n.reg .b32 there;\n"
               "mapa.shared::cluster.u32 there, %0, %1;\n"
               "mbarrier.arrive.shared::cluster.b64 _, [there];\n}" ::"r"(shared_address(barrier)),
               "r"(rank)
               : "memory");
}

// Until the phase of this parity has ended.
__device__ inline void wait_for(std::uint64_t* barrier, std::uint32_t parity) {
  asm volatile("{\n.reg .pred done;\nagain:\n"
               "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@!done bra again;\n}" ::"r"(
                   shared_address(barrier)),
               "r"(parity)
               : "memory");
}

// The box of the map at column x, row y; what lies outside of the matrix is filled with zeros and counts as
// copied bytes, too.
__device__ inline void copy_box(void* to, const CUtensorMap& map, int x, int y, std::uint64_t* barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes "
               "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(to)),
               "l"(&map), "r"(x), "r"(y), "r"(shared_address(barrier))
               : "memory");
}
// The same, to this place in every block of the cluster that `blocks` has a bit of; each block's barrier
// counts the bytes.
__device__ inline void copy_box_to(std::uint16_t blocks, void* to, const CUtensorMap& map, int x, int y,
                                   std::uint64_t* barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
               ".multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(to)),
               "l"(&map), "r"(x), "r"(y), "r"(shared_address(barrier)), "h"(blocks)
               : "memory");
}

// The box at column x, row y from shared memory, all that lies in the matrix; what threads wrote there must
// be published and a barrier passed.
__device__ inline void write_box(const CUtensorMap& map, int x, int y, const void* from) {
  asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];\n"
               "cp.async.bulk.commit_group;" ::"l"(&map),
               "r"(x), "r"(y), "r"(shared_address(from))
               : "memory");
}
// Shows the copy engine what this thread has written to shared memory.
__device__ inline void publish_shared() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
// Until the copy engine has read all boxes that this thread has it write.
__device__ inline void wait_until_read() { asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); }
// A barrier of `threads` threads, whole warps; 0 is that of the block.
__device__ inline void sync_threads(int barrier, int threads) {
  asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(threads) : "memory");
}

__device__ inline int cluster_rank() {
  int rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
__device__ inline void sync_cluster() {
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

// Registers that a warpgroup no longer needs, or takes over.
template <int registers> __device__ inline void keep_registers() {
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(registers));
}
template <int registers> __device__ inline void take_registers() {
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(registers));
}

// A ring of `stages` places in shared memory, walked by producer and consumers in the same order.
template <int stages> struct Place {
  int stage = 0;
  std::uint32_t parity = 0;
  __device__ void next() {
    if (++stage == stages) {
      stage = 0;
      parity ^= 1;
    }
  }
};

// The tiles of a matrix in an order in which blocks that run together share rows and columns: down `height`
// tiles, then one to the right.
struct TileOrder {
  int rows, columns; // of tiles
  struct Tile {
    int row, column;
  };
  __device__ Tile at(int index) const {
    constexpr int height = 8;
    const int first = index / (height * columns) * height;
    const int high = min(height, rows - first), rest = index - first * columns;
    return {first + rest % high, rest / high};
  }
  __device__ int count() const { return rows * columns; }
};

// Lets the blocks of a launch that are all resident go on together: one thread of each calls it. `arrived` is
// 0 before the first launch and belongs to one launch at a time; its sign turns as the last block comes, so
// that it need not be cleared.
__device__ inline void meet_other_blocks(unsigned* arrived) {
  constexpr unsigned sign = 0x80000000u;
  const unsigned before = atomicAdd(arrived, blockIdx.x == 0 ? sign - (gridDim.x - 1) : 1);
  while (((before ^ *static_cast<volatile unsigned*>(arrived)) & sign) == 0) {
  }
}

} // namespace perfmodel::kernels::tensor
