// A block whose trips of loops are left out, beside the same one with every trip run.
#pragma once

#include "models/simulate/block_trace.hpp"

#include "tests/models/kernel/one_warp.hpp"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <gtest/gtest.h>

namespace perfmodel::trips_test {

struct Both {
  BlockTrace every, some;
  std::size_t left_out = 0; // by all warps, how often

  Both(std::string_view text, std::int64_t threads, std::string_view arguments, double l1_bytes = 65536,
       std::int64_t atom = 32, std::int64_t sharers = 1, std::int64_t blocks = 4, double l2_bytes = 0) {
    const KernelCode code = read_listing(listing_of(text), "");
    KernelLaunch launch{.grid = {blocks, 1, 1}, .block = {threads, 1, 1}, .arguments = {}};
    launch.arguments = KernelArguments::from_text(arguments);
    AccessRules rules;
    rules.load = rules.store = {.l1 = true};
    rules.store.l1 = false;
    rules.l1_bytes = l1_bytes;
    rules.atom = atom;
    rules.l2_bytes = l2_bytes;
    rules.sharers = sharers;
    rules.apart = 1;
    BlockTracer tracer(code, launch, rules, {});
    every = tracer.trace_every_trip(1);
    some = tracer.trace(1);
    for (const auto& warp : some.left_out) left_out += warp.size();
  }
  // That it reads, whenever: of trips that are left out the warps take theirs one after the other.
  static std::set<std::pair<std::size_t, std::uint64_t>> atoms(const BlockTrace& trace) {
    std::set<std::pair<std::size_t, std::uint64_t>> all;
    for (std::size_t array = 0; array < trace.footprint.loads.size(); ++array)
      for (const auto& [atom, access] : trace.footprint.loads[array]) all.emplace(array, atom);
    return all;
  }
  // That it stores to, with their bytes.
  static std::set<std::tuple<std::size_t, std::uint64_t, std::uint32_t>> sectors(const BlockTrace& trace) {
    std::set<std::tuple<std::size_t, std::uint64_t, std::uint32_t>> all;
    for (std::size_t array = 0; array < trace.footprint.stores.size(); ++array)
      for (const auto& [sector, stored] : trace.footprint.stores[array])
        all.emplace(array, sector, stored.bytes);
    return all;
  }
  void expect_equal() const {
    EXPECT_DOUBLE_EQ(some.counts.instructions, every.counts.instructions);
    EXPECT_DOUBLE_EQ(some.counts.lanes, every.counts.lanes);
    EXPECT_DOUBLE_EQ(some.counts.load_sectors, every.counts.load_sectors);
    EXPECT_DOUBLE_EQ(some.counts.store_sectors, every.counts.store_sectors);
    EXPECT_DOUBLE_EQ(some.counts.l2_read_sectors, every.counts.l2_read_sectors);
    EXPECT_DOUBLE_EQ(some.counts.shared_wavefronts, every.counts.shared_wavefronts);
    EXPECT_DOUBLE_EQ(some.counts.branches, every.counts.branches);
    EXPECT_EQ(atoms(some), atoms(every));
    for (std::size_t i = 0; i < every.sectors_lost.size(); ++i) {
      EXPECT_NEAR(some.sectors_lost[i], every.sectors_lost[i], 1e-6 * every.sectors_lost[i]);
      EXPECT_NEAR(some.sectors_rewritten[i], every.sectors_rewritten[i], 1e-6 * every.sectors_rewritten[i]);
      EXPECT_NEAR(some.refilled_sectors[i], every.refilled_sectors[i], 1e-6 * every.refilled_sectors[i]);
    }
    EXPECT_EQ(sectors(some), sectors(every));
    EXPECT_EQ(some.filled_sectors, every.filled_sectors);
    EXPECT_EQ(some.pieces_of_sector, every.pieces_of_sector);
    EXPECT_NEAR(some.open_sectors, every.open_sectors, 1e-9 * every.open_sectors);
    EXPECT_EQ(some.read_sectors, every.read_sectors);
    EXPECT_EQ(some.sectors_again, every.sectors_again);
    EXPECT_EQ(some.stored_sectors, every.stored_sectors);
    for (std::size_t warp = 0; warp < every.warps.size(); ++warp) {
      EXPECT_EQ(some.steps_with(warp, 1).size(), every.warps[warp].size());
      EXPECT_TRUE(every.left_out[warp].empty());
    }
  }
};

// A lane reads `trips` words, `stride` bytes apart.
inline std::string walk(std::string_view loop_end, std::string_view stride = "0x1000",
                        std::string_view more = "") {
  return "S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE R4, R0, 0x4, R2\nMOV R6, RZ\nMOV R9, RZ\n" +
         std::string(".L_1:\nLDG.E R8, desc[UR4][R4.64]\n") + std::string(more) + "IADD3 R4, P1, R4, " +
         std::string(stride) + ", RZ\nIADD3.X R5, RZ, R5, RZ, P1, !PT\nIADD3 R6, R6, 0x1, RZ\n" +
         std::string(loop_end) + "\nEXIT";
}

} // namespace perfmodel::trips_test
