// What the probes of memory-level parallelism share: words of 4, 8 and 16 bytes loaded and stored in the
// order that the source says (volatile: all loads of a thread before its first store).
#pragma once

#include <cstddef>

namespace perfmodel::kernels {

__device__ inline unsigned load_word(const unsigned* from) {
  unsigned v;
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(from));
  return v;
}
__device__ inline uint2 load_word(const uint2* from) {
  uint2 v;
  asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(v.x), "=r"(v.y) : "l"(from));
  return v;
}
__device__ inline uint4 load_word(const uint4* from) {
  uint4 v;
  asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "l"(from));
  return v;
}

__device__ inline void store_word(unsigned* to, unsigned v) {
  asm volatile("st.global.u32 [%1], %0;" ::"r"(v), "l"(to) : "memory");
}
__device__ inline void store_word(uint2* to, uint2 v) {
  asm volatile("st.global.v2.u32 [%2], {%0, %1};" ::"r"(v.x), "r"(v.y), "l"(to) : "memory");
}
__device__ inline void store_word(uint4* to, uint4 v) {
  asm volatile("st.global.v4.u32 [%4], {%0, %1, %2, %3};" ::"r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w), "l"(to)
               : "memory");
}

// One number that needs every part of the word.
__device__ inline unsigned folded(unsigned v) { return v; }
__device__ inline unsigned folded(uint2 v) { return v.x ^ v.y; }
__device__ inline unsigned folded(uint4 v) { return v.x ^ v.y ^ v.z ^ v.w; }

} // namespace perfmodel::kernels
