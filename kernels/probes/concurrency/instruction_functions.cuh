// What costs several instructions: accurate and fast functions, division and modulo, general, by a constant
// and (signed; unsigned they are a shift and a logical and) by a power of two. In C++, as a program has them:
// their throughput is that of the code that this build's compiler makes of them. `opaque` hides from it that
// one step follows another.
#pragma once

#include "instruction_classes.cuh"

namespace perfmodel::kernels {

__device__ inline void opaque(float& x) { asm volatile("" : "+f"(x)); }
__device__ inline void opaque(Word& x) { asm volatile("" : "+r"(x)); }

struct FloatFunctions : SpecialFloats {
  static constexpr int instructions = 16; // or about; only the length of the loop's body rests on it
};
struct WordFunctions : Integers {
  static constexpr int instructions = 16;
  __host__ __device__ static Word start(int lane, int chain) { return Word(1000 + lane * 8 + chain); }
};

struct FastDivide : FloatFunctions {
  static constexpr const char* name = "fdividef";
  __device__ static void step(float& x, float, float a) {
    x = __fdividef(a, x);
    opaque(x);
  }
  static float host(float x, float, float a) { return a / x; }
};
struct Divide : FloatFunctions {
  static constexpr const char* name = "fdiv";
  __device__ static void step(float& x, float, float a) {
    x = __fdiv_rn(a, x);
    opaque(x);
  }
  static float host(float x, float, float a) { return a / x; }
};
struct AccurateSqrt : FloatFunctions {
  static constexpr const char* name = "sqrtf";
  __device__ static void step(float& x, float, float) {
    x = __fsqrt_rn(x);
    opaque(x);
  }
  static float host(float x, float, float) { return std::sqrt(x); }
};
struct FastSin : FloatFunctions {
  static constexpr const char* name = "__sinf";
  __device__ static void step(float& x, float, float) {
    x = __sinf(x);
    opaque(x);
  }
  static float host(float x, float, float) { return std::sin(x); }
};
struct FastCos : FloatFunctions {
  static constexpr const char* name = "__cosf";
  __device__ static void step(float& x, float, float) {
    x = __cosf(x);
    opaque(x);
  }
  static float host(float x, float, float) { return std::cos(x); }
};
struct FastExp : FloatFunctions {
  static constexpr const char* name = "__expf";
  __device__ static void step(float& x, float, float) {
    x = __expf(-x);
    opaque(x);
  }
  static float host(float x, float, float) { return std::exp(-x); }
};
struct AccurateSin : FloatFunctions {
  static constexpr const char* name = "sinf";
  __device__ static void step(float& x, float, float) {
    x = sinf(x);
    opaque(x);
  }
  static float host(float x, float, float) { return std::sin(x); }
};
struct AccurateCos : FloatFunctions {
  static constexpr const char* name = "cosf";
  __device__ static void step(float& x, float, float) {
    x = cosf(x);
    opaque(x);
  }
  static float host(float x, float, float) { return std::cos(x); }
};
struct AccurateExp : FloatFunctions {
  static constexpr const char* name = "expf";
  __device__ static void step(float& x, float, float) {
    x = expf(-x);
    opaque(x);
  }
  static float host(float x, float, float) { return std::exp(-x); }
};

// a / x swaps the two factors of a, or nearly so; neither comes near zero.
struct UnsignedDivide : WordFunctions {
  static constexpr const char* name = "udiv";
  static constexpr Word a = 1000000000;
  __device__ static void step(Word& x, Word, Word a) {
    x = a / x;
    opaque(x);
  }
  static Word host(Word x, Word, Word a) { return a / x; }
};
struct SignedDivide : WordFunctions {
  static constexpr const char* name = "idiv";
  static constexpr Word a = 1000000000;
  __device__ static void step(Word& x, Word, Word a) {
    x = Word(int(a) / int(x));
    opaque(x);
  }
  static Word host(Word x, Word, Word a) { return Word(int(a) / int(x)); }
};

// With the upper bit set the divisor is never zero.
struct UnsignedModulo : WordFunctions {
  static constexpr const char* name = "umod";
  static constexpr Word a = 1000000000;
  __device__ static void step(Word& x, Word, Word a) {
    x = a % (x | 0x100000u);
    opaque(x);
  }
  static Word host(Word x, Word, Word a) { return a % (x | 0x100000u); }
};
struct SignedModulo : WordFunctions {
  static constexpr const char* name = "imod";
  static constexpr Word a = 1000000000;
  __device__ static void step(Word& x, Word, Word a) {
    x = Word(int(a) % int(x | 0x100000u));
    opaque(x);
  }
  static Word host(Word x, Word, Word a) { return Word(int(a) % int(x | 0x100000u)); }
};

struct UnsignedDivideBy7 : WordFunctions {
  static constexpr const char* name = "udiv7";
  static constexpr bool crosses = true;
  __device__ static void step(Word& x, Word y, Word) {
    x = y / 7;
    opaque(x);
  }
  static Word host(Word, Word y, Word) { return y / 7; }
};
struct UnsignedModuloBy7 : WordFunctions {
  static constexpr const char* name = "umod7";
  static constexpr bool crosses = true;
  __device__ static void step(Word& x, Word y, Word) {
    x = y % 7;
    opaque(x);
  }
  static Word host(Word, Word y, Word) { return y % 7; }
};
struct SignedDivideBy8 : WordFunctions {
  static constexpr const char* name = "idiv8";
  static constexpr bool crosses = true;
  __device__ static void step(Word& x, Word y, Word) {
    x = Word(int(y) / 8);
    opaque(x);
  }
  static Word host(Word, Word y, Word) { return Word(int(y) / 8); }
};
struct SignedModuloBy8 : WordFunctions {
  static constexpr const char* name = "imod8";
  static constexpr bool crosses = true;
  __device__ static void step(Word& x, Word y, Word) {
    x = Word(int(y) % 8);
    opaque(x);
  }
  static Word host(Word, Word y, Word) { return Word(int(y) % 8); }
};

} // namespace perfmodel::kernels
