// Loads and stores of one word of 1 to 16 bytes in global memory, cached as the hardware likes. Volatile: all
// loads of a thread stand before its first store, in the order of the source.
#pragma once

#include <cstdint>

namespace perfmodel::kernels {

template <int bytes> struct Word;

template <> struct Word<1> {
  std::uint32_t v;
  __device__ void load(const char* from) { asm volatile("ld.global.u8 %0, [%1];" : "=r"(v) : "l"(from)); }
  __device__ void store(char* to) const {
    asm volatile("st.global.u8 [%1], %0;" ::"r"(v), "l"(to) : "memory");
  }
  __device__ std::uint32_t sum() const { return v; }
  __device__ void set(std::uint32_t seed) { v = seed & 0xFF; }
};

template <> struct Word<2> {
  std::uint32_t v; // a register; the asm takes its lower half
  __device__ void load(const char* from) {
    std::uint16_t half;
    asm volatile("ld.global.u16 %0, [%1];" : "=h"(half) : "l"(from));
    v = half;
  }
  __device__ void store(char* to) const {
    asm volatile("st.global.u16 [%1], %0;" ::"h"(static_cast<std::uint16_t>(v)), "l"(to) : "memory");
  }
  __device__ std::uint32_t sum() const { return v; }
  __device__ void set(std::uint32_t seed) { v = seed & 0xFFFF; }
};

template <> struct Word<4> {
  std::uint32_t v;
  __device__ void load(const char* from) { asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(from)); }
  __device__ void store(char* to) const {
    asm volatile("st.global.u32 [%1], %0;" ::"r"(v), "l"(to) : "memory");
  }
  __device__ std::uint32_t sum() const { return v; }
  __device__ void set(std::uint32_t seed) { v = seed; }
};

template <> struct Word<8> {
  uint2 v;
  __device__ void load(const char* from) {
    asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(v.x), "=r"(v.y) : "l"(from));
  }
  __device__ void store(char* to) const {
    asm volatile("st.global.v2.u32 [%2], {%0, %1};" ::"r"(v.x), "r"(v.y), "l"(to) : "memory");
  }
  __device__ std::uint32_t sum() const { return v.x + v.y; }
  __device__ void set(std::uint32_t seed) { v = make_uint2(seed, seed); }
};

template <> struct Word<16> {
  uint4 v;
  __device__ void load(const char* from) {
    asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "l"(from));
  }
  __device__ void store(char* to) const {
    asm volatile("st.global.v4.u32 [%4], {%0, %1, %2, %3};" ::"r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w), "l"(to)
                 : "memory");
  }
  __device__ std::uint32_t sum() const { return v.x + v.y + v.z + v.w; }
  __device__ void set(std::uint32_t seed) { v = make_uint4(seed, seed, seed, seed); }
};

} // namespace perfmodel::kernels
