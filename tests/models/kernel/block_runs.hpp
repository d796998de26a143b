// Blocks of code that a test writes or quotes, and what was seen of them.
#pragma once

#include "one_warp.hpp"

#include "models/kernel/run_block.hpp"

#include <array>
#include <vector>

namespace perfmodel {

struct Seen {
  std::size_t warp = 0;
  std::string opcode;
  std::uint32_t mask = 0;
  bool taken = false;
  MemoryAccess access; // of space none where there is none
  MemoryAccess second;
};

struct SeenBlock {
  BlockRun run;
  std::vector<Seen> list;

  // How often an opcode was issued.
  std::size_t issued(std::string_view opcode) const {
    return static_cast<std::size_t>(
        std::count_if(list.begin(), list.end(), [&](const Seen& s) { return s.opcode == opcode; }));
  }
  // Masks of an opcode's instructions, in order.
  std::vector<std::uint32_t> masks(std::string_view opcode) const {
    std::vector<std::uint32_t> made;
    for (const Seen& s : list)
      if (s.opcode == opcode) made.push_back(s.mask);
    return made;
  }
  const Seen& first(std::string_view opcode) const {
    const auto at = std::find_if(list.begin(), list.end(), [&](const Seen& s) { return s.opcode == opcode; });
    if (at == list.end()) throw InputError("never issued");
    return *at;
  }
};

struct BlockOf {
  Shape block{.x = 32}, grid;
  std::string_view arguments;
  std::int64_t linear = 0;
  Unknown unknown = Unknown::refuse;
};

inline SeenBlock run_listing(std::string_view listing, std::string_view function, const BlockOf& of = {}) {
  const KernelCode code = read_listing(listing, function);
  const KernelLaunch launch{
      .grid = of.grid, .block = of.block, .arguments = KernelArguments::from_text(of.arguments)};
  SeenBlock seen;
  seen.run = KernelRunner(code, launch).run(of.linear, {of.unknown}, [&](const Executed& e) {
    seen.list.push_back({.warp = e.warp,
                         .opcode = code.instructions[e.instruction].opcode,
                         .mask = e.mask,
                         .taken = e.taken,
                         .access = e.access == nullptr ? MemoryAccess{} : *e.access,
                         .second = e.second == nullptr ? MemoryAccess{} : *e.second});
  });
  return seen;
}

// Instructions of a line each, with labels.
inline SeenBlock run_code(std::string_view code, const BlockOf& of = {}) {
  return run_listing(listing_of(code), "", of);
}

// The addresses of the stores of a lane, in order; `ST [R2], RZ` shows what a register holds.
inline std::vector<std::int64_t> stored_at(const SeenBlock& seen, std::size_t lane = 0) {
  std::vector<std::int64_t> made;
  for (const Seen& s : seen.list)
    if (s.access.stores && s.access.space == Space::global && (s.access.mask & s.access.known) >> lane & 1)
      made.push_back(s.access.address[lane]);
  return made;
}

} // namespace perfmodel
