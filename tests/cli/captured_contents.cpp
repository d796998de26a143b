// Launches whose branches and accesses hang on what memory holds, and kernels that share a name.
#include "captured.hpp"
#include "json_answer.hpp"

#include <utility>

#include <gtest/gtest.h>

namespace perfmodel::captured_contents_test {

using namespace captured;

// Lanes of which the word of `in` is above 5 leave; the others store. Which, only data says.
const char* const by_data = ".text.by_data:\n"
                            "/*0000*/ S2R R0, SR_TID.X ;\n"
                            "/*0010*/ MOV R4, 0x4 ;\n"
                            "/*0020*/ IMAD.WIDE R2, R0, R4, c[0x0][0x210] ;\n"
                            "/*0030*/ LDG.E R5, [R2.64] ;\n"
                            "/*0040*/ ISETP.GT.AND P0, PT, R5, 0x5, PT ;\n"
                            "/*0050*/ @P0 BRA 0x70 ;\n"
                            "/*0060*/ STG.E [R2.64], R5 ;\n"
                            "/*0070*/ EXIT ;\n";

// Two kernels of one name, each in a file of its own: as programs that are compiled while they run leave
// them.
std::string namesakes(int registers_of_second) {
  const auto file = [](int registers, const std::string& code) {
    return "64bit elf: type=2, abi=7, sm=90a, toolkit=128\n.nv.info\n\tAttribute:\tEIATTR_REGCOUNT\n"
           "\tValue:\tfunction: twice(0x1)\tregister count: " +
           std::to_string(registers) + "\n\tcode for sm_90a\n\t\tFunction : twice\n" + code;
  };
  return file(20, "/*0000*/ NOP ;\n/*0010*/ EXIT ;\n") +
         file(registers_of_second, "/*0000*/ NOP ;\n/*0010*/ NOP ;\n/*0020*/ NOP ;\n/*0030*/ EXIT ;\n");
}

TEST(Capture, of_kernels_of_one_name_the_one_with_the_launchs_registers_is_meant) {
  CapturedLaunches all = copies();
  all.launches.resize(1);
  all.launches[0].kernel = "twice";
  const auto ask = [&](std::uint32_t registers, int of_second) {
    all.launches[0].registers = registers;
    const File file(all);
    write(file.scratch / "two.sass", namesakes(of_second));
    return perfmodel({"kernel", file.scratch / "two.sass", "--launches", file.name, "--hw", "h200", "--all"});
  };
  // 8 warps in each of 32 768 blocks, of 2 and 4 instructions.
  EXPECT_NE(ask(20, 30).out.find("instructions  524 288"), std::string::npos) << ask(20, 30).out;
  EXPECT_NE(ask(30, 30).out.find("instructions  1 048 576"), std::string::npos) << ask(30, 30).out;
  EXPECT_EQ(ask(40, 30).code, 2);
  EXPECT_NE(ask(40, 30).err.find("of the 2 functions of this name in the listing none has"),
            std::string::npos)
      << ask(40, 30).err;
  EXPECT_NE(ask(20, 20).err.find("do not tell them apart"), std::string::npos) << ask(20, 20).err;
}

std::string words_to(int count) { // 0, 1, ..: four bytes each
  std::string bytes;
  for (int i = 0; i < count; ++i) bytes += {static_cast<char>(i), 0, 0, 0};
  return bytes;
}

TEST(Capture, a_file_of_what_a_pointer_points_to_decides_the_branches) {
  const Scratch scratch;
  write(scratch / "k.sass", by_data);
  write(scratch / "a.bin", words_to(32));
  const std::string header = "{'descr': '<i4', 'fortran_order': False, 'shape': (32,), }\n";
  write(scratch / "a.npy", std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' +
                               header + words_to(32));
  const auto ask = [&](const std::string& argument) {
    return perfmodel({"kernel", scratch / "k.sass", "--hw", "h200", "--grid", "1", "--block", "32", "--arg",
                      argument, "--all"});
  };
  const Answer known = ask("in=@" + scratch / "a.bin");
  EXPECT_EQ(known.code, 0) << known.err;
  EXPECT_NE(known.out.find("1 loads of what memory held at the launch"), std::string::npos) << known.out;
  EXPECT_NE(known.out.find("global stores"), std::string::npos) << known.out;
  const Answer unknown = ask("in=128B");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.err.find("goes by data that is loaded"), std::string::npos) << unknown.err;
  const auto npy = [&](std::string head, int count) {
    write(scratch / "b.npy", std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(head.size()) + '\0' +
                                 head + words_to(count));
    return ask("in=@" + scratch / "b.npy");
  };
  EXPECT_NE(npy(header, 31).err.find("the file ends before its array does"), std::string::npos);
  EXPECT_NE(npy("{'descr': '>i4', 'fortran_order': False, 'shape': (32,), }\n", 32).err.find("highest byte"),
            std::string::npos);
  write(scratch / "empty", "");
  EXPECT_NE(ask("in=@" + scratch / "empty").err.find("the file is empty"), std::string::npos);
  EXPECT_NE(ask("in=@").err.find("the name of a file is expected behind @"), std::string::npos);
  const Answer array = ask("in=@" + scratch / "a.npy");
  EXPECT_EQ(array.code, 0) << array.err;
  EXPECT_EQ(array.out.find("has elements of"), std::string::npos) << "of the width of the loads";
  const Answer wide =
      npy("{'descr': '<i8', 'fortran_order': False, 'shape': (32,), }\n", 64); // two words an element
  EXPECT_EQ(wide.code, 0) << wide.err;
  EXPECT_NE(wide.out.find("in=@" + scratch / "b.npy"), std::string::npos) << wide.out;
  EXPECT_NE(wide.out.find("has elements of 8 bytes (int64)"), std::string::npos) << wide.out;
  EXPECT_EQ(ask("in=@" + scratch / "none.bin").code, 2);
  EXPECT_EQ(ask("in=@" + scratch / "none.bin").err, "perfmodel: --arg 'in=@" + scratch / "none.bin" +
                                                        "': " + scratch / "none.bin" +
                                                        ": No such file or directory\n");
}

// Nine launches of `by_data`, with what memory held from byte `at` of the file beside them.
CapturedLaunches launched_by_data(std::uint64_t at) {
  CapturedLaunches all = copies();
  all.launches = {{.kernel = "by_data",
                   .block = {.x = 32},
                   .arguments_known = true,
                   .allocations = {128},
                   .arguments = {{.bytes = std::vector<std::uint8_t>(8), .pointers = {{0, 0, 0}}}},
                   .contents = {{.allocation = 0, .size = 128, .at = at, .bytes = 128}},
                   .count = 9,
                   .times = {{.count = 9, .least = 900, .median = 1000}},
                   .first_time = 2000}};
  all.memory = "app.launches.memory";
  return all;
}

// What the first launch's memory held decides; the time beside it is that launch's own.
TEST(Capture, contents_of_memory_are_read_beside_the_launches) {
  const Scratch scratch;
  write(scratch / "k.sass", by_data);
  const CapturedLaunches all = launched_by_data(4);
  write(scratch / "app.launches", hwdb::launches_json(all));
  const auto ask = [&] {
    return perfmodel(
        {"kernel", scratch / "k.sass", "--hw", "h200", "--launches", scratch / "app.launches", "--all"});
  };
  const Answer without = ask();
  EXPECT_EQ(without.code, 2) << "the file beside it is missing";
  EXPECT_NE(without.err.find("goes by data that is loaded"), std::string::npos) << without.err;
  write(scratch / "app.launches.memory", "head" + words_to(32));
  const Answer with = ask();
  EXPECT_EQ(with.code, 0) << with.err;
  EXPECT_NE(with.out.find("measured      2 us"), std::string::npos) << with.out;
  EXPECT_NE(with.out.find("runs          1"), std::string::npos) << with.out;
  write(scratch / "app.launches.memory", words_to(8));
  EXPECT_EQ(ask().code, 2) << "shorter than it should be";
}

// The launch whose memory is known was the first, and so behind none like it; a median is of those in a row.
TEST(Capture, a_launch_that_goes_by_contents_is_asked_as_the_one_whose_time_stands_beside_it) {
  const Scratch scratch;
  write(scratch / "k.sass", by_data);
  CapturedLaunches all = launched_by_data(0);
  all.launches[0].in_a_row = 8;
  write(scratch / "app.launches.memory", words_to(32));
  const auto cache_of = [&](const std::vector<std::string>& more) {
    write(scratch / "app.launches", hwdb::launches_json(all));
    std::vector<std::string> asked{"kernel",     scratch / "k.sass",       "--hw",     "h200",
                                   "--launches", scratch / "app.launches", "--format", "json"};
    asked.insert(asked.end(), more.begin(), more.end());
    const Answer a = perfmodel(asked);
    EXPECT_EQ(a.code, 0) << a.err;
    return column(a, "launch", "cache");
  };
  EXPECT_EQ(cache_of({}), std::vector<std::string>{"cold"});
  EXPECT_EQ(cache_of({"--cache", "warm"}), std::vector<std::string>{"warm"});
  // Each found its array in L2, the first one what another launch had left there.
  all.launches[0].others_since = {0};
  EXPECT_EQ(cache_of({}), std::vector<std::string>{"cold"}) << "of the first it is not known";
  all.launches[0].first_others_since = {std::nullopt};
  EXPECT_EQ(cache_of({}), std::vector<std::string>{"cold"});
  all.launches[0].first_others_since = {64};
  EXPECT_EQ(cache_of({}), std::vector<std::string>{"warm"});
  all.launches[0].others_since.clear(), all.launches[0].first_others_since.clear();
  all.launches[0].first_time.reset();
  EXPECT_EQ(cache_of({}), std::vector<std::string>{"warm"});
}

} // namespace perfmodel::captured_contents_test
