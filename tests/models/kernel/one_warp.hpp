// Single instructions run on a warp whose registers a test sets and reads.
#pragma once

#include "models/core/error.hpp"
#include "models/kernel/executors.hpp"
#include "models/kernel/listing.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>

namespace perfmodel {

// A listing of one function, from instructions of a line each and labels that end with a colon.
inline std::string listing_of(std::string_view code) {
  std::string made = ".text.test:\n";
  unsigned address = 0;
  while (!code.empty()) {
    const std::size_t end = std::min(code.find('\n'), code.size());
    std::string line(code.substr(0, end));
    code.remove_prefix(std::min(end + 1, code.size()));
    line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
    if (line.empty()) continue;
    if (line.back() == ':') {
      made += line + "\n";
      continue;
    }
    made += fmt::format("/*{:04x}*/ {} ;\n", address, line);
    address += 16;
  }
  return made;
}

struct OneWarp {
  WarpState warp;
  std::map<int, MemoryBytes> constants;
  BlockState block{.constants = &constants, .block = {32, 1, 1}, .grid = {1, 1, 1}};
  std::uint32_t lanes = all_lanes;

  OneWarp& set(std::size_t r, std::uint32_t word) {
    warp.registers[r] = LaneWords::of(word);
    return *this;
  }
  OneWarp& set_pair(std::size_t r, std::uint64_t word) {
    return set(r, static_cast<std::uint32_t>(word)).set(r + 1, static_cast<std::uint32_t>(word >> 32));
  }
  template <class F> OneWarp& each_lane(std::size_t r, F value) {
    warp.registers[r].known = all_lanes;
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      warp.registers[r].at[lane] = static_cast<std::uint32_t>(value(lane));
    return *this;
  }
  OneWarp& flag(std::size_t p, std::uint32_t of_lanes) {
    warp.predicates[p] = Flags::of(of_lanes);
    return *this;
  }

  // Instructions of a line each, in order; guards are left out.
  OneWarp& run(std::string_view text) {
    const KernelCode code = read_listing(listing_of(text), "");
    for (const Instruction& i : code.instructions) {
      LaneStep step(i, warp, block, lanes);
      const Executor execute = find_executor(i.opcode);
      if (execute == nullptr) throw InputError(i.opcode);
      execute(step);
    }
    return *this;
  }

  // Of a lane; empty where it is not known.
  std::optional<std::uint32_t> word(std::size_t r, std::size_t lane = 0) const {
    const LaneWords& of = warp.registers[r];
    return (of.known >> lane & 1) != 0 ? std::optional(of.at[lane]) : std::nullopt;
  }
  std::optional<std::uint64_t> pair(std::size_t r, std::size_t lane = 0) const {
    const auto low = word(r, lane), high = word(r + 1, lane);
    return low && high ? std::optional(std::uint64_t{*high} << 32 | *low) : std::nullopt;
  }
  // LaneWords whose predicate is true; empty unless all of them are known.
  std::optional<std::uint32_t> flag(std::size_t p) const {
    const Flags& of = warp.predicates[p];
    return of.known == all_lanes ? std::optional(of.value) : std::nullopt;
  }
};

} // namespace perfmodel
