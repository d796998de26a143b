// What an instruction class is to the probes: the step that takes a chain on, and what the host expects of
// it. A step is one machine instruction (rate, latency and mixes rest on that), written in PTX because the
// compiler would fold, hoist or fuse what it sees in C++.
//
// ptxas still optimises across steps: two additions to one chain become one IADD3, two shifts one shift. A
// class with `crosses` therefore reads the next chain as well, whose value is needed anyway, so that joining
// would save nothing.
//
// A step reads as few registers as it can, with constants as immediates and the same register twice where
// that does: each of the two register banks of a Hopper scheduler gives one operand a cycle, and a mix that
// asks for more measures the banks instead of its pipes.
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
  static constexpr bool is_slow = false;   // runs on the pipe of the special function units
  static constexpr int capability = 75;    // least one that has it
};

// Values stay normal and moving. `a` is the constant operand: in PTX as an immediate or, where two steps
// would fold into one, as a kernel argument.
struct Floats : ClassOf<float> {
  static constexpr float a = 0.999f;
  __host__ __device__ static float start(int lane, int chain) {
    return 0.5f + float(lane) / 64 + float(chain) / 128;
  }
};
struct Doubles : ClassOf<double> {
  static constexpr double a = 0.875; // as an immediate a double has but its upper word
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
  static constexpr bool is_slow = true;
};

} // namespace perfmodel::kernels
