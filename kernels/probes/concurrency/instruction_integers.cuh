// 32-bit integers and comparisons. In the machine code for sm_90 (CUDA 13.0): IMAD (also of imul), SHF, LOP3,
// VIMNMX; of a comparison ISETP and SEL. iadd is IADD3 and IMAD.IADD in turn where nothing else keeps the
// pipe of the latter busy, IADD3 alone beside FFMAs.
#pragma once

#include "instruction_step.cuh"

namespace perfmodel::kernels {

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
  __device__ static void step(Word& x, Word y, Word) {
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
  __device__ static void step(Word& x, Word, Word) {
    asm volatile("mad.lo.u32 %0,%0,%0,%1;" : "+r"(x) : "r"(a));
  }
  static Word host(Word x, Word, Word) { return x * x + a; }
};
// The upper word of a product, IMAD.HI.U32. Both words, IMAD.WIDE.U32, took as long (an H200, 29 November
// 2026); in a chain of its own the compiler makes additions of some of it.
struct MulHigh : Integers {
  static constexpr const char* name = "imulhi";
  __device__ static void step(Word& x, Word, Word a) {
    asm volatile("mul.hi.u32 %0,%0,%1;" : "+r"(x) : "r"(a));
  }
  static Word host(Word x, Word, Word a) { return Word(std::uint64_t{x} * a >> 32); }
};
// A rotation by itself: a shift by a constant would become a multiplication on another pipe.
struct Shift : Integers {
  static constexpr const char* name = "shift";
  __device__ static void step(Word& x, Word, Word) { asm volatile("shf.l.wrap.b32 %0,%0,%0,%0;" : "+r"(x)); }
  static Word host(Word x, Word, Word) { return x % 32 == 0 ? x : x << x % 32 | x >> (32 - x % 32); }
};
struct Logic : Integers {
  static constexpr const char* name = "logic";
  static constexpr bool crosses = true;
  __device__ static void step(Word& x, Word y, Word) {
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
  __device__ static void step(Word& x, Word y, Word) {
    asm volatile("{.reg .pred p; setp.lt.u32 p,%0,%1; selp.u32 %0,%1,%2,p;}" : "+r"(x) : "r"(y), "r"(a));
  }
  static Word host(Word x, Word y, Word a) { return x < y ? y : a; }
};

} // namespace perfmodel::kernels
