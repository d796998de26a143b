#include "traced.hpp"

#include "models/simulate/launch_traces.hpp"

#include <gtest/gtest.h>

#include <string>

namespace perfmodel::block_trace_test {

// R4: the address of each lane's own word.
const std::string address = "S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE R4, R0, 0x4, R2\n";

// Loads that pass L1 by, as those of volatile variables do, of what the block has just loaded or stored.
TEST(Again, what_the_block_has_had_is_in_l2_as_long_as_its_share_holds_it) {
  const std::string load = "LDG.E.STRONG.SYS R6, desc[UR4][R4.64]\n",
                    store = "STG.E.STRONG.SYS desc[UR4][R4.64], R0\n";
  const auto again = [&](const std::string& before, double l2_bytes) {
    const Traced t(address + before + load + "EXIT", {}, {.l1 = true}, l2_bytes);
    return std::pair(t.last(Space::global).again, t.trace.read_sectors[0] - t.trace.sectors_again[0]);
  };
  EXPECT_EQ(again("", 1000), std::pair(false, 4.0));
  EXPECT_EQ(again(load, 1000), std::pair(true, 4.0)); // four sectors once
  EXPECT_EQ(again(store, 1000), std::pair(true, 0.0));
  EXPECT_EQ(again(load, 127), std::pair(false, 8.0)); // a line has 128 bytes
}

// Copies to shared memory that pass L1 by (cp.async.cg) find nothing there, others (cp.async.ca) do.
TEST(Again, what_is_copied_past_l1_is_fetched_each_time) {
  const auto sectors = [](const std::string& copy) {
    const std::string twice = copy + " [R0], desc[UR4][R4.64]\n";
    return Traced(address + twice + twice + "EXIT").last(Space::global).sectors;
  };
  EXPECT_EQ(sectors("LDGSTS.E"), 0);
  EXPECT_EQ(sectors("LDGSTS.E.BYPASS"), 4);
}

// What a compiler makes of `ld.global.ca` that must not be moved is ordered within the SM alone.
TEST(Again, what_an_sm_alone_has_to_see_is_found_in_l1) {
  const auto sectors = [](const std::string& load) {
    const std::string twice = load + " R6, desc[UR4][R4.64]\n";
    return Traced(address + twice + twice + "EXIT").last(Space::global).sectors;
  };
  EXPECT_EQ(sectors("LDG.E.STRONG.SM"), 0);
  EXPECT_EQ(sectors("LDG.E.STRONG.GPU"), 4);
}

// Lines of 128 bytes: the first is lost where the block has touched nearly twice its share of L2 since it
// read it; the other, which it has just read, is not.
TEST(Again, what_the_block_has_touched_more_than_its_share_since_is_lost) {
  const std::string first = "LDG.E.STRONG.SYS R6, desc[UR4][R4.64]\n",
                    other = "LDG.E.STRONG.SYS R6, desc[UR4][R4.64+0x80]\n";
  const auto lost = [&](const std::string& loads, double l2_bytes) {
    return Traced(address + loads + "EXIT", {}, {.l1 = true}, l2_bytes).trace.sectors_lost[0];
  };
  EXPECT_EQ(lost(first + other + first, 140), 4);
  EXPECT_EQ(Traced(address + first + other + first + "EXIT", {}, {.l1 = true}, 140).trace.lost_alone[0], 0);
  EXPECT_EQ(lost(first + other + other, 140), 0);
  const std::string third = "LDG.E.STRONG.SYS R6, desc[UR4][R4.64+0x100]\n";
  EXPECT_EQ(lost(first + other + other + other + first + third, 300), 0)
      << "what is touched again takes up no more";
  EXPECT_EQ(lost(first + other + first, 256), 0) << "both fit";
  EXPECT_EQ(lost(first + other, 100), 0) << "each is read once";
}

// Of many lines in turn, each read again after 1.4 times the share of L2, half are lost.
TEST(Again, between_its_share_and_nearly_twice_as_much_a_part_is_lost) {
  std::string loads;
  for (int round = 0; round < 2; ++round)
    for (int line = 0; line < 14; ++line)
      loads += fmt::format("LDG.E.STRONG.SYS R6, desc[UR4][R4.64+{:#x}]\n", 128 * line);
  const Traced t(address + loads + "EXIT", {}, {.l1 = true}, 10 * 128);
  EXPECT_NEAR(t.trace.sectors_lost[0], 14 * 4 * 0.5, 1e-9);
}

// Lanes that go through rows of their own: each row is a line of L2, whatever little of it has been read, and
// what is lost comes back in atoms, here of 64 bytes.
TEST(Again, what_lies_in_rows_of_the_lanes_own_takes_up_lines) {
  const std::string rows = "S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE R4, R0, 0x200, R2\n",
                    word = "LDG.E.STRONG.SYS R6, desc[UR4][R4.64]\n",
                    other = "LDG.E.STRONG.SYS R6, desc[UR4][R4.64+0x80]\n";
  const auto lost = [&](double l2_bytes) {
    Traced t(rows + word + other + word + "EXIT", {}, {.l1 = true}, l2_bytes);
    t.rules.atom = 64;
    BlockTracer tracer(t.code, t.launch, t.rules, {});
    const BlockTrace trace = tracer.trace(1);
    EXPECT_EQ(trace.lost_alone, trace.sectors_lost);
    return trace.sectors_lost[0];
  };
  constexpr double lines = 2 * 32 * 128; // of both accesses
  EXPECT_EQ(lost(lines / 1.9), 2 * 32) << "the sectors alone, a quarter of that, would fit";
  EXPECT_EQ(lost(lines), 0) << "all that is touched fits";
}

// As of arrays that a block fills over and over: L2 has written the first line when it is stored to again.
TEST(Again, what_the_block_stores_again_after_more_than_its_share_is_written_again) {
  const std::string first = "STG.E desc[UR4][R4.64], R0\n", other = "STG.E desc[UR4][R4.64+0x80], R0\n";
  const auto rewritten = [&](const std::string& stores, double l2_bytes) {
    return Traced(address + stores + "EXIT", {}, {.l1 = true}, l2_bytes).trace.sectors_rewritten[0];
  };
  EXPECT_EQ(rewritten(first + other + first, 140), 4);
  const auto alone = [&](const std::string& store) {
    return Traced(address + store + other + store + "EXIT", {}, {.l1 = true}, 100).trace.rewritten_alone[0];
  };
  EXPECT_EQ(alone(first), 0) << "a whole line";
  EXPECT_EQ(alone("STG.E.U8 desc[UR4][R4.64+0x4], R0\n"), 5) << "parts of two";
  EXPECT_EQ(rewritten(first + other + other, 140), 0);
  EXPECT_EQ(rewritten(first + other + first, 256), 0) << "both fit";
  EXPECT_EQ(rewritten(first + other, 100), 0) << "each is stored once";
  // 512 bytes are loaded between the stores, and all that the block touches are 256.
  const std::string past_l1 = "LDG.E.STRONG.SYS R6, desc[UR4][R4.64+0x80]\n";
  EXPECT_EQ(rewritten(first + past_l1 + past_l1 + past_l1 + past_l1 + first, 300), 0);
}

// Words of four bytes in turn, each lane's in a row of its own: what L2 sends away has one word of its
// sector.
TEST(Again, what_l2_sends_away_before_it_is_whole_is_filled) {
  const std::string rows = "S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE R4, R0, 0x200, R2\n",
                    first = "STG.E desc[UR4][R4.64], R0\n", second = "STG.E desc[UR4][R4.64+0x4], R0\n",
                    other = "STG.E desc[UR4][R4.64+0x80], R0\n",
                    loads = "LDG.E.STRONG.SYS R6, desc[UR4][R4.64]\n";
  const auto refilled = [&](const std::string& steps, double l2_bytes) {
    return Traced(rows + steps + "EXIT", {}, {.l1 = true}, l2_bytes).trace.refilled_sectors[0];
  };
  constexpr double lines = 2 * 32 * 128;
  EXPECT_EQ(refilled(first + other + second, 0.5 * lines), 32);
  EXPECT_EQ(refilled(first + other + second, lines), 0) << "all of it fits";
  EXPECT_EQ(refilled(loads + first + other + second, 0.5 * lines), 0) << "it is there as a whole";
  EXPECT_EQ(refilled(first + second + other, 0.5 * lines), 0) << "nothing came in between";
}

// Each lane stores the words of its own sector one after the other, then those of a second one.
TEST(Filled, are_the_sectors_that_a_warp_stores_to_word_by_word) {
  const auto filled = [](const std::string& before, int words) {
    std::string code = "S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE R4, R0, 0x200, R2\n" + before;
    for (int word = 0; word < words; ++word)
      code += fmt::format("STG.E desc[UR4][R4.64+{:#x}], R0\n", 4 * word);
    return Traced(code + "EXIT").trace;
  };
  EXPECT_EQ(filled("", 8).filled_sectors, 32);
  EXPECT_EQ(filled("", 8).pieces_of_sector, 8);
  EXPECT_EQ(filled("", 8).open_sectors, 32 * 7.0 / 8) << "whole behind the last of eight stores";
  EXPECT_EQ(filled("", 16).filled_sectors, 64);
  EXPECT_EQ(filled("", 16).open_sectors, 64 * 7.0 / 16) << "half of them at a time";
  EXPECT_EQ(filled("", 1).open_sectors, 0);
  EXPECT_EQ(filled("LDG.E R6, desc[UR4][R4.64]\n", 8).open_sectors, 0) << "L2 has the rest";
  // Lanes that take turns with the four sectors of a line, half of each: one store fills none.
  const std::string turns =
      "S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nLOP3.LUT R6, R0, 0x3, RZ, 0xc0, !PT\n"
      "SHF.R.U32.HI R7, RZ, 0x3, R0\nIMAD R6, R6, 0x8, R7\nIMAD.WIDE R4, R6, 0x4, R2\n";
  EXPECT_EQ(Traced(turns + "STG.E desc[UR4][R4.64], R0\nEXIT").trace.filled_sectors, 0);
  EXPECT_EQ(
      Traced(address + "STG.E desc[UR4][R4.64], R0\nSTG.E desc[UR4][R4.64], R0\nEXIT").trace.open_sectors, 0)
      << "whole lines";
}

// A grade asks the same launch with another share of L2: its trace is found again where that makes no
// difference.
TEST(Again, a_trace_is_found_again_as_long_as_the_share_of_l2_makes_no_difference) {
  const std::string load = "LDG.E.STRONG.SYS R6, desc[UR4][R4.64]\n";
  const KernelCode code = read_listing(listing_of(address + load + load + "EXIT"), "");
  const KernelLaunch launch{
      .grid = {4, 1, 1}, .block = {32, 1, 1}, .arguments = KernelArguments::from_text("data=1MiB")};
  const auto traces_of = [&](const KernelCode& of, double l2_bytes) {
    AccessRules rules;
    rules.load = {.l1 = true};
    rules.l1_bytes = 65536;
    rules.l2_bytes = l2_bytes;
    const auto found = remembered_traces(of, launch, rules, {});
    return std::pair(found, found->of(1).sectors_again[0]);
  };
  const auto traces = [&](double l2_bytes) { return traces_of(code, l2_bytes); };
  const auto [less, none] = traces(71);
  EXPECT_EQ(none, 0);
  EXPECT_EQ(traces(60).first, less);
  const auto [enough, again] = traces(1000);
  EXPECT_NE(enough, less);
  EXPECT_EQ(again, 4);
  EXPECT_EQ(traces(128).first, enough) << "a line of 128 bytes, and no less, is what the second load finds";
  EXPECT_EQ(traces(71).first, less);
  const KernelCode other = code; // of which nothing is remembered
  EXPECT_EQ(traces_of(other, 1000).second, 4);
  EXPECT_EQ(traces_of(other, 100).second, 0);
}

// A captured program's launches are asked for one after the other, and again when its costs are moved.
TEST(Again, the_traces_of_some_hundred_launches_in_turn_are_all_found_again) {
  const KernelCode code =
      read_listing(listing_of(address + "LDG.E.STRONG.SYS R6, desc[UR4][R4.64]\nEXIT"), "");
  const auto traces_of = [&](std::int64_t blocks) {
    const KernelLaunch launch{
        .grid = {blocks, 1, 1}, .block = {32, 1, 1}, .arguments = KernelArguments::from_text("data=1MiB")};
    const auto found = remembered_traces(code, launch, AccessRules{}, {});
    EXPECT_EQ(found->of(0).counts.load_sectors, 4);
    return found;
  };
  std::vector<std::shared_ptr<LaunchTraces>> first;
  for (std::int64_t blocks = 1; blocks <= 300; ++blocks) first.push_back(traces_of(blocks));
  for (std::int64_t blocks = 1; blocks <= 300; ++blocks)
    EXPECT_EQ(traces_of(blocks), first[static_cast<std::size_t>(blocks - 1)]) << blocks;
}

// Each lane its word, `apart` bytes from the one before: loaded, and stored in the other array at both
// offsets.
std::string moved(int apart, const char* first, const char* second) {
  const std::string by = "IMAD R8, R0, " + std::to_string(apart) + ", RZ\n";
  return "S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nLDC.64 R6, c[0x0][0x218]\n" + by +
         "IMAD.WIDE R4, R8, 0x1, R2\nIMAD.WIDE R6, R8, 0x1, R6\nLDG.E R5, desc[UR4][R4.64]\n"
         "STG.E desc[UR4][R6.64" +
         first + "], R5\nSTG.E desc[UR4][R6.64" + second + "], R5\nEXIT";
}

// cc 1.3: half-warps, in segments of 64 B where words lie side by side, and else of 32.
TEST(Transactions, are_those_of_the_gpus_own_rule) {
  const CoalescingRule segments{
      .kind = CoalescingRule::Kind::segments, .threads = 16, .least = 32, .most = 128, .cached = false};
  const Traced rows(moved(4, "", "+0x1000"), {}, segments), columns(moved(128, "", "+0x4"), {}, segments);
  EXPECT_EQ(rows.trace.counts.load_transactions, 2);
  EXPECT_EQ(rows.trace.counts.store_transactions, 4);
  EXPECT_EQ(columns.trace.counts.load_transactions, 32);
  EXPECT_EQ(columns.trace.counts.store_transactions, 64);
  EXPECT_EQ(columns.trace.counts.parts, 6);
  const Traced sectors(moved(4, "", "+0x1000"));
  EXPECT_EQ(sectors.trace.counts.load_transactions, 4);
  EXPECT_EQ(sectors.trace.counts.store_transactions, 8);
  EXPECT_EQ(sectors.trace.counts.parts, 3);
}

// A column of words, then the one beside it: what is stored twice into a sector counts twice, and lies in it
// once. Lines that are few enough stay open, and leave whole.
TEST(Stores, that_fill_a_sector_one_after_the_other_are_told_apart) {
  const Traced columns(moved(128, "", "+0x4")), elsewhere(moved(128, "", "+0x40")),
      rows(moved(16, "", "+0x4"));
  EXPECT_EQ(columns.trace.stored_sectors[1], 64);
  EXPECT_EQ(columns.trace.footprint.stores[1].size(), 32u);
  EXPECT_EQ(columns.trace.pieced_lines, 32);
  EXPECT_EQ(elsewhere.trace.pieced_lines, 0);
  EXPECT_EQ(rows.trace.pieced_lines, 0);
}

// As an argument of -1000 may lead there; the addresses begin in the middle of a sector.
TEST(Stores, below_address_0_fill_sectors_as_those_above_it) {
  const auto at = [](const std::string& low, const std::string& high) {
    return Traced("S2R R0, SR_TID.X\nMOV R2, " + low + "\nMOV R3, " + high +
                  "\nIMAD.WIDE R4, R0, 0x4, R2\nSTG.E desc[UR4][R4.64], R0\nEXIT")
        .last(Space::global);
  };
  const TracedStep below = at("0xfffffc10", "0xffffffff"), above = at("0xfffffc10", "0x0");
  EXPECT_EQ(below.sectors, 5);
  EXPECT_EQ(below.partial, 2);
  EXPECT_EQ(std::pair(above.sectors, above.partial), std::pair(below.sectors, below.partial));
}

// Words side by side fill a line of 128 bytes; from the middle of one on they are parts of two.
TEST(Stores, to_parts_of_lines_are_known_by_their_warp) {
  for (const bool in_part : {false, true}) {
    const Traced block(address + "STG.E desc[UR4][R4.64" + (in_part ? "+0x40" : "") + "], R0\nEXIT");
    const auto& stores = block.trace.footprint.stores[0];
    ASSERT_EQ(stores.size(), 4u);
    for (const auto& [sector, stored] : stores) EXPECT_EQ(stored.by, in_part ? 0U : StoredSector::whole);
  }
}

// It takes an issue slot, as any other that no lane executes.
TEST(Steps, of_an_instruction_that_is_not_known_are_there_where_no_lane_executes_it) {
  const Traced unread("@!PT FROB R0, R1\n@!PT FADD.WARP9 R0, R1, R2\nEXIT");
  EXPECT_EQ(unread.trace.counts.instructions, 3);
  EXPECT_TRUE(unread.steps[unread.trace.warps[0][0]].idle && unread.steps[unread.trace.warps[0][1]].idle);
  EXPECT_FALSE(unread.steps[unread.trace.warps[0][2]].idle);
}

// Four blocks of an SM load the same four lines, and each fetches one. A block that leaves before it loads,
// as those above the diagonal of an attention do, says nothing about the others, although it is traced first.
TEST(BlockTrace, a_block_that_reads_nothing_says_nothing_of_what_blocks_share) {
  const KernelCode code = read_listing(
      listing_of("S2R R0, SR_CTAID.X\nISETP.GE.AND P0, PT, R0, 0x8, PT\n@P0 EXIT\nLDC.64 R2, c[0x0][0x210]\n"
                 "LDG.E R4, desc[UR4][R2.64]\nLDG.E R5, desc[UR4][R2.64+0x80]\n"
                 "LDG.E R6, desc[UR4][R2.64+0x100]\nLDG.E R7, desc[UR4][R2.64+0x180]\nEXIT"),
      "");
  KernelLaunch launch{.grid = {16, 1, 1}, .block = {32, 1, 1}, .arguments = {}};
  launch.arguments = KernelArguments::from_text("data=1MiB,index=1MiB");
  AccessRules rules;
  rules.load = {.l1 = true};
  rules.l1_bytes = 65536;
  rules.sharers = 4;
  rules.apart = 1;
  BlockTracer tracer(code, launch, rules, {});
  EXPECT_EQ(tracer.trace(12).counts.load_sectors, 0);
  const BlockTrace loads = tracer.trace(0);
  EXPECT_EQ(loads.counts.load_sectors, 4);
  EXPECT_EQ(loads.read_sectors[0], 1);
}

// L2 reads a sector to change a word of it, and then has all of it.
TEST(BlockTrace, atomic_operations_read_what_they_change) {
  const Traced t("S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x210]\nIMAD.WIDE R2, R0, 0x20, R2\n"
                 "REDG.E.ADD.STRONG.GPU desc[UR4][R2.64], R0\nEXIT");
  EXPECT_EQ(t.trace.read_sectors[0], 32);
  EXPECT_EQ(t.trace.footprint.loads[0].size(), 32u);
  ASSERT_EQ(t.trace.footprint.stores[0].size(), 32u);
  for (const auto& [sector, stored] : t.trace.footprint.stores[0]) EXPECT_EQ(stored.bytes, ~0u);
  EXPECT_EQ(t.trace.counts.l2_read_sectors, 0) << "nothing comes to L1";
}

// Four warps: 0 and 2 load one line, 1 and 3 the next; each twice by different instructions.
TEST(FetchedBy, the_warp_whose_line_another_finds_by_the_same_instruction) {
  const KernelCode code = read_listing(
      listing_of("S2R R0, SR_TID.X\nLOP3.LUT R1, R0, 0x3f, RZ, 0xc0, !PT\nLDC.64 R2, c[0x0][0x210]\n"
                 "IMAD.WIDE R4, R1, 0x4, R2\nLDG.E R6, desc[UR4][R4.64]\nLDG.E R7, desc[UR4][R4.64]\nEXIT"),
      "");
  KernelLaunch launch{.grid = {4, 1, 1}, .block = {128, 1, 1}, .arguments = {}};
  launch.arguments = KernelArguments::from_text("data=1MiB");
  AccessRules rules;
  rules.load = {.l1 = true};
  rules.l1_bytes = 65536;
  BlockTracer tracer(code, launch, rules, {});
  const BlockTrace trace = tracer.trace(1);
  std::vector<int> by;
  for (std::size_t warp = 0; warp < 4; ++warp)
    for (const std::uint32_t number : trace.warps[warp])
      if (tracer.steps()[number].loads && tracer.steps()[number].space == Space::global)
        by.push_back(tracer.steps()[number].fetched_by);
  EXPECT_EQ(by, (std::vector<int>{0, 0, 0, 0, 1, 0, 2, 0}));
}

// A row that a warp stores and then reads again comes from L2: of device memory nothing is asked for it. Half
// of a sector would have to be filled.
TEST(BlockTrace, what_a_block_has_stored_no_memory_has_to_deliver) {
  const auto fetched = [](const std::string& code) {
    return Traced(address + code + "EXIT", {}, {.l1 = false}, 1e6).trace.footprint.loads[0].size();
  };
  const std::string store = "STG.E desc[UR4][R4.64], R0\n", load = "LDG.E R6, desc[UR4][R4.64]\n";
  EXPECT_EQ(fetched(load), 4u);
  EXPECT_EQ(fetched(store + load), 0u);
  EXPECT_EQ(fetched(load + store), 4u) << "changed in place";
  EXPECT_EQ(fetched("STG.E.U16 desc[UR4][R4.64], R0\n" + load), 4u);
  // Not where L2 has lost it since: 128 bytes stored and as many loaded.
  const std::string others = "LDG.E R7, desc[UR4][R4.64+0x80]\nLDG.E R7, desc[UR4][R4.64+0x100]\n";
  const auto of = [&](double l2_bytes) {
    return Traced(address + store + others + load + load + "EXIT", {}, {.l1 = false}, l2_bytes).trace;
  };
  EXPECT_EQ(of(1000).footprint.loads[0].size(), 8u);
  EXPECT_EQ(of(250).footprint.loads[0].size(), 12u);
  EXPECT_EQ(of(70).sectors_lost[0], 4) << "and once more when it is read again";
}

} // namespace perfmodel::block_trace_test
