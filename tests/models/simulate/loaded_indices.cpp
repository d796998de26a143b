// Addresses that rest on what was loaded.
#include "traced.hpp"

#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

#include <string>

namespace perfmodel::loaded_indices_test {

using block_trace_test::Traced;

// x = index[own], then data[x]: `own` says whose index a lane reads.
std::string gather(std::string_view own) {
  return "S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x218]\n" + std::string(own) +
         "\nLDG.E R5, desc[UR4][R4.64]\nLDC.64 R6, c[0x0][0x210]\nIMAD.WIDE R8, R5, 0x4, R6\n"
         "LDG.E R10, desc[UR4][R8.64]\nEXIT";
}
constexpr std::string_view own_index = "IMAD.WIDE R4, R0, 0x4, R2", one_index = "IMAD.WIDE R4, RZ, 0x4, R2";

TEST(LoadedIndices, are_refused_by_line_unless_something_is_assumed_of_them) {
  EXPECT_EQ(error_of([] { Traced t{gather(own_index)}; }),
            "line 8: 'LDG.E R10, desc[UR4][R8.64]': the address goes by data that is loaded; --index spread "
            "or near "
            "says where it leads");
}

// 32 places of 262 144, eight of a sector: hardly two lanes meet.
TEST(LoadedIndices, that_are_spread_lead_each_lane_elsewhere_in_the_array) {
  const Traced t(gather(own_index), {.indices = LoadedIndex::spread});
  EXPECT_EQ(t.last(Space::global).allocation, 0);
  EXPECT_GE(t.last(Space::global).sectors, 30);
  EXPECT_EQ(t.trace.run.indexed, 1u);
  for (const auto& [atom, moved] : t.trace.footprint.loads[0]) {
    EXPECT_GE(atom * 32, t.launch.arguments.allocations[0].address);
    EXPECT_LT(atom * 32, t.launch.arguments.allocations[0].address + (1 << 20));
  }
}

TEST(LoadedIndices, that_are_near_lead_neighbours_to_neighbours) {
  const Traced t(gather(own_index), {.indices = LoadedIndex::near});
  EXPECT_EQ(t.last(Space::global).sectors, 4);
}

TEST(LoadedIndices, that_all_lanes_read_lead_all_of_them_the_same_way) {
  const Traced t(gather(one_index), {.indices = LoadedIndex::spread});
  EXPECT_EQ(t.last(Space::global).sectors, 1);
}

// An int of eight bits, through a mask and a shift: 256 lines at most, each lane its own.
TEST(LoadedIndices, go_through_logic_as_numbers_do) {
  const Traced t(
      "S2R R0, SR_TID.X\nLDC.64 R2, c[0x0][0x218]\nIMAD.WIDE R4, R0, 0x4, R2\n"
      "LDG.E R5, desc[UR4][R4.64]\nLOP3.LUT R5, R5, 0xff, RZ, 0xc0, !PT\nLDC.64 R6, c[0x0][0x210]\n"
      "IMAD.WIDE R8, R5, 0x80, R6\nLDG.E R10, desc[UR4][R8.64]\nEXIT",
      {.indices = LoadedIndex::spread});
  EXPECT_GE(t.last(Space::global).sectors, 25); // of 32, where some of 256 are drawn twice
  for (const auto& [atom, moved] : t.trace.footprint.loads[0])
    EXPECT_LT(atom * 32, t.launch.arguments.allocations[0].address + 256 * 128);
}

} // namespace perfmodel::loaded_indices_test
