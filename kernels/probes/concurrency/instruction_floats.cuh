// fp32, fp64, and pairs of fp16 and bf16. In the machine code for sm_90 (CUDA 13.0): FADD, FMUL, FFMA, FMNMX,
// DADD, DMUL, DFMA; of pairs HFMA2, for the FMA pipe, and HFMA2.MMA, for the tensor pipe, in turn.
#pragma once

#include "instruction_step.cuh"

namespace perfmodel::kernels {

struct Fadd : Floats {
  static constexpr const char* name = "fadd";
  __device__ static void step(float& x, float, float) {
    asm volatile("add.rn.f32 %0,%0,%1;" : "+f"(x) : "f"(a));
  }
  static float host(float x, float, float a) { return x + a; }
};
struct Fmul : Floats {
  static constexpr const char* name = "fmul";
  static constexpr float a = 1.0000001f; // 0.999 would end at zero
  __device__ static void step(float& x, float, float) {
    asm volatile("mul.rn.f32 %0,%0,%1;" : "+f"(x) : "f"(a));
  }
  static float host(float x, float, float a) { return x * a; }
};
// x * x - 1.9 stays in [-1.9, 1.71] and never comes to rest: a wrong step would show.
struct Ffma : Floats {
  static constexpr const char* name = "ffma";
  static constexpr float a = -1.9f;
  __device__ static void step(float& x, float, float) {
    asm volatile("fma.rn.f32 %0,%0,%0,%1;" : "+f"(x) : "f"(a));
  }
  static float host(float x, float, float) { return std::fma(x, x, a); }
};
struct Fmin : Floats {
  static constexpr const char* name = "fmin";
  static constexpr bool crosses = true;
  __device__ static void step(float& x, float y, float) {
    asm volatile("min.f32 %0,%0,%1;" : "+f"(x) : "f"(y));
  }
  static float host(float x, float y, float) { return std::fmin(x, y); }
};

struct Dadd : Doubles {
  static constexpr const char* name = "dadd";
  __device__ static void step(double& x, double, double) {
    asm volatile("add.rn.f64 %0,%0,%1;" : "+d"(x) : "d"(a));
  }
  static double host(double x, double, double a) { return x + a; }
};
struct Dmul : Doubles {
  static constexpr const char* name = "dmul";
  static constexpr double a = 1 + 0x1p-20; // 0.875 would end at zero
  __device__ static void step(double& x, double, double) {
    asm volatile("mul.rn.f64 %0,%0,%1;" : "+d"(x) : "d"(a));
  }
  static double host(double x, double, double a) { return x * a; }
};
struct Dfma : Doubles {
  static constexpr const char* name = "dfma";
  static constexpr double a = -1.875; // as of ffma
  __device__ static void step(double& x, double, double) {
    asm volatile("fma.rn.f64 %0,%0,%0,%1;" : "+d"(x) : "d"(a));
  }
  static double host(double x, double, double) { return std::fma(x, x, a); }
};

// Two results in one register; from a pair of twos through x = x * x - 2 they stay twos, whose bits are the
// same in both formats.
struct Hfma2 : Integers {
  static constexpr const char* name = "hfma2";
  static constexpr int results = 2;
  static constexpr Word a = 0xC000C000u; // -2, -2
  __host__ __device__ static Word start(int, int) { return 0x40004000u; }
  __device__ static void step(Word& x, Word, Word) {
    asm volatile("fma.rn.f16x2 %0,%0,%0,%1;" : "+r"(x) : "r"(a));
  }
  static Word host(Word x, Word, Word) { return x; }
};
// One half of an operand for both: HFMA2 alone, since HFMA2.MMA cannot.
struct Hfma2OfHalf : Hfma2 {
  static constexpr const char* name = "hfma2_fma";
  __device__ static void step(Word& x, Word, Word) {
    asm volatile(
        "{.reg .f16 low, high;\n.reg .b32 both;\nmov.b32 {low, high}, %0;\nmov.b32 both, {low, low};\n"
        "fma.rn.f16x2 %0, both, %0, %1;}"
        : "+r"(x)
        : "r"(a));
  }
};
struct Bfma2 : Integers {
  static constexpr const char* name = "bfma2";
  static constexpr int results = 2, capability = 80;
  static constexpr Word a = 0xC000C000u;
  __host__ __device__ static Word start(int, int) { return 0x40004000u; }
  __device__ static void step(Word& x, Word, Word) {
#if __CUDA_ARCH__ >= 800
    asm volatile("fma.rn.bf16x2 %0,%0,%0,%1;" : "+r"(x) : "r"(a));
#else
    __trap();
#endif
  }
  static Word host(Word x, Word, Word) { return x; }
};

} // namespace perfmodel::kernels
