// Blocks that wait for blocks before them find what these have left.
#include "models/kernel/earlier_blocks.hpp"

#include "block_runs.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace perfmodel::earlier_blocks_test {

constexpr std::uint64_t flags = 1000, counter = 7; // words

// Each writes its own flag, first as 1, then as `last` says, and counts.
EarlierBlocks with_flags(std::int64_t together, std::uint32_t (*last)(std::uint32_t)) {
  EarlierBlocks made;
  for (std::uint32_t block = 0; block < EarlierBlocks::in_order; ++block)
    made.add({{.instruction = 0x10, .word = flags + 2 * block, .value = 1},
              {.instruction = 0x20, .word = counter, .value = block + 1},
              {.instruction = 0x30, .word = flags + 2 * block, .value = last(block)}});
  made.complete({flags + 2 * (EarlierBlocks::in_order - 2)}, together);
  return made;
}
std::uint32_t two(std::uint32_t) { return 2; }
std::uint32_t of_three_more(std::uint32_t block) { return 100 + 3 * block; }

TEST(EarlierBlocks, a_block_finds_what_those_before_it_have_left) {
  const EarlierBlocks made = with_flags(1, two);
  for (const std::int64_t block : {5, 33, 500}) {
    EXPECT_EQ(made.find(flags + 2 * static_cast<std::uint64_t>(block - 1), block), std::optional(2u))
        << block;
    EXPECT_FALSE(made.find(flags + 2 * static_cast<std::uint64_t>(block), block)) << "its own: " << block;
    EXPECT_FALSE(made.find(flags + 1, block)) << "which nobody writes: " << block;
    EXPECT_EQ(made.find(counter, block), std::optional(static_cast<std::uint32_t>(block)))
        << "it draws its number: " << block;
  }
}

TEST(EarlierBlocks, sums_go_on_as_they_have_grown) {
  EXPECT_EQ(with_flags(1, of_three_more).find(flags + 2 * 499, 500), std::optional(100u + 3 * 499));
}

TEST(EarlierBlocks, what_blocks_do_not_write_in_turn_is_not_known_later_on) {
  EarlierBlocks made;
  for (std::uint32_t block = 0; block < EarlierBlocks::in_order; ++block)
    made.add({{.instruction = 0x10, .lane = block % 2, .word = counter, .value = block}});
  made.complete({}, 1);
  EXPECT_EQ(made.find(counter, 10), std::optional(9u));
  const auto later = made.find(counter, 500);
  ASSERT_TRUE(later);
  EXPECT_FALSE(*later);
}

// By hand: the first look reaches one block back, and 1, 3, 6, 10, ... blocks are done after 1, 2, 3, 4
// looks.
TEST(EarlierBlocks, blocks_that_are_launched_together_look_back_over_those_on_their_way) {
  const EarlierBlocks made = with_flags(100, two);
  const std::pair<std::int64_t, std::int64_t> expected[] = {
      {1, 0}, {2, 1}, {3, 1}, {4, 2}, {6, 2}, {7, 3}, {50, 9}, {55, 9}, {56, 10}, {99, 13}, {100, 0}};
  for (const auto& [block, on_their_way] : expected)
    EXPECT_EQ(made.on_their_way(block), on_their_way) << block;
  EXPECT_EQ(made.find(flags + 2 * 49, 50), std::optional(1u));
  EXPECT_EQ(made.find(flags + 2 * 41, 50), std::optional(1u));
  EXPECT_EQ(made.find(flags + 2 * 40, 50), std::optional(2u)) << "it is done";
  EXPECT_EQ(made.find(flags + 2 * 149, 150), std::optional(2u)) << "launched later";
}

SeenBlock run_in_order(std::string_view text, std::string_view arguments, std::int64_t block,
                       std::int64_t together = 1) {
  const KernelCode code = read_listing(listing_of(text), "");
  const KernelLaunch launch{
      .grid = {.x = 300}, .block = {.x = 1}, .arguments = KernelArguments::from_text(arguments)};
  SeenBlock seen;
  seen.run = KernelRunner(code, launch, true).run(block, {.together = together}, [&](const Executed& e) {
    seen.list.push_back({.warp = e.warp,
                         .opcode = code.instructions[e.instruction].opcode,
                         .mask = e.mask,
                         .taken = e.taken,
                         .access = e.access == nullptr ? MemoryAccess{} : *e.access,
                         .second = {}});
  });
  return seen;
}

// R4 is the address of the block's own word.
constexpr std::string_view own_word = "S2R R0, SR_CTAID.X\n"
                                      "MOV R8, 0x4\n"
                                      "IMAD.WIDE R4, R0, R8, c[0x0][0x210]\n";

// Each block waits until the one before it has left a number, and leaves one more.
TEST(EarlierBlocks, a_chain_of_blocks_is_followed_without_what_memory_held) {
  const std::string chain = std::string(own_word) + "MOV R7, 0x1\n"
                                                    "ISETP.EQ.AND P1, PT, R0, RZ, PT\n"
                                                    "@P1 BRA `(.L_first)\n"
                                                    ".L_wait:\n"
                                                    "LDG.E.STRONG.GPU R6, [R4.64+-0x4]\n"
                                                    "ISETP.EQ.AND P0, PT, R6, RZ, PT\n"
                                                    "@P0 BRA `(.L_wait)\n"
                                                    "IADD3 R7, R6, 0x1, RZ\n"
                                                    ".L_first:\n"
                                                    "STG.E.STRONG.GPU [R4.64], R7\n"
                                                    "ST [R7], RZ\n"
                                                    "EXIT";
  EXPECT_THROW(run_code(chain, {.grid = {.x = 300}, .arguments = "a=4KiB", .linear = 200}), InputError);
  for (const std::int64_t block : {0, 1, 32, 200}) {
    const SeenBlock seen = run_in_order(chain, "a=4KiB", block);
    EXPECT_EQ(stored_at(seen).back(), block + 1);
    EXPECT_EQ(seen.issued("LDG"), block > 0 ? 1u : 0u) << "it finds it at the first look";
    EXPECT_EQ(seen.run.from_blocks, block > 0 ? 1u : 0u);
    EXPECT_EQ(seen.run.waits_over, 0u);
  }
}

TEST(EarlierBlocks, a_wait_for_what_nobody_has_left_is_over_after_a_look) {
  const std::string later = std::string(own_word) + ".L_wait:\n"
                                                    "LDG.E.STRONG.GPU R6, [R4.64+0x4]\n"
                                                    "ISETP.EQ.AND P0, PT, R6, RZ, PT\n"
                                                    "@P0 BRA `(.L_wait)\n"
                                                    "STG.E.STRONG.GPU [R4.64], R8\n"
                                                    "EXIT";
  const auto zeros = std::make_shared<const std::vector<std::uint8_t>>(4096);
  keep_memory_file("earlier_blocks_test.zeros", {.bytes = *zeros, .owner = zeros});
  for (const char* arguments : {"a=4KiB", "a=4KiB@earlier_blocks_test.zeros"}) {
    const SeenBlock seen = run_in_order(later, arguments, 40);
    EXPECT_EQ(seen.issued("LDG"), 1u) << arguments;
    EXPECT_EQ(seen.run.waits_over, 1u) << arguments;
  }
}

TEST(EarlierBlocks, blocks_draw_their_numbers_from_a_counter) {
  const auto zeros = std::make_shared<const std::vector<std::uint8_t>>(4096);
  keep_memory_file("earlier_blocks_test.counter", {.bytes = *zeros, .owner = zeros});
  constexpr std::string_view draw = "LDC.64 R2, c[0x0][0x210]\n"
                                    "MOV R5, 0x1\n"
                                    "ATOMG.E.ADD.STRONG.GPU PT, R6, [R2.64], R5\n"
                                    "ST [R6], RZ\n"
                                    "EXIT";
  for (const std::int64_t block : {0, 7, 33, 250})
    EXPECT_EQ(stored_at(run_in_order(draw, "a=4KiB@earlier_blocks_test.counter", block)).back(), block);
}

// A block leaves 1, goes back over all that have left 1, and leaves 2.
TEST(EarlierBlocks, who_is_launched_with_others_takes_several_looks) {
  const std::string look_back = std::string(own_word) + "MOV R9, 0x1\n"
                                                        "STG.E.STRONG.GPU [R4.64], R9\n"
                                                        ".L_look:\n"
                                                        "ISETP.EQ.AND P1, PT, R0, RZ, PT\n"
                                                        "@P1 BRA `(.L_done)\n"
                                                        "IADD3 R0, R0, -0x1, RZ\n"
                                                        "IMAD.WIDE R6, R0, R8, c[0x0][0x210]\n"
                                                        "LDG.E.STRONG.GPU R11, [R6.64]\n"
                                                        "ISETP.EQ.AND P0, PT, R11, 0x1, PT\n"
                                                        "@P0 BRA `(.L_look)\n"
                                                        ".L_done:\n"
                                                        "MOV R9, 0x2\n"
                                                        "STG.E.STRONG.GPU [R4.64], R9\n"
                                                        "EXIT";
  EXPECT_EQ(run_in_order(look_back, "a=4KiB", 50, 100).issued("LDG"), 10u);
  EXPECT_EQ(run_in_order(look_back, "a=4KiB", 150, 100).issued("LDG"), 1u);
}

TEST(EarlierBlocks, what_a_barrier_votes_is_known_where_blocks_are_followed) {
  const SeenBlock seen = run_in_order("PLOP3.LUT P1, PT, PT, PT, PT, 0x80, 0x0\n"
                                      "BAR.RED.OR.DEFER_BLOCKING 0x0, P1\n"
                                      "B2R.RESULT RZ, P2\n"
                                      "P2R R4, PR, RZ, 0x4\n"
                                      "ST [R4], RZ\n"
                                      "EXIT",
                                      "a=4KiB", 3);
  EXPECT_EQ(stored_at(seen), std::vector<std::int64_t>{4});
}

// Compilers keep several predicates in the bits of a register that nothing has been written to before.
TEST(EarlierBlocks, what_a_register_held_before_does_not_make_its_bits_unknown) {
  const SeenBlock seen = run_in_order("LOP3.LUT R4, R4, 0x4, RZ, 0xfc, !PT\nST [R4], RZ\nEXIT", "a=4KiB", 3);
  EXPECT_EQ(stored_at(seen), std::vector<std::int64_t>{4});
}

} // namespace perfmodel::earlier_blocks_test
