// What device memory held at the launch decides ways and addresses.
#include "models/kernel/device_memory.hpp"

#include "block_runs.hpp"

#include "models/kernel/launch_arguments.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

namespace perfmodel::device_memory_test {

std::shared_ptr<const std::vector<std::uint8_t>> bytes_of(const std::vector<std::uint32_t>& words) {
  std::vector<std::uint8_t> bytes(4 * words.size());
  if (!words.empty()) std::memcpy(bytes.data(), words.data(), bytes.size());
  return std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes));
}

void keep(const std::string& name, const std::vector<std::uint32_t>& words) {
  const auto bytes = bytes_of(words);
  keep_memory_file(name, {.bytes = *bytes, .owner = bytes});
}

std::vector<std::uint32_t> counted(std::uint32_t count, std::uint32_t factor) {
  std::vector<std::uint32_t> words(count);
  for (std::uint32_t i = 0; i < count; ++i) words[i] = factor * i;
  return words;
}

// R2 is the address of the lane's word of `in`; a word is loaded, and what is at that index of `in` as well.
constexpr std::string_view gather = "S2R R0, SR_TID.X\n"
                                    "MOV R4, 0x4\n"
                                    "IMAD.WIDE R2, R0, R4, c[0x0][0x210]\n"
                                    "LDG.E R5, [R2.64]\n"
                                    "IMAD.WIDE R6, R5, R4, c[0x0][0x210]\n"
                                    "LDG.E R8, [R6.64]\n"
                                    "EXIT";

TEST(DeviceMemory, an_index_that_is_known_leads_where_it_says) {
  keep("device_memory_test.thirds", counted(32, 3));
  const SeenBlock seen = run_code(gather, {.arguments = "in=4KiB@device_memory_test.thirds"});
  const MemoryAccess& last = seen.list[5].access;
  ASSERT_EQ(last.known, all_lanes);
  for (std::size_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(last.address[lane] - last.address[0], static_cast<std::int64_t>(12 * lane)) << lane;
  EXPECT_EQ(seen.run.from_memory, 1u) << "of the second load nothing goes on";
  EXPECT_EQ(run_code(gather, {.arguments = "in=4KiB"}).list[5].access.known, 0u);
}

TEST(DeviceMemory, beyond_the_file_nothing_is_known) {
  keep("device_memory_test.eight", counted(8, 1));
  const SeenBlock seen = run_code(gather, {.arguments = "in=4KiB@device_memory_test.eight"});
  EXPECT_EQ(seen.list[5].access.known, 0xffU);
}

TEST(DeviceMemory, a_file_that_nobody_opened_is_refused_by_name) {
  try {
    KernelArguments::from_text("in=4KiB@device_memory_test.nowhere");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("device_memory_test.nowhere"), std::string::npos) << e.what();
  }
}

TEST(DeviceMemory, a_branch_by_data_is_taken_where_it_says) {
  constexpr std::string_view code = "S2R R0, SR_TID.X\n"
                                    "MOV R4, 0x4\n"
                                    "IMAD.WIDE R2, R0, R4, c[0x0][0x210]\n"
                                    "LDG.E R5, [R2.64]\n"
                                    "ISETP.GT.AND P0, PT, R5, 0x5, PT\n"
                                    "@P0 EXIT\n"
                                    "ST.E [R2.64], RZ\n"
                                    "EXIT";
  keep("device_memory_test.ones", counted(32, 1));
  const SeenBlock seen = run_code(code, {.arguments = "in=4KiB@device_memory_test.ones"});
  EXPECT_EQ(seen.first("ST").mask, 0x3fU) << "six lanes hold 0 to 5";
  EXPECT_THROW(run_code(code, {.arguments = "in=4KiB"}), InputError);
}

// Each lane stores to its word, and goes where it then says.
TEST(DeviceMemory, what_the_block_has_written_is_what_it_reads) {
  constexpr std::string_view code = "S2R R0, SR_TID.X\n"
                                    "MOV R4, 0x4\n"
                                    "IMAD.WIDE R2, R0, R4, c[0x0][0x210]\n"
                                    "IADD3 R1, R0, 0x7, RZ\n"
                                    "ST.E [R2.64], R1\n"
                                    "LDG.E R5, [R2.64]\n"
                                    "IMAD.WIDE R6, R5, R4, c[0x0][0x210]\n"
                                    "LDG.E R8, [R6.64]\n"
                                    "EXIT";
  const SeenBlock seen = run_code(code, {.arguments = "in=4KiB@device_memory_test.thirds"});
  const MemoryAccess& last = seen.list[7].access;
  ASSERT_EQ(last.known, all_lanes);
  for (std::size_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(last.address[lane] - seen.list[5].access.address[lane], 28) << lane;
}

TEST(DeviceMemory, what_the_block_may_have_written_is_not_known) {
  constexpr std::string_view code = "S2R R0, SR_TID.X\n"
                                    "MOV R4, 0x4\n"
                                    "IMAD.WIDE R2, R0, R4, c[0x0][0x210]\n"
                                    "@!P1 ST.E [R2.64], R0\n"
                                    "LDG.E R5, [R2.64]\n"
                                    "IMAD.WIDE R6, R5, R4, c[0x0][0x210]\n"
                                    "LDG.E R8, [R6.64]\n"
                                    "EXIT";
  EXPECT_EQ(run_code(code, {.arguments = "in=4KiB@device_memory_test.thirds"}).list[6].access.known, 0u);
}

// A word that other blocks may change (volatile), as it was at the launch: a maximum that is looked at first.
TEST(DeviceMemory, what_other_blocks_may_write_is_as_it_was) {
  constexpr std::string_view code = "LDC.64 R2, c[0x0][0x210]\n"
                                    "LDG.E.STRONG.SYS R5, [R2.64+0x8]\n"
                                    "ISETP.GT.AND P0, PT, R5, 0x5, PT\n"
                                    "@P0 EXIT\n"
                                    "ST.E [R2.64], RZ\n"
                                    "EXIT";
  EXPECT_EQ(run_code(code, {.arguments = "in=4KiB@device_memory_test.thirds"}).issued("ST"), 0u)
      << "6 is there";
}

// Of a large array the first part is kept.
TEST(DeviceMemory, the_rest_of_an_array_is_taken_to_repeat_what_is_known) {
  keep("device_memory_test.part", {7, 8, 9});
  const auto memory = [](bool repeats) {
    DeviceMemory made;
    made.add(
        {.address = 0x5000, .size = 100, .file = "device_memory_test.part", .bytes = 12, .repeats = repeats});
    return made;
  };
  EXPECT_EQ(memory(true).read(0x5008, 4), 9u);
  EXPECT_FALSE(memory(true).repeats(0x5008));
  EXPECT_EQ(memory(true).read(0x500c, 4), 7u);
  EXPECT_TRUE(memory(true).repeats(0x500c));
  EXPECT_EQ(memory(true).read(0x5000 + 96, 4), 7u);
  EXPECT_EQ(memory(true).read(0x5000 + 100, 4), std::nullopt) << "past the array";
  EXPECT_EQ(memory(true).read(0x5008, 8), std::nullopt) << "from one copy into the next";
  EXPECT_EQ(memory(false).read(0x500c, 4), std::nullopt);
}

// Eight bytes that pointed into a known allocation on the GPU point into it here.
TEST(DeviceMemory, a_pointer_in_memory_leads_into_the_allocation) {
  keep("device_memory_test.pointers", {0x1000'0010, 0x7, 5, 6});
  DeviceMemory memory;
  memory.add({.address = 0x5000,
              .size = 16,
              .was_at = 0x7'0000'0000,
              .file = "device_memory_test.pointers",
              .bytes = 16});
  memory.add({.address = 0x9000,
              .size = 0x100,
              .was_at = 0x7'1000'0000,
              .file = "device_memory_test.pointers",
              .bytes = 0});
  EXPECT_EQ(memory.read(0x5000, 8), 0x9010u);
  EXPECT_EQ(memory.read(0x5000, 4), 0x1000'0010u) << "half of it is a number";
  EXPECT_EQ(memory.read(0x5008, 8), (std::uint64_t{6} << 32) + 5);
  EXPECT_EQ(memory.read(0x500c, 8), std::nullopt) << "past its end";
  EXPECT_EQ(memory.read(0x9000, 4), std::nullopt) << "not kept";
  EXPECT_THROW(memory.add({.size = 99, .file = "device_memory_test.pointers", .bytes = 17}), InputError);
}

// Trips of a loop that goes by what it loads are run one by one, however alike the first ones are.
TEST(DeviceMemory, a_search_ends_where_the_data_says) {
  std::vector<std::uint32_t> words(1000, 0);
  words[700] = 1;
  keep("device_memory_test.search", words);
  constexpr std::string_view code = "MOV R2, c[0x0][0x210]\n"
                                    "MOV R3, c[0x0][0x214]\n"
                                    "LDG.E R5, [R2.64]\n"
                                    "IADD3 R2, R2, 0x4, RZ\n"
                                    "ISETP.EQ.AND P0, PT, R5, RZ, PT\n"
                                    "@P0 BRA 0x20\n"
                                    "EXIT";
  struct LeavesOut final : TripFollower {
    void begins(std::size_t) override {}
    std::uint64_t leaves_out(std::size_t, std::uint64_t times) override { return times; }
  } follower;
  const KernelCode read = read_listing(listing_of(code), "");
  const KernelLaunch launch{.block = {.x = 32},
                            .arguments = KernelArguments::from_text("in=4000B@device_memory_test.search")};
  std::size_t loads = 0;
  KernelRunner(read, launch)
      .run(
          0, {},
          [&](const Executed& e) { loads += read.instructions[e.instruction].opcode == "LDG" ? 1 : 0; },
          KernelRunner::most_instructions, &follower);
  EXPECT_EQ(loads, 701u);
}

// Counters.
TEST(AtomicStep, lanes_that_add_to_a_shared_counter_get_one_number_each) {
  constexpr std::string_view code = "MOV R1, 0x10\n"
                                    "STS [R1], RZ\n"
                                    "MOV R3, 0x8\n"
                                    "ATOMS.ADD R2, [R1], R3\n"
                                    "ST.E [R2.64], RZ\n"
                                    "EXIT";
  const SeenBlock seen = run_code(code);
  for (std::size_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(seen.first("ST").access.address[lane] & 0xffffffff, static_cast<std::int64_t>(8 * lane));
}

TEST(AtomicStep, each_operation_leaves_what_it_should) {
  // By lane 0 alone, then read back as an address.
  const auto left = [](const std::string& operation, const std::string& operands) {
    const std::string code = "MOV R1, 0x10\nMOV R3, 0x6\nMOV R4, 0x9\nMOV R5, 0x0\nSTS [R1], R3\n" +
                             operation + " R2, [R1], " + operands + "\nLDS R4, [R1]\nST.E [R4.64], RZ\nEXIT";
    const SeenBlock seen = run_code(code, {.block = {.x = 1}});
    const MemoryAccess& access = seen.first("ST").access;
    return (access.known & 1) != 0 ? access.address[0] : -1;
  };
  EXPECT_EQ(left("ATOMS.ADD", "R4"), 15);
  EXPECT_EQ(left("ATOMS.MIN", "R4"), 6);
  EXPECT_EQ(left("ATOMS.MAX.S32", "R4"), 9);
  EXPECT_EQ(left("ATOMS.AND", "R3"), 6);
  EXPECT_EQ(left("ATOMS.OR", "R4"), 15);
  EXPECT_EQ(left("ATOMS.XOR", "R3"), 0);
  EXPECT_EQ(left("ATOMS.EXCH", "R4"), 9);
  EXPECT_EQ(left("ATOMS.CAS", "R3, R4"), 9) << "it was 6";
  EXPECT_EQ(left("ATOMS.CAS", "R4, R3"), 6) << "it was not 9";
  EXPECT_EQ(left("ATOMS.INC", "R4"), 7);
  EXPECT_EQ(left("ATOMS.INC", "R3"), 0);
  EXPECT_EQ(left("ATOMS.DEC", "R4"), 5);
  EXPECT_EQ(left("ATOMS.POPC.INC.32", "R4"), 7);
}

// The launch says what it held; each lane then takes one more.
TEST(AtomicStep, a_counter_in_device_memory_goes_on_from_what_it_held) {
  keep("device_memory_test.counter", {40});
  constexpr std::string_view code = "MOV R2, c[0x0][0x210]\n"
                                    "MOV R3, c[0x0][0x214]\n"
                                    "MOV R4, 0x1\n"
                                    "ATOMG.E.ADD.STRONG.GPU PT, R6, [R2.64], R4\n"
                                    "MOV R7, 0x0\n"
                                    "ST.E [R6.64], RZ\n"
                                    "EXIT";
  const SeenBlock seen = run_code(code, {.arguments = "count=4B@device_memory_test.counter"});
  for (std::size_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(seen.first("ST").access.address[lane], static_cast<std::int64_t>(40 + lane));
}

} // namespace perfmodel::device_memory_test
