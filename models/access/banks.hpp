// Shared memory's banks: what one load or store of a warp costs.
//   bank(byte a) = (a / interleave) mod banks, row(a) = a / (banks x width).
// In a step every bank delivers one row of its own. A request takes as many steps as its fullest bank has
// different rows: the degree. An instruction is one request or several, and its wavefronts are their steps.
// Where a bank is as wide as the interleave, a row of a bank is a word: the degree is the number of different
// words on the fullest bank, gcd(stride, banks) for a stride. Kepler's banks are 8 B wide; in its 4 B mode,
// words i and i + 32 of 64 aligned ones share a row.
// Up to cc 1.3 a step broadcasts one word; of every other bank one thread is served.
// Wide words: fewer threads a request, as many as the banks deliver bytes for (half-warps of 8 B,
// quarter-warps of 16 B), or, up to cc 1.3, one request for each bank-wide part of the word. NVIDIA, CUDA C
// Programming Guide 4.2, sections F.3 to F.5; for packed requests (lane_pairs) an NVIDIA engineer at
// https://forums.developer.nvidia.com/t/77228. Assumes words aligned to their size, as CUDA does.
#pragma once

#include "models/access/launch.hpp"
#include "models/core/facts.hpp"
#include "models/core/gpu.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace perfmodel {

enum class SharedAccess { load, store };
constexpr auto names(SharedAccess) { return std::to_array<std::string_view>({"load", "store"}); }

struct Banks {
  std::int64_t count = 32, width = 4; // bytes
  std::int64_t interleave = 4;        // consecutive bytes of one bank
  std::int64_t request_threads = 32;
  bool broadcasts_every_word = true; // else one word a step
  bool splits_words = false;         // else wide words make requests of fewer threads
  std::int64_t extra_steps_wide = 0; // of each request of 16 B words
  // Two requests of a wide load become one when lanes n and n ^ p read the same words, for one of these p.
  std::vector<std::int64_t> lane_pairs;
  friend bool operator==(const Banks&, const Banks&) = default;
};

// `mode`: the interleave, where the device lets one choose. Throws InputError: a fact is missing, or there is
// no such mode.
template <class T> Banks banks_of(const Gpu& gpu, const std::optional<Bytes>& mode, T& trace);

struct BankSteps {
  std::int64_t degree = 0;     // steps of the worst request, but for extra ones
  std::int64_t wavefronts = 0; // steps of all requests
  std::int64_t least = 0;      // what they would take without conflicts
  friend bool operator==(const BankSteps&, const BankSteps&) = default;
};

// Of one instruction: `address` is the first byte of each lane's word, `mask` has bit n for lane n, `word` is
// 1, 2, 4, 8 or 16 bytes. Without active lanes all is 0.
BankSteps bank_steps(const Banks& banks, std::span<const std::int64_t, warp_lanes> address,
                     std::uint32_t mask, std::int64_t word, SharedAccess access);

// The same request by request, with what each touches: for pictures, and slower.
struct BankRequest {
  struct Place {
    std::int64_t bank = 0, byte = 0; // the first of the row, or of the word where a step serves one word
    std::vector<std::size_t> lanes;
  };
  std::int64_t steps = 0;    // of the request, extra ones with it
  std::uint32_t lanes = 0;   // that it is of
  std::vector<Place> places; // different ones, by bank and byte
};
std::vector<BankRequest> bank_requests(const Banks& banks, std::span<const std::int64_t, warp_lanes> address,
                                       std::uint32_t mask, std::int64_t word, SharedAccess access);

} // namespace perfmodel
