// perfmodel capture without a GPU, and kernel --launches with a file that one would have written.
#include "program.hpp"

#include "cli/run_program.hpp"
#include "hwdb/launches_file.hpp"

#include <utility>

#include <gtest/gtest.h>

#include <csignal>

namespace perfmodel::capture_test {

// vector-copy of eight million floats, 20 times on an H200.
CapturedLaunches copies() {
  CapturedLaunch copy{
      .kernel = "_Z5vcopyPfPKfi",
      .grid = {.x = 32768},
      .block = {.x = 256},
      .registers = 10,
      .fixed_shared = 0,
      .arguments_known = true,
      .allocations = {32U << 20, 32U << 20},
      .arguments = {{.offset = 0, .bytes = std::vector<std::uint8_t>(8), .pointers = {{0, 0, 0}}},
                    {.offset = 8, .bytes = std::vector<std::uint8_t>(8), .pointers = {{0, 1, 0}}},
                    {.offset = 16, .bytes = {0, 0, 0x80, 0}}},
      .count = 20,
      .times = {{.count = 20, .least = 24'000, .median = 25'000}}};
  CapturedLaunch other = copy;
  other.kernel = "_Z5otherPfPKfi";
  return {.command = "./app 4096",
          .gpus = {{.name = "NVIDIA H200", .capability = "9.0", .driver = "580.95", .clock = 1'980'000'000}},
          .launches = {copy, other}};
}

struct File {
  Scratch scratch;
  std::string name = scratch / "app.launches";
  explicit File(const CapturedLaunches& launches) { write(name, hwdb::launches_json(launches)); }
};

Answer kernel(const std::string& file, const std::string& more) {
  return perfmodel(words("kernel vector-copy --launches " + file + " " + more));
}

TEST(Capture, a_launch_of_a_file_is_predicted_as_if_it_were_typed) {
  const File file(copies());
  const Answer read = kernel(file.name, "--hw h200");
  EXPECT_EQ(read.code, 0) << read.err;
  EXPECT_NE(read.out.find("1 launch of ./app 4096 on h200; vcopy takes longest, "), std::string::npos)
      << read.out;
  EXPECT_NE(read.out.find(" more than the 500 us measured."), std::string::npos) << read.out;
  const Answer typed = perfmodel(words("kernel vector-copy --hw h200 --grid 32768 --block 256"));
  std::size_t compared = 0; // but for the time: it is that of a launch alone, not of one after the other
  for (const std::string& line : lines_of(typed.out))
    for (const char* row : {"  bound  ", "  blocks  ", "  instructions  ", "  l2 read  ", "  dram read  ",
                            "  dram written  ", "  global stores  "})
      if (line.starts_with(row)) {
        EXPECT_NE(read.out.find("\n" + line + "\n"), std::string::npos) << line << "\n" << read.out;
        ++compared;
      }
  EXPECT_EQ(compared, 7u) << typed.out;
}

// y = 0.5 x + y of 2^20 floats by the template, 11 times.
CapturedLaunches sums() {
  CapturedLaunches all = copies();
  CapturedLaunch& axpy = all.launches.front();
  axpy.kernel = "_ZN9perfmodel9templates4axpyEPfPKfif";
  axpy.grid = {.x = 4096};
  axpy.allocations = {4U << 20, 4U << 20};
  axpy.arguments[2].bytes = {0, 0, 0x10, 0};
  axpy.arguments.push_back({.offset = 20, .bytes = {0, 0, 0, 0x3f}});
  axpy.times = {{.count = 11, .least = 4'890, .median = 4'900}};
  all.serial = true;
  return all;
}

TEST(Capture, validate_holds_templates_against_their_launches) {
  const File file(sums());
  const auto validated = [&](const std::string& more) {
    return perfmodel(words("validate --model kernel --measured " + file.name + " " + more));
  };
  const Answer a = validated("--hw h200");
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(a.err, "0 of 1 rows out of tolerance (in-sample 0 of 1)\n");
  EXPECT_NE(a.out.find("kernel time: axpy: y = a x + y"), std::string::npos) << a.out;
  EXPECT_NE(a.out.find("measured   4.9 us"), std::string::npos) << a.out;
  EXPECT_EQ(a.out.find("lacks these facts"), std::string::npos) << "launches find none";
  const Answer by_hand =
      perfmodel(words("kernel axpy --let n=1048576 --cache warm --timed serial --hw h200"));
  const std::string predicted = a.out.substr(a.out.find("predicted  "), 20);
  EXPECT_NE(by_hand.out.find("axpy takes " + predicted.substr(11, 8)), std::string::npos) << predicted << "\n"
                                                                                          << by_hand.out;
  EXPECT_EQ(validated("--hw h100-sxm").err,
            "perfmodel: " + file.name + " is a run on h200, not on h100-sxm\n");
  const File foreign(copies());
  EXPECT_EQ(perfmodel(words("validate --hw h200 --measured " + foreign.name)).code, 2);
}

// The predicted time of an answer in CSV, and who is to have measured it.
std::pair<double, std::string> timed(const Answer& a) {
  EXPECT_EQ(a.code, 0) << a.err;
  const std::vector<std::string> lines = lines_of(a.out);
  const auto cells = [](const std::string& line) {
    std::vector<std::string> all(1);
    bool quoted = false; // arguments have commas
    for (const char c : line)
      if (c == '"')
        quoted = !quoted;
      else if (c == ',' && !quoted)
        all.emplace_back();
      else
        all.back() += c;
    return all;
  };
  std::pair<double, std::string> found;
  for (std::size_t i = 0; i + 1 < lines.size(); ++i)
    if (const auto head = cells(lines[i]), row = cells(lines[i + 1]); head.size() > 5 && head[0] == "gpu")
      for (std::size_t c = 0; c < std::min(head.size(), row.size()); ++c) {
        if (head[c] == "time [s]" && found.first == 0) found.first = std::stod(row[c]);
        if (head[c] == "timed" && found.second.empty()) found.second = row[c];
      }
  return found;
}

// A kernel that does nothing took 512 ns by the GPU's own time stamps, 1328 ns by Nsight Compute, 1347 ns in
// a stream and 1856 ns where each launch waited for the one before (H200, 24 and 27 November 2026).
TEST(Capture, a_time_is_that_of_whoever_measures_it) {
  CapturedLaunches all = copies();
  all.launches.resize(1);
  const File plain(all);
  all.serial = true;
  const File serial(all);
  const auto of = [](const File& file, const std::string& more) {
    return timed(kernel(file.name, "--hw h200 --format csv " + more));
  };
  const auto [traced, by_default] = of(plain, "");
  EXPECT_EQ(by_default, "trace");
  EXPECT_EQ(of(serial, "").second, "serial");
  EXPECT_NEAR(of(serial, "").first - traced, 1344e-9, 1e-12);
  EXPECT_NEAR(of(serial, "--timed trace").first, traced, 1e-12);
  EXPECT_NEAR(of(plain, "--timed profiler").first - traced, 816e-9, 1e-12);
  EXPECT_NEAR(of(plain, "--timed events").first - traced, 835e-9, 1e-12);
  EXPECT_LT(of(plain, "--timed graph").first, of(plain, "--timed events").first);
  EXPECT_EQ(timed(perfmodel(words("kernel vector-copy --hw h200 --format csv"))).second, "graph");
}

TEST(Capture, kernels_that_the_listing_lacks_are_named) {
  const File file(copies());
  const Answer a = kernel(file.name, "--hw h200");
  EXPECT_NE(a.out.find("\nnot predicted: other\n"), std::string::npos) << a.out;
  EXPECT_NE(a.out.find("the listing has no such function"), std::string::npos);
  EXPECT_NE(a.out.find("libNAME.so"), std::string::npos) << a.out; // it may be a library's
  // People read what the source says, programs what the machine code says.
  EXPECT_EQ(a.out.find("_Z5other"), std::string::npos) << a.out;
  EXPECT_NE(kernel(file.name, "--hw h200 --format csv").out.find("_Z5otherPfPKfi"), std::string::npos);
  EXPECT_NE(a.out.find("\ncaptured on NVIDIA H200 at 1980 MHz, driver 580.95\n"), std::string::npos);
}

TEST(Capture, a_time_is_shown_for_the_gpu_that_took_it_alone) {
  CapturedLaunches untimed = copies();
  untimed.launches.resize(1);
  const File timed(untimed);
  untimed.launches[0].times.reset();
  const File file(untimed);
  EXPECT_NE(kernel(timed.name, "--hw h200 --format csv").out.find(",measured"), std::string::npos);
  for (const Answer& a :
       {kernel(timed.name, "--hw h100-sxm --format csv"), kernel(file.name, "--hw h200 --format csv")})
    EXPECT_EQ(a.out.find("measured"), std::string::npos) << a.out << a.err;
}

// Zero-copy memory of an H200's host gives 0.05 TB/s, device memory eighty times that.
TEST(Capture, what_lies_on_the_host_is_not_predicted_and_managed_memory_is_said_to_be_on_the_gpu) {
  CapturedLaunches all = copies();
  all.launches[1] = all.launches[0];
  all.launches[1].of_host = true;
  all.launches[0].managed = true;
  const File file(all);
  const Answer a = kernel(file.name, "--hw h200 --format csv");
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_NE(a.out.find(",managed memory is on the GPU,"), std::string::npos) << a.out;
  EXPECT_NE(a.out.find("only device memory is simulated"), std::string::npos) << a.out;
}

TEST(Capture, launches_leave_no_place_for_what_they_say_themselves) {
  const File file(copies());
  for (const char* more : {"--grid 4", "--block 32", "--arg n=1", "--shared 4KiB"}) {
    const Answer a = kernel(file.name, std::string("--hw h200 ") + more);
    EXPECT_EQ(a.code, 2) << more;
    EXPECT_NE(a.err.find("does not go with --launches"), std::string::npos) << a.err;
  }
}

TEST(Capture, a_file_without_a_launch_to_predict_is_refused) {
  CapturedLaunches none = copies();
  none.launches.erase(none.launches.begin());
  const File other(none);
  const std::string why = kernel(other.name, "--hw h200").err;
  EXPECT_EQ(why.find("perfmodel: launch 1, of '_Z5otherPfPKfi': the listing has no such function; a kernel "
                     "of a library"),
            0u)
      << why;
  EXPECT_EQ(kernel(other.name, "--hw h200 --kernel none").code, 2);
  none.launches.clear();
  const File empty(none);
  const Answer a = kernel(empty.name, "--hw h200");
  EXPECT_EQ(a.code, 2);
  EXPECT_EQ(a.err, "perfmodel: launches: the program that was captured launched no kernel\n");
  const Answer missing = kernel("nowhere.launches", "--hw h200");
  EXPECT_EQ(missing.code, 2);
  EXPECT_TRUE(one_sentence(missing.err)) << missing.err;
}

TEST(Capture, without_a_program_or_a_place_for_the_file_a_sentence_says_so) {
  const Scratch scratch;
  EXPECT_EQ(perfmodel({"capture", "-o", scratch / "a"}).code, 2);
  EXPECT_EQ(perfmodel({"capture", "-o", scratch / "none/a", "--", "true"}).code, 2);
  EXPECT_EQ(perfmodel({"capture", "--", "true"}).code, 2);
  EXPECT_EQ(perfmodel({"capture", "-o", "a", "--size", "3"}).code, 2);
}

TEST(RunProgram, passes_exit_codes_variables_and_words_on) {
  const auto shell = [](const std::string& script) {
    return cli::run_program({"sh", "-c", script, "name", "two words", ""}, {{"PERFMODEL_TEST", "a b"}});
  };
  EXPECT_EQ(shell("exit 7"), 7);
  EXPECT_EQ(shell("exit 0"), 0);
  EXPECT_EQ(shell("test \"$PERFMODEL_TEST\" = 'a b' && test $# = 2 && test \"$1\" = 'two words'"), 0);
  EXPECT_EQ(shell("kill -9 $$"), 137);
  EXPECT_EQ(shell("kill -SEGV $$"), 139);
  EXPECT_EQ(shell("kill -INT $$"), 130);
}

// The program tells its parent, which is this test, to end; the signal comes back to it.
TEST(RunProgram, passes_signals_on_that_are_sent_to_the_one_that_waits) {
  const std::string script =
      "trap 'exit 9' TERM; kill -TERM $PPID; for i in 1 2 3 4 5 6 7 8 9 10; do sleep 0.2; done";
  EXPECT_EQ(cli::run_program({"sh", "-c", script}, {}), 9);
  struct sigaction now {};
  ::sigaction(SIGTERM, nullptr, &now);
  EXPECT_EQ(now.sa_handler, SIG_DFL); // as before
}

TEST(RunProgram, says_what_cannot_be_started) {
  EXPECT_THROW(cli::run_program({"./nothing of this name"}, {}), InputError);
}

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

// What the first launch's memory held decides; the time beside it is that launch's own.
TEST(Capture, contents_of_memory_are_read_beside_the_launches) {
  const Scratch scratch;
  write(scratch / "k.sass", by_data);
  CapturedLaunches all = copies();
  all.launches = {{.kernel = "by_data",
                   .block = {.x = 32},
                   .arguments_known = true,
                   .allocations = {128},
                   .arguments = {{.bytes = std::vector<std::uint8_t>(8), .pointers = {{0, 0, 0}}}},
                   .contents = {{.allocation = 0, .size = 128, .at = 4, .bytes = 128}},
                   .count = 9,
                   .times = {{.count = 9, .least = 900, .median = 1000}},
                   .first_time = 2000}};
  all.memory = "app.launches.memory";
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

} // namespace perfmodel::capture_test
