// The statements of a program of ranks, in words.
#pragma once

#include "models/parallel/rank_program.hpp"

namespace perfmodel {

inline const char* word_of(Action action) {
  constexpr const char* words[] = {"assign",  "print",   "compute", "send",
                                   "receive", "barrier", "lock",    "unlock"};
  return words[static_cast<std::size_t>(action)];
}

} // namespace perfmodel
