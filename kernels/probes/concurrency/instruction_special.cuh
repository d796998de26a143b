// The special function units, and what shares their pipe. In the machine code for sm_90 (CUDA 13.0): MUFU,
// POPC, FLO.
#pragma once

#include "instruction_step.cuh"

namespace perfmodel::kernels {

// Of the absolute value, which is free: the reciprocal of a reciprocal would be dropped.
struct Rcp : SpecialFloats {
  static constexpr const char* name = "rcp";
  __device__ static void step(float& x, float, float) {
    asm volatile("{.reg .f32 p; abs.f32 p,%0; rcp.approx.ftz.f32 %0,p;}" : "+f"(x));
  }
  static float host(float x, float, float) { return 1 / std::fabs(x); }
};
struct Rsqrt : SpecialFloats {
  static constexpr const char* name = "rsqrt";
  __device__ static void step(float& x, float, float) {
    asm volatile("rsqrt.approx.ftz.f32 %0,%0;" : "+f"(x));
  }
  static float host(float x, float, float) { return 1 / std::sqrt(x); }
};
struct Sqrt : SpecialFloats {
  static constexpr const char* name = "sqrt";
  __device__ static void step(float& x, float, float) {
    asm volatile("sqrt.approx.ftz.f32 %0,%0;" : "+f"(x));
  }
  static float host(float x, float, float) { return std::sqrt(x); }
};
struct Ex2 : SpecialFloats {
  static constexpr const char* name = "ex2";
  __device__ static void step(float& x, float, float) {
    asm volatile("{.reg .f32 n; neg.f32 n,%0; ex2.approx.ftz.f32 %0,n;}" : "+f"(x)); // the sign is free
  }
  static float host(float x, float, float) { return std::exp2(-x); }
};
struct Lg2 : SpecialFloats {
  static constexpr const char* name = "lg2";
  static constexpr Check check = Check::bounded; // x = log2 |x| has no stable point
  __device__ static void step(float& x, float, float) {
    asm volatile("{.reg .f32 p; abs.f32 p,%0; lg2.approx.ftz.f32 %0,p;}" : "+f"(x));
  }
  static float host(float x, float, float) { return std::log2(std::fabs(x)); }
};

struct Popc : Integers {
  static constexpr const char* name = "popc";
  static constexpr bool is_slow = true;
  __device__ static void step(Word& x, Word, Word) { asm volatile("popc.b32 %0,%0;" : "+r"(x)); }
  static Word host(Word x, Word, Word) { return Word(__builtin_popcount(x)); }
};
// The position of the leading one: clz is this and a subtraction.
struct Clz : Integers {
  static constexpr const char* name = "clz";
  static constexpr bool is_slow = true;
  __device__ static void step(Word& x, Word, Word) { asm volatile("bfind.u32 %0,%0;" : "+r"(x)); }
  static Word host(Word x, Word, Word) { return x == 0 ? 0xFFFFFFFFu : Word(31 - __builtin_clz(x)); }
};

} // namespace perfmodel::kernels
