// The instruction classes of the throughput table, each once: the step that takes a chain on, and what the
// host expects of it. A step is one machine instruction (rate, latency and mixes rest on that), written in
// PTX because the compiler would fold, hoist or fuse what it sees in C++.
//
// ptxas still optimises across steps: two additions to one chain become one IADD3, two shifts one shift. A
// class with `crosses` therefore reads the next chain as well, whose value is needed anyway, so that joining
// would save nothing. Where two operands are enough an instruction has two: three different registers take
// two fetches on Hopper.
//
// Counted in the machine code for sm_90 (CUDA 13.0): as many instructions as steps, each one FADD, FMUL,
// FFMA, FMNMX, DADD, DMUL, DFMA, IMAD (also of imul), SHF, LOP3, VIMNMX, I2FP, F2I, F2FP, HADD2 (of h2f),
// F2F, PRMT, MUFU, POPC, FLO, SHFL, VOTE, LDS, STS or ATOMS; of a comparison ISETP and SEL. hfma2 and bfma2
// are HFMA2 and HFMA2.MMA in turn. iadd is IADD3 and IMAD.IADD in turn where nothing else keeps the pipe of
// the latter busy, IADD3 alone beside FFMAs. ptxas dropped rcp(rcp(x)), a shuffle of equal values, a
// conversion of what had been converted and a repeated vote: hence the forms below.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace perfmodel::kernels {

using Word = std::uint32_t;

__host__ __device__ inline float as_float(Word bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
__host__ __device__ inline Word as_word(float value) {
  Word bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

// How the device's answer is held against the host's. near: the special function units round their own way,
// so these chains run into a fixed point, which no rounding moves by more than 1e-4. bounded: nothing to hold
// it against but that it is a number.
enum class Check { exact, near, bounded };

template <class Value> struct ClassOf {
  using T = Value;
  static constexpr bool crosses = false;
  static constexpr Check check = Check::exact;
  static constexpr int results = 1;        // of a thread's step
  static constexpr int instructions = 1;   // of a step
  static constexpr bool in_shared = false; // a chain starts with the address of a word of its own
  static constexpr bool is_loop = false;   // one step is one trip of the loop
  static constexpr int capability = 75;    // least one that has it
};

// Values stay normal and moving. `a` is a kernel argument: no constant to fold.
struct Floats : ClassOf<float> {
  static constexpr float a = 0.999f;
  __host__ __device__ static float start(int lane, int chain) {
    return 0.5f + float(lane) / 64 + float(chain) / 128;
  }
};
struct Doubles : ClassOf<double> {
  static constexpr double a = 0.999;
  __host__ __device__ static double start(int lane, int chain) {
    return 0.5 + double(lane) / 64 + double(chain) / 128;
  }
};
struct Integers : ClassOf<Word> {
  static constexpr Word a = 0x9E3779B9u;
  __host__ __device__ static Word start(int lane, int chain) {
    return Word(lane * 8 + chain + 1) * 0x85EBCA6Bu | 1u;
  }
};
struct SpecialFloats : Floats {
  static constexpr Check check = Check::near;
};

struct Fadd : Floats {
  static constexpr const char* name = "fadd";
  __device__ static void step(float& x, float, float a) {
    asm volatile("add.rn.f32 %0,%0,%1;" : "+f"(x) : "f"(a));
  }
  static float host(float x, float, float a) { return x + a; }
};
struct Fmul : Floats {
  static constexpr const char* name = "fmul";
  static constexpr float a = 1.0000001f; // 0.999 would end at zero
  __device__ static void step(float& x, float, float a) {
    asm volatile("mul.rn.f32 %0,%0,%1;" : "+f"(x) : "f"(a));
  }
  static float host(float x, float, float a) { return x * a; }
};
struct Ffma : Floats {
  static constexpr const char* name = "ffma";
  __device__ static void step(float& x, float, float a) {
    asm volatile("fma.rn.f32 %0,%0,%1,%1;" : "+f"(x) : "f"(a));
  }
  static float host(float x, float, float a) { return std::fma(x, a, a); }
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
  __device__ static void step(double& x, double, double a) {
    asm volatile("add.rn.f64 %0,%0,%1;" : "+d"(x) : "d"(a));
  }
  static double host(double x, double, double a) { return x + a; }
};
struct Dmul : Doubles {
  static constexpr const char* name = "dmul";
  static constexpr double a = 1.0000001;
  __device__ static void step(double& x, double, double a) {
    asm volatile("mul.rn.f64 %0,%0,%1;" : "+d"(x) : "d"(a));
  }
  static double host(double x, double, double a) { return x * a; }
};
struct Dfma : Doubles {
  static constexpr const char* name = "dfma";
  __device__ static void step(double& x, double, double a) {
    asm volatile("fma.rn.f64 %0,%0,%1,%1;" : "+d"(x) : "d"(a));
  }
  static double host(double x, double, double a) { return std::fma(x, a, a); }
};

// Two results in one register; from a pair of ones through x = x / 2 + 1 / 2 they stay ones.
struct Hfma2 : Integers {
  static constexpr const char* name = "hfma2";
  static constexpr int results = 2;
  static constexpr Word a = 0x38003800u; // 0.5, 0.5
  __host__ __device__ static Word start(int, int) { return 0x3C003C00u; }
  __device__ static void step(Word& x, Word, Word a) {
    asm volatile("fma.rn.f16x2 %0,%0,%1,%1;" : "+r"(x) : "r"(a));
  }
  static Word host(Word x, Word, Word) { return x; }
};
struct Bfma2 : Integers {
  static constexpr const char* name = "bfma2";
  static constexpr int results = 2, capability = 80;
  static constexpr Word a = 0x3F003F00u;
  __host__ __device__ static Word start(int, int) { return 0x3F803F80u; }
  __device__ static void step(Word& x, Word, Word a) {
#if __CUDA_ARCH__ >= 800
    asm volatile("fma.rn.bf16x2 %0,%0,%1,%1;" : "+r"(x) : "r"(a));
#else
    __trap();
#endif
  }
  static Word host(Word x, Word, Word) { return x; }
};

struct Iadd : Integers {
  static constexpr const char* name = "iadd";
  static constexpr bool crosses = true;
  __device__ static void step(Word& x, Word y, Word) { asm volatile("add.u32 %0,%0,%1;" : "+r"(x) : "r"(y)); }
  static Word host(Word x, Word y, Word) { return x + y; }
};
// With three operands: the compiler turns every other addition of two into a multiplication by one.
struct Iadd3 : Integers {
  static constexpr const char* name = "iadd3";
  static constexpr bool crosses = true;
  __device__ static void step(Word& x, Word y, Word a) {
    asm volatile("{.reg .u32 s; add.u32 s,%0,%1; add.u32 %0,s,%2;}" : "+r"(x) : "r"(y), "r"(a));
  }
  static Word host(Word x, Word y, Word a) { return x + y + a; }
};
struct Imul : Integers {
  static constexpr const char* name = "imul";
  static constexpr bool crosses = true;
  __device__ static void step(Word& x, Word y, Word) {
    asm volatile("mul.lo.u32 %0,%0,%1;" : "+r"(x) : "r"(y));
  }
  static Word host(Word x, Word y, Word) { return x * y; }
};
struct Imad : Integers {
  static constexpr const char* name = "imad";
  static constexpr bool crosses = true;
  __device__ static void step(Word& x, Word y, Word) {
    asm volatile("mad.lo.u32 %0,%0,%1,%1;" : "+r"(x) : "r"(y));
  }
  static Word host(Word x, Word y, Word) { return x * y + y; }
};
// A rotation by a register: a shift by a constant would become a multiplication on another pipe.
struct Shift : Integers {
  static constexpr const char* name = "shift";
  static constexpr bool crosses = true;
  __device__ static void step(Word& x, Word y, Word) {
    asm volatile("shf.l.wrap.b32 %0,%0,%0,%1;" : "+r"(x) : "r"(y));
  }
  static Word host(Word x, Word y, Word) { return y % 32 == 0 ? x : x << y % 32 | x >> (32 - y % 32); }
};
struct Logic : Integers {
  static constexpr const char* name = "logic";
  static constexpr bool crosses = true;
  __device__ static void step(Word& x, Word y, Word a) {
    asm volatile("lop3.b32 %0,%0,%1,%2,0x1e;" : "+r"(x) : "r"(y), "r"(a));
  }
  static Word host(Word x, Word y, Word a) { return x ^ (y | a); }
};
struct Imin : Integers {
  static constexpr const char* name = "imin";
  static constexpr bool crosses = true;
  __device__ static void step(Word& x, Word y, Word) { asm volatile("min.s32 %0,%0,%1;" : "+r"(x) : "r"(y)); }
  static Word host(Word x, Word y, Word) { return Word(std::min(int(x), int(y))); }
};
// A comparison and the selection that uses it, two instructions of one kind: a predicate alone cannot leave
// its step.
struct Compare : Integers {
  static constexpr const char* name = "compare";
  static constexpr bool crosses = true;
  static constexpr int results = 2, instructions = 2;
  __device__ static void step(Word& x, Word y, Word a) {
    asm volatile("{.reg .pred p; setp.lt.u32 p,%0,%1; selp.u32 %0,%1,%2,p;}" : "+r"(x) : "r"(y), "r"(a));
  }
  static Word host(Word x, Word y, Word a) { return x < y ? y : a; }
};

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
  __device__ static void step(Word& x, Word, Word) { asm volatile("popc.b32 %0,%0;" : "+r"(x)); }
  static Word host(Word x, Word, Word) { return Word(__builtin_popcount(x)); }
};
// The position of the leading one: clz is this and a subtraction.
struct Clz : Integers {
  static constexpr const char* name = "clz";
  __device__ static void step(Word& x, Word, Word) { asm volatile("bfind.u32 %0,%0;" : "+r"(x)); }
  static Word host(Word x, Word, Word) { return x == 0 ? 0xFFFFFFFFu : Word(31 - __builtin_clz(x)); }
};

// Every kernel takes an even number of steps: the values end where they began.
struct Shuffle : Integers {
  static constexpr const char* name = "shuffle";
  static constexpr Word a = 1;
  __device__ static void step(Word& x, Word, Word a) {
    asm volatile("shfl.sync.bfly.b32 %0,%0,%1,31,-1;" : "+r"(x) : "r"(a));
  }
  static Word host(Word x, Word, Word) { return x; }
};
#define PERFMODEL_VOTE "vote.sync.any.pred p,p,-1;\n"
#define PERFMODEL_VOTES                                                                                      \
  PERFMODEL_VOTE PERFMODEL_VOTE PERFMODEL_VOTE PERFMODEL_VOTE PERFMODEL_VOTE PERFMODEL_VOTE PERFMODEL_VOTE   \
      PERFMODEL_VOTE PERFMODEL_VOTE PERFMODEL_VOTE
// Votes on votes: a predicate cannot leave its step, which is therefore of 30, a comparison and a selection.
struct Vote : Integers {
  static constexpr const char* name = "vote";
  static constexpr int results = 30, instructions = 32;
  __device__ static void step(Word& x, Word, Word a) {
    asm volatile("{.reg .pred p; setp.ne.u32 p,%0,%1;\n" PERFMODEL_VOTES PERFMODEL_VOTES PERFMODEL_VOTES
                 "selp.u32 %0,%0,%1,p;}"
                 : "+r"(x)
                 : "r"(a));
  }
  static Word host(Word x, Word, Word) { return x; }
};

// A loop whose body is one FFMA: beside an addition, a comparison and the branch. Where the schedulers issue
// these four no faster, branches cost what this shows at most.
struct Branch : Ffma {
  static constexpr const char* name = "branch";
  static constexpr bool is_loop = true;
};

// Every thread has a word of its own for each chain: no bank conflicts, no contention.
struct SharedLoad : Integers {
  static constexpr const char* name = "lds";
  static constexpr bool in_shared = true; // the word holds its own address
  __device__ static void step(Word& x, Word, Word) {
    asm volatile("ld.volatile.shared.u32 %0,[%0];" : "+r"(x));
  }
};
struct SharedStore : Integers {
  static constexpr const char* name = "sts";
  static constexpr bool in_shared = true;
  __device__ static void step(Word& x, Word, Word) {
    asm volatile("st.volatile.shared.u32 [%0],%0;" ::"r"(x));
  }
};
struct SharedAtomic : Integers {
  static constexpr const char* name = "atoms";
  static constexpr bool in_shared = true;
  static constexpr Word a = 0; // so that the word keeps its own address
  __device__ static void step(Word& x, Word, Word a) {
    asm volatile("atom.shared.add.u32 %0,[%0],%1;" : "+r"(x) : "r"(a));
  }
};

} // namespace perfmodel::kernels
