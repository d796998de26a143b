// Coalescing: the transactions of one warp's load or store of global memory.
//   cc 1.0, 1.1   a half-warp whose thread k accesses word k of a segment of 16 words (of 4 B or more,
//   aligned
//                 to its size; threads may be missing) takes that segment; else every thread takes 32 B alone
//   cc 1.2, 1.3   a half-warp takes one segment of 32, 64 or 128 B (words of 1, 2, more bytes) for each that
//                 it touches, and of a segment whose other half it does not touch only that half
//   cc 2.0 on     a warp takes the different 128 B lines (L1 of Fermi) or 32 B sectors that it touches; up to
//                 cc 3.7 words of 8 and 16 B are requests of half- and quarter-warps
// NVIDIA, CUDA C Programming Guide 4.2, sections F.3 to F.5, and CUDA Best Practices Guide. Assumes words
// aligned to their size, as CUDA does, and arrays that start on a multiple of every transaction.
#pragma once

#include "models/access/launch.hpp"
#include "models/core/facts.hpp"
#include "models/core/gpu.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace perfmodel {

enum class GlobalAccess { load, store, copy };
constexpr auto names(GlobalAccess) { return std::to_array<std::string_view>({"load", "store", "copy"}); }

// Where a load may be cached: as the compiler does by default, in L1 and L2 (-dlcm=ca), in L2 alone
// (-dlcm=cg).
enum class LoadCache { standard, l1, l2 };
constexpr auto names(LoadCache) { return std::to_array<std::string_view>({"default", "l1", "l2"}); }

struct CoalescingRule {
  enum class Kind { strict, segments, distinct };
  Kind kind = Kind::distinct;
  std::int64_t threads = 32; // of a request
  std::int64_t request = 0;  // bytes of a request at most: wider words are fewer threads; 0: no such limit
  std::int64_t least = 32;   // bytes of a transaction
  std::int64_t most = 32;
  std::int64_t alone = 32; // strict: of a thread that is not coalesced
  bool cached = true;      // in L2: not before cc 2.0
  bool l1 = false;         // loads of a block's warps meet in L1

  bool takes_whole_warps(std::int64_t word) const {
    return kind == Kind::distinct && threads_of(word) == static_cast<std::int64_t>(warp_lanes);
  }
  std::int64_t threads_of(std::int64_t word) const {
    return request > 0 && request / word < threads ? request / word : threads;
  }
  friend bool operator==(const CoalescingRule&, const CoalescingRule&) = default;
};

// The rule by which `access`, a load or a store, is served. A device without
// the cache that is asked for serves a load as it serves all. Throws InputError: a fact is missing or of no
// use.
CoalescingRule coalescing_rule(const Gpu& gpu, GlobalAccess access, LoadCache cache);

struct Transaction {
  std::int64_t address, bytes;
  friend bool operator==(const Transaction&, const Transaction&) = default;
};

// The words of one request: their addresses, of the active ones among `threads` lanes from `first` on,
// ascending.
struct SortedLanes {
  std::array<std::int64_t, warp_lanes> address;
  std::size_t count = 0;
};
SortedLanes ascending(std::span<const std::int64_t, warp_lanes> address, std::uint32_t mask,
                      std::size_t first = 0, std::size_t threads = warp_lanes);

// Of one instruction of a warp; in the order of requests.
struct Transactions {
  std::array<Transaction, 2 * warp_lanes> list; // a lane has one transaction, or a strict half-warp two
  std::size_t count = 0;
  std::int64_t requests = 0; // that have an active thread
  std::int64_t moved = 0;    // bytes of all transactions
  std::int64_t unique = 0;   // bytes that the threads of a request ask for, a word that several read once

  std::span<const Transaction> all() const& { return {list.data(), count}; }
  std::span<const Transaction> all() const&& = delete; // it would outlive the list
};

// `address` is the first byte of each lane's word, `mask` has bit n for lane n, `word` is 1, 2, 4, 8 or 16.
Transactions transactions(const CoalescingRule& rule, std::span<const std::int64_t, warp_lanes> address,
                          std::uint32_t mask, std::int64_t word);
// The same where the words of all active lanes, which are sorted already, are one request.
Transactions transactions_of_whole(const CoalescingRule& rule, const SortedLanes& warp, std::int64_t word);

} // namespace perfmodel
