// What each opcode does to registers and predicates, for whole warps. Opcodes that move memory or lanes are
// not here (memory_step.cpp, executors_exchange.cpp).
#pragma once

#include "lane_step.hpp"

#include <algorithm>
#include <span>
#include <string_view>

namespace perfmodel {

using Executor = void (*)(LaneStep&);

struct NamedExecutor {
  std::string_view opcode;
  Executor executor;
};

// nullptr where none of them has that name.
inline Executor among(std::span<const NamedExecutor> executors, std::string_view opcode) {
  const auto at = std::find_if(executors.begin(), executors.end(),
                               [&](const NamedExecutor& e) { return e.opcode == opcode; });
  return at == executors.end() ? nullptr : at->executor;
}

// nullptr where the opcode is not known.
Executor find_executor(std::string_view opcode);

// By what they work on; each nullptr where the opcode is of another.
Executor integer_executor(std::string_view opcode);
Executor bit_executor(std::string_view opcode);
Executor logic_executor(std::string_view opcode);
Executor real_executor(std::string_view opcode);
Executor conversion_executor(std::string_view opcode);
Executor unfollowed_executor(std::string_view opcode);
Executor exchange_executor(std::string_view opcode);

} // namespace perfmodel
