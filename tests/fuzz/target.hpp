// What every fuzz target has: the function that libFuzzer calls, and the promises that hold for any input.
#pragma once

#include "models/core/error.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace perfmodel::fuzz {

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// assert() that a release build keeps.
inline void promise(bool kept, const char* what) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

// Wrong input is refused with an InputError, whose sentence does not repeat the input at length; any other
// exception ends the program.
template <class Read> void read_or_refuse(Read read) {
  try {
    read();
  } catch (const InputError& e) {
    const std::string sentence = e.what();
    promise(!sentence.empty(), "a refusal says why");
    promise(sentence.size() < 1500, "a refusal is a sentence, not a copy of the input");
  }
}

} // namespace perfmodel::fuzz
