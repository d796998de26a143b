// 16-byte loads and stores with the cache operator spelled out. All volatile: the compiler neither drops nor
// moves them.
#pragma once

namespace perfmodel::kernels {

// .cs, evict first: a stream is not read again.
__device__ inline uint4 load_streaming(const uint4* from) {
  uint4 v;
  asm volatile("ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(from));
  return v;
}

__device__ inline void store_streaming(uint4* to, uint4 v) {
  asm volatile("st.global.cs.v4.u32 [%4], {%0, %1, %2, %3};" ::"r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w), "l"(to)
               : "memory");
}

// .cg: in L2, not in L1.
__device__ inline uint4 load_from_l2(const uint4* from) {
  uint4 v;
  asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(from));
  return v;
}

// .ca: in L1 and L2.
__device__ inline uint4 load_from_l1(const uint4* from) {
  uint4 v;
  asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(from));
  return v;
}

// `address` in the shared window. ld.volatile: a plain ld.shared of the same address is hoisted out of a
// loop.
__device__ inline uint4 load_shared(unsigned address) {
  uint4 v;
  asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "r"(address));
  return v;
}

} // namespace perfmodel::kernels
