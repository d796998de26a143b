// Loads and stores as they are spelled out: words of 4, 8 and 16 bytes, and 16 bytes with a cache operator.
// All volatile: the compiler neither drops nor moves them, so that all loads of a thread stay before its
// first store.
#pragma once

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
