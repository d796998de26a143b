// Conversions between types, and of bytes. In the machine code for sm_90 (CUDA 13.0): I2FP, F2I, F2FP, HADD2
// (of h2f), F2F, PRMT. ptxas drops the conversion of what has been converted: hence the bits that are read
// anew.
#pragma once

#include "instruction_step.cuh"

namespace perfmodel::kernels {

// The bits of the result are the next argument.
struct IntToFloat : Integers {
  static constexpr const char* name = "i2f";
  __device__ static void step(Word& x, Word, Word) {
    asm volatile("{.reg .f32 f; cvt.rn.f32.s32 f,%0; mov.b32 %0,f;}" : "+r"(x));
  }
  static Word host(Word x, Word, Word) { return as_word(float(int(x))); }
};
struct FloatToInt : Integers {
  static constexpr const char* name = "f2i";
  static constexpr bool is_slow = true;
  __host__ __device__ static Word start(int lane, int chain) { return as_word(float(lane * 8 + chain + 1)); }
  __device__ static void step(Word& x, Word, Word) {
    asm volatile("{.reg .f32 f; mov.b32 f,%0; cvt.rzi.s32.f32 %0,f;}" : "+r"(x));
  }
  static Word host(Word x, Word, Word) { return Word(int(as_float(x))); }
};
struct FloatToHalf : Integers {
  static constexpr const char* name = "f2h";
  static constexpr int capability = 80;
  __host__ __device__ static Word start(int, int) { return 0x3C003C00u; }
  __device__ static void step(Word& x, Word, Word) {
#if __CUDA_ARCH__ >= 800
    asm volatile("{.reg .f32 f; .reg .f32 z; mov.b32 f,%0; mov.f32 z,0f00000000; cvt.rn.f16x2.f32 %0,f,z;}"
                 : "+r"(x));
#else
    __trap();
#endif
  }
  // 0x3C003C00 is 0.00782: in the upper half 0x2002, in the lower zero; 0x20020000 is 1.09e-19: zero.
  static Word host(Word x, Word, Word) { return x == 0x3C003C00u ? 0x20020000u : 0; }
};
struct HalfToFloat : Integers {
  static constexpr const char* name = "h2f";
  __host__ __device__ static Word start(int, int) { return 0x3C003C00u; }
  __device__ static void step(Word& x, Word, Word) {
    asm volatile("{.reg .f16 l,h; .reg .f32 f; mov.b32 {l,h},%0; cvt.f32.f16 f,h; mov.b32 %0,f;}" : "+r"(x));
  }
  static Word host(Word x, Word, Word) { // of a normal upper half
    const Word h = x >> 16;
    return (h & 0x8000u) << 16 | ((h & 0x7FFFu) + ((127 - 15) << 10)) << 13;
  }
};
struct FloatToDouble : Integers {
  static constexpr const char* name = "f2d";
  static constexpr bool is_slow = true;
  __host__ __device__ static Word start(int lane, int chain) { return as_word(Floats::start(lane, chain)); }
  __device__ static void step(Word& x, Word, Word) {
    asm volatile("{.reg .f32 f; .reg .f64 d; .reg .b32 l; mov.b32 f,%0; cvt.f64.f32 d,f; mov.b64 {l,%0},d;}"
                 : "+r"(x));
  }
  static Word host(Word x, Word, Word) {
    const double d = as_float(x);
    std::uint64_t bits;
    std::memcpy(&bits, &d, sizeof bits);
    return Word(bits >> 32);
  }
};
struct DoubleToFloat : Doubles {
  static constexpr const char* name = "d2f";
  static constexpr bool is_slow = true;
  __device__ static void step(double& x, double, double) {
    asm volatile(
        "{.reg .f32 f; .reg .b32 l,h; cvt.rn.f32.f64 f,%0; mov.b64 {l,h},%0; mov.b32 h,f; mov.b64 %0,{l,h};}"
        : "+d"(x));
  }
  static double host(double x, double, double) {
    std::uint64_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    bits = (bits & 0xFFFFFFFFu) | std::uint64_t{as_word(float(x))} << 32;
    std::memcpy(&x, &bits, sizeof x);
    return x;
  }
};
// A permutation of bytes, as compilers write it. With its selector in a register two in a row do not fold.
struct ByteToInt : Integers {
  static constexpr const char* name = "i8";
  static constexpr Word a = 0x9991u; // the second byte and its sign
  static constexpr bool crosses = true;
  __device__ static void step(Word& x, Word y, Word a) {
    asm volatile("prmt.b32 %0,%1,0,%2;" : "=r"(x) : "r"(y), "r"(a));
  }
  static Word host(Word, Word y, Word) { return Word(int(std::int8_t(y >> 8))); }
};

} // namespace perfmodel::kernels
