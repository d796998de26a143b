#include "block_runs.hpp"

#include <gtest/gtest.h>

namespace perfmodel::memory_step_test {

using At = std::vector<std::int64_t>;

TEST(MemoryStep, shared_memory_keeps_words_of_1_to_16_bytes) {
  const SeenBlock seen = run_code("MOV R4, 0x11111181\nMOV R5, 0x2222\nMOV R6, 0x3333\nMOV R7, 0x4444\n"
                                  "S2R R0, SR_LANEID\nIMAD.SHL.U32 R0, R0, 0x10, RZ\n"
                                  "STS.128 [R0], R4\n"
                                  "LDS.64 R8, [R0+0x8]\nST [R8], RZ\nST [R9], RZ\n"
                                  "LDS.U8 R8, [R0]\nST [R8], RZ\n"
                                  "LDS.S8 R8, [R0]\nST [R8], RZ\n"
                                  "LDS.U16 R8, [R0+0x2]\nST [R8], RZ\n"
                                  "STS.U8 [R0+0x1], R5\nLDS R8, [R0]\nST [R8], RZ\n"
                                  "STS.64 [R0], RZ\nLDS.128 R8, [R0]\nST [R9], RZ\nST [R10], RZ\n"
                                  "EXIT\n");
  const At expected{0x3333, 0x4444, 0x81, 0xffffff81, 0x1111, 0x11112281, 0, 0x3333};
  EXPECT_EQ(stored_at(seen, 0), expected);
  EXPECT_EQ(stored_at(seen, 31), expected);
}

TEST(MemoryStep, what_was_never_written_to_shared_memory_is_not_known) {
  const SeenBlock seen =
      run_code("STS [RZ], RZ\nLDS R8, [0x4]\nST [R8], RZ\nLDS R8, [RZ]\nST [R8], RZ\nEXIT\n");
  EXPECT_EQ(stored_at(seen), At{0});
}

// As nvcc adds a float to shared memory: of the lanes of one word one succeeds at a time, of words apart all
// do, and each of two warps that have one word needs more tries the later it comes: 1 and 1 + 2/3.
TEST(MemoryStep, floats_are_added_to_shared_memory_by_a_loop_that_ends) {
  const auto tries = [](const std::string& address, std::int64_t threads) {
    return run_code("S2R R0, SR_TID.X\nMOV R5, 0x3f800000\n" + address +
                        ".L_1:\nLDS R2, [R1]\nFADD R3, R5, R2\nATOMS.CAST.SPIN R3, [R1], R2, R3\n"
                        "ISETP.EQ.U32.AND P0, PT, R3, 0x1, PT\n@!P0 BRA `(.L_1)\nEXIT\n",
                    {.block = {.x = threads}})
        .issued("ATOMS");
  };
  EXPECT_EQ(tries("MOV R1, RZ\n", 32), 32u);
  EXPECT_EQ(tries("IMAD.SHL.U32 R1, R0, 0x4, RZ\n", 32), 1u);
  EXPECT_EQ(tries("LOP3.LUT R1, R0, 0x4, RZ, 0xc0, !PT\n", 32), 16u) << "two words";
  EXPECT_EQ(tries("IMAD.SHL.U32 R1, R0, 0x4, RZ\n", 64), 2u) << "each warp its own";
  EXPECT_EQ(tries("MOV R1, RZ\n", 64), 32u + 54u);
}

// nvcc addresses s[threadIdx.x - 5 + k] as [R6+-0x14], where R6 may be small, or negative and the offset not.
TEST(MemoryStep, addresses_of_shared_memory_have_32_bits) {
  const SeenBlock seen = run_code("MOV R0, 0x8\nMOV R1, 0xfffffff8\nMOV R2, 0x7\nSTS [0x18], R2\n"
                                  "LDS R3, [R1+0x20]\nST [R3], RZ\n"
                                  "LDS R4, [R0+-0x10]\nSTS [R0+-0x10], R2\nEXIT\n");
  EXPECT_EQ(stored_at(seen), At{7});
  EXPECT_EQ(seen.list[4].access.address[0], 0x18);
  EXPECT_EQ(seen.list[6].access.address[0], 0xfffffff8);
}

TEST(MemoryStep, a_store_to_somewhere_in_shared_memory_forgets_all_of_it) {
  const SeenBlock seen = run_code("STS [RZ], RZ\nLDS R4, [RZ]\nST [R4], RZ\nLDG.E R0, desc[UR4][R2.64]\n"
                                  "STS [R0], RZ\nLDS R4, [RZ]\nST [R4], RZ\nEXIT\n");
  EXPECT_EQ(stored_at(seen), At{0});
}

TEST(MemoryStep, an_atomic_of_unknown_data_leaves_what_is_not_known) {
  const SeenBlock seen = run_code(
      "LDG.E R7, desc[UR4][R2.64]\nMOV R4, 0x1\nSTS [RZ], R4\nSTS [0x4], R4\nATOMS.ADD R5, [RZ], R7\n"
      "LDS R6, [RZ]\nST [R6], RZ\nST [R5], RZ\nLDS R6, [0x4]\nST [R6], RZ\nEXIT\n");
  EXPECT_EQ(stored_at(seen), (At{1, 1})) << "what lane 0 got was there before, and the other word stays";
  EXPECT_TRUE(seen.first("ATOMS").access.atomic);
}

// As of a product in shared memory, which no instruction takes: whether the word was still there is compared.
TEST(MemoryStep, a_loop_around_an_atomic_goes_by_what_is_not_known) {
  EXPECT_EQ(error_of([] {
              run_code(".L_again:\nLDS R8, [R6]\nFADD R9, R8, 1\nATOMS.CAS R9, [R6], R8, R9\n"
                       "ISETP.EQ.U32.AND P0, PT, R9, R8, PT\n@!P0 BRA `(.L_again)\nEXIT\n");
            }).substr(0, 59),
            "line 7: '@!P0 BRA `(.L_again)' goes by data that is loaded:");
}

TEST(MemoryStep, a_predicate_that_an_atomic_writes_is_not_known) {
  const SeenBlock seen =
      run_code("PLOP3.LUT P0, PT, PT, PT, PT, 0x80, 0x0\nATOMS.CAST.SPIN P0, [RZ], R8, R9\n"
               "P2R R4, PR, RZ, 0x1\nST [R4], RZ\nEXIT\n");
  EXPECT_EQ(seen.first("ST").access.known, 0u);
}

TEST(MemoryStep, local_memory_is_each_lane_s_own) {
  const SeenBlock seen =
      run_code("S2R R0, SR_LANEID\nLDC R1, c[0x0][0x28]\nSTL [R1+-0x8], R0\nSTL [R1+-0x4], RZ\n"
               "LDL.64 R4, [R1+-0x8]\nST [R4], RZ\nST [R5], RZ\nEXIT\n");
  EXPECT_EQ(stored_at(seen, 9), (At{9, 0}));
  EXPECT_EQ(seen.first("STL").access.space, Space::local);
}

TEST(MemoryStep, constants_are_read_at_an_index) {
  constexpr std::string_view code = "Function : f\n"
                                    "// constant3: 0a0000000b0000000c0000000d0000000eff\n"
                                    "/*0000*/ S2R R0, SR_LANEID ;\n"
                                    "/*0010*/ LOP3.LUT R0, R0, 0x1, RZ, 0xc0, !PT ;\n"
                                    "/*0020*/ IMAD.SHL.U32 R2, R0, 0x8, RZ ;\n"
                                    "/*0030*/ LDC R4, c[0x3][R2+0x4] ;\n"
                                    "/*0040*/ ST [R4], RZ ;\n"
                                    "/*0050*/ LDC.64 R2, c[0x3][R2] ;\n" // its index is where the result goes
                                    "/*0060*/ ST [R2], RZ ;\n"
                                    "/*0070*/ ST [R3], RZ ;\n"
                                    "/*0080*/ LDC.U8 R2, c[0x3][0x10] ;\n" // of the last bytes that are known
                                    "/*0090*/ ST [R2], RZ ;\n"
                                    "/*00a0*/ LDC.S8 R2, c[0x3][0x11] ;\n"
                                    "/*00b0*/ ST [R2], RZ ;\n"
                                    "/*00c0*/ LDC R2, c[0x3][0x10] ;\n"
                                    "/*00d0*/ ST [R2], RZ ;\n"
                                    "/*00e0*/ ULDC.64 UR4, c[0x3][0x8] ;\n"
                                    "/*00f0*/ ST [UR5], RZ ;\n"
                                    "/*0100*/ EXIT ;\n";
  const SeenBlock seen = run_listing(code, "f");
  EXPECT_EQ(stored_at(seen, 0), (At{0xb, 0xa, 0xb, 0xe, 0xffffffff, 0xd}));
  EXPECT_EQ(stored_at(seen, 1), (At{0xd, 0xc, 0xd, 0xe, 0xffffffff, 0xd}));
  EXPECT_EQ(seen.first("LDC").access.address[1], 12);
  EXPECT_EQ(seen.first("LDC").access.space, Space::constant);
}

TEST(MemoryStep, an_access_that_is_predicated_off_has_no_lanes) {
  const SeenBlock seen = run_code("ISETP.NE.AND P0, PT, RZ, RZ, PT\nMOV R4, 0x5\nSTS [RZ], R4\n"
                                  "@P0 LDG.E R4, desc[UR4][R2.64]\n@P0 STS [RZ], RZ\n@!P0 LDS R6, [RZ]\n"
                                  "ST [R4], RZ\nST [R6], RZ\nEXIT\n");
  EXPECT_EQ(seen.first("LDG").access.mask, 0u);
  EXPECT_EQ(stored_at(seen), (At{5, 5}));
}

TEST(MemoryStep, a_uniform_load_that_is_predicated_off_writes_nothing) {
  const SeenBlock seen = run_code("UISETP.NE.AND UP0, UPT, URZ, URZ, UPT\nUMOV UR4, 0x5\n"
                                  "@UP0 ULDC UR4, c[0x0][0x0]\nST [UR4], RZ\nEXIT\n");
  EXPECT_EQ(stored_at(seen), At{5});
}

TEST(MemoryStep, loads_of_four_floats_are_16_bytes_apart) {
  const SeenBlock seen = run_code("S2R R0, SR_TID.X\nULDC.64 UR4, c[0x0][0x208]\nLDC.64 R2, c[0x0][0x210]\n"
                                  "IMAD.WIDE R2, R0, 0x10, R2\nLDG.E.128 R4, desc[UR4][R2.64+0x10]\nEXIT\n",
                                  {.arguments = "in=1MiB"});
  const MemoryAccess& load = seen.first("LDG").access;
  EXPECT_EQ(load.bytes, 16);
  EXPECT_EQ(load.known, all_lanes);
  EXPECT_TRUE(load.loads);
  EXPECT_FALSE(load.stores);
  EXPECT_EQ(load.address[0], 0x7f0000000010);
  EXPECT_EQ(load.address[31], 0x7f0000000200);
}

TEST(MemoryStep, sizes_follow_from_the_words_behind_the_opcode) {
  const auto bytes = [](std::string_view line) {
    return run_code(std::string(line) + "\nEXIT\n").list[0].access.bytes;
  };
  EXPECT_EQ(bytes("LDG.E R4, desc[UR4][R2.64]"), 4);
  EXPECT_EQ(bytes("LDG.E.64 R4, desc[UR4][R2.64]"), 8);
  EXPECT_EQ(bytes("LDG.E.U16 R4, desc[UR4][R2.64]"), 2);
  EXPECT_EQ(bytes("STG.E.U8 desc[UR4][R2.64], R4"), 1);
  EXPECT_EQ(bytes("REDG.E.ADD.F32.FTZ.RN.STRONG.GPU desc[UR4][R2.64], R4"), 4);
  EXPECT_EQ(bytes("REDG.E.ADD.F64.RN.STRONG.GPU desc[UR4][R2.64], R4"), 8);
  EXPECT_EQ(bytes("REDG.E.ADD.F32x4.FTZ.RN.STRONG.GPU desc[UR4][R2.64], R4"), 16);
  EXPECT_EQ(bytes("REDG.E.ADD.F32x2.FTZ.RN.STRONG.GPU desc[UR4][R2.64], R4"), 8);
  EXPECT_EQ(bytes("REDG.E.ADD.F16x8.RN.STRONG.GPU desc[UR4][R2.64], R4"), 16);
  EXPECT_EQ(bytes("REDG.E.ADD.BF16x4.RN.STRONG.GPU desc[UR4][R2.64], R4"), 8);
  EXPECT_EQ(bytes("REDG.E.ADD.BF16x2.RN.STRONG.GPU desc[UR4][R2.64], R4"), 4);
  EXPECT_EQ(bytes("ATOMG.E.ADD.64.STRONG.GPU PT, R6, desc[UR4][R2.64], R4"), 8);
  EXPECT_EQ(bytes("ATOMG.E.MAX.S64.STRONG.GPU PT, R6, desc[UR4][R2.64], R4"), 8);
  EXPECT_EQ(bytes("LDSM.16.M88.4 R4, [R2]"), 16);
}

// A matrix of 8 x 8 halves is one register of each lane.
TEST(MemoryStep, matrices_from_shared_memory_fill_as_many_registers) {
  const SeenBlock seen =
      run_code("MOV R5, 0x1\nMOV R6, 0x2\nMOV R7, 0x3\nLDSM.16.M88.2 R4, [RZ]\nST [R5], RZ\nST [R6], RZ\n"
               "LDSM.16.M88 R6, [RZ]\nST [R6], RZ\nST [R7], RZ\nEXIT\n");
  EXPECT_EQ(stored_at(seen), (At{2, 3}));
}

// PTX, ldmatrix: of one matrix the addresses are those of lanes 0 to 7, of two of lanes 0 to 15.
TEST(MemoryStep, the_rows_of_matrices_are_those_of_the_first_lanes) {
  const SeenBlock seen =
      run_code("LDSM.16.M88.4 R4, [R2]\nLDSM.16.M88.2 R4, [R2]\nLDSM.16.MT88 R4, [R2]\nEXIT\n");
  EXPECT_EQ(seen.list[0].access.mask, all_lanes);
  EXPECT_EQ(seen.list[1].access.mask, 0xffffu);
  EXPECT_EQ(seen.list[2].access.mask, 0xffu);
}

// A lane's row is made of halves of several lanes.
TEST(MemoryStep, what_matrices_leave_in_shared_memory_is_not_known) {
  const SeenBlock seen =
      run_code("STS [RZ], RZ\nSTS [0x80], RZ\nMOV R4, 0x1\nSTSM.16.M88 [RZ], R4\nLDS R5, [RZ]\n"
               "LDS R6, [0x80]\nST [R5], RZ\nST [R6], RZ\nEXIT\n");
  EXPECT_EQ(stored_at(seen), At{0});
}

TEST(MemoryStep, a_copy_to_shared_memory_is_two_accesses) {
  const SeenBlock seen = run_code("MOV R2, 0x20\nMOV R4, 0x100\nMOV R5, 0x1\n"
                                  "LDGSTS.E.BYPASS.128 [R2+0x10], desc[UR4][R4.64+0x8]\nEXIT\n");
  const Seen& copy = seen.first("LDGSTS");
  EXPECT_EQ(copy.access.space, Space::global);
  EXPECT_EQ(copy.access.address[0], 0x100000108);
  EXPECT_EQ(copy.second.space, Space::shared);
  EXPECT_EQ(copy.second.address[0], 0x30);
  EXPECT_EQ(copy.second.known, all_lanes); // of R2 alone
  EXPECT_EQ(copy.second.bytes, 16);
}

TEST(MemoryStep, a_uniform_base_and_an_offset_of_a_lane_make_an_address) {
  const SeenBlock seen = run_code("MOV R2, 0xfffffff0\nMOV R3, 0x77\nULDC.64 UR4, c[0x0][0x210]\n"
                                  "LDG.E R6, desc[UR8][R2.U32+UR4]\nLDS R7, [R2.X4+UR4]\nEXIT\n",
                                  {.arguments = "in=1MiB"});
  EXPECT_EQ(seen.first("LDG").access.address[0], 0x7f0000000000 + 0xfffffff0LL);
  EXPECT_EQ(seen.first("LDS").access.address[0], 0xffffffc0LL);
}

TEST(MemoryStep, an_address_from_loaded_data_is_not_known) {
  const SeenBlock seen = run_code("LDG.E R2, desc[UR4][R4.64]\nLDG.E R6, desc[UR4][R2.64]\nEXIT\n");
  EXPECT_EQ(seen.list[1].access.known, 0u);
}

// nvcc 13.0 -O3 of atomicAdd of a pair of halves at an address of any space: what follows is for others.
TEST(MemoryStep, an_atomic_operation_of_any_space_says_that_it_went_to_global_memory) {
  const SeenBlock seen = run_code("LDG.E R0, desc[UR4][R2.64]\nMOV R2, 0x100\nMOV R3, 0x7f\n"
                                  "ATOM.E.ADD.F16x2.RN.STRONG.GPU P0, RZ, desc[UR4][R2.64], R0\n"
                                  "@P0 EXIT\nLD.E R5, desc[UR4][R2.64]\nEXIT\n");
  EXPECT_EQ(seen.issued("ATOM"), 1u);
  EXPECT_EQ(seen.issued("LD"), 0u);
}

} // namespace perfmodel::memory_step_test
