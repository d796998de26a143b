#include "models/kernel/captured_arguments.hpp"

#include <gtest/gtest.h>

namespace perfmodel::captured_launches_test {

// struct View { int rows, cols; float* data; }; f(View, int) on 1 MiB, 256 bytes into it.
CapturedLaunch launch_of_view() {
  return {.kernel = "_Z1f4Viewi",
          .grid = {.x = 7, .y = 2, .z = 1},
          .block = {.x = 64, .y = 1, .z = 1},
          .dynamic_shared = 1024,
          .registers = 18,
          .fixed_shared = 512,
          .arguments_known = true,
          .allocations = {1U << 20},
          .arguments = {{.offset = 0,
                         .bytes = {3, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
                         .pointers = {{.at = 8, .allocation = 0, .offset = 256}}},
                        {.offset = 16, .bytes = {0xff, 0xff, 0xff, 0xff}}},
          .count = 3,
          .times = {{.count = 3, .least = 1000, .median = 1200}}};
}

CapturedLaunches file_of(std::vector<CapturedLaunch> launches) {
  return {.command = "./app 4096",
          .gpus = {{.name = "NVIDIA H200", .capability = "9.0", .driver = "580.95", .clock = 1'980'000'000}},
          .launches = std::move(launches)};
}

TEST(CapturedLaunches, are_read_as_they_were_written) {
  CapturedLaunches all = file_of({launch_of_view(), launch_of_view()});
  all.launches[1].arguments_known = false;
  all.launches[1].arguments.clear();
  all.launches[1].cluster = Shape{.x = 2};
  all.launches[1].cooperative = true;
  all.launches[1].managed = all.launches[1].of_host = true;
  all.launches[1].times.reset();
  all.left_out = 4;
  all.notes = {"cuptiSubscribe failed: no reason given"};
  all.complete = false;
  all.serial = true;
  all.memory = "app.launches.memory";
  all.launches[0].contents = {
      {.allocation = 0, .size = 1U << 20, .address = 0x7f00'0000'0000, .bytes = 16},
      {.variable = "table", .size = 8, .address = 0x7f10'0000'0000, .at = 16, .bytes = 8},
      {.size = 64, .address = 0x7f20'0000'0000}};
  all.launches[0].first_time = 2500;
  all.launches[0].in_a_row = 2;
  all.launches[0].allocations = {1U << 20, 64};
  all.launches[0].others_since = {4096, std::nullopt};
  all.launches[0].first_others_since = {std::nullopt, 7};
  const CapturedLaunches again = CapturedLaunches::from_text(all.text());
  EXPECT_EQ(again.text(), all.text());
  EXPECT_EQ(again.launches[0].arguments[0].pointers[0].offset, 256u);
  EXPECT_EQ(again.launches[0].contents.at(1).variable, "table");
  EXPECT_EQ(again.launches[0].contents.at(1).at, 16u);
  EXPECT_EQ(again.launches[0].first_time, 2500u);
  EXPECT_EQ(again.launches[0].in_a_row, 2u);
  EXPECT_EQ(again.launches[0].others_since, all.launches[0].others_since);
  EXPECT_EQ(again.launches[0].first_others_since, all.launches[0].first_others_since);
  EXPECT_TRUE(again.launches[1].others_since.empty());
  EXPECT_EQ(again.launches[1].in_a_row, 0u);
  EXPECT_EQ(again.launches[1].cluster->x, 2);
  EXPECT_EQ(again.gpus[0].name, "NVIDIA H200");
}

TEST(CapturedLaunches, say_by_line_or_launch_what_is_wrong) {
  const auto error = [](const std::string& lines) {
    return error_of([&] { CapturedLaunches::from_text(lines); });
  };
  const std::string head = "perfmodel-launches/1\ngpu NVIDIA H200\nkernel f\n";
  EXPECT_EQ(error(""), "line 1: perfmodel-launches/1 is expected");
  EXPECT_EQ(error("perfmodel-launches/2\n"), "line 1: perfmodel-launches/1 is expected");
  EXPECT_EQ(error(head + "grid 1 2\n"), "line 4: a whole number is expected, not ''");
  EXPECT_EQ(error(head + "grid 1 2 3 4\n"), "line 4: '4' is too much");
  EXPECT_EQ(error(head + "argument 0 123\n"), "line 4: bytes are expected, two digits each");
  EXPECT_EQ(error(head + "pointer 0 0 0\n"), "line 4: no argument comes before it");
  EXPECT_EQ(error(head + "girth 5\n"), "line 4: 'girth' is not known");
  EXPECT_EQ(error("perfmodel-launches/1\nclock 5\n"), "line 2: no gpu comes before it");
  EXPECT_EQ(error(head + "on 1\n"), "launch 1: there is no GPU 1");
  EXPECT_EQ(error(head + "grid 0 1 1\n"), "launch 1: a grid has sides from 1 on");
  EXPECT_EQ(error(head + "argument 0 0000000000000000\npointer 0 0 0\n"),
            "launch 1: there is no allocation 0");
  const std::string one = head + "on 0\ngrid 1 1 1\nblock 1 1 1\n";
  EXPECT_EQ(error(one + "count 0\n"), "no error");
  EXPECT_EQ(error(one + "count 3\nin_a_row 2\n"), "no error");
  for (const char* counts : {"count 3\nin_a_row 3\n", "count 0\nin_a_row 1\n"})
    EXPECT_EQ(error(one + counts), "launch 1: fewer launches came in a row than came at all") << counts;
  EXPECT_EQ(error(head + "allocation 8\nargument 0 0000000000000000\npointer 1 0 0\n"),
            "launch 1: a pointer has eight bytes of its argument");
  EXPECT_EQ(error(head + "allocation 8\nargument 0 0000000000000000\npointer 0 0 9\n"),
            "launch 1: a pointer points into its allocation");
  EXPECT_EQ(error(one + "allocation 8\nallocation 8\nothers_since 5\n"),
            "launch 1: what was used since stands of each allocation, or of none");
  EXPECT_EQ(error(one + "allocation 8\nallocation 8\nothers_since 5\nnot_used_before\n"), "no error");
  EXPECT_EQ(error(one + "allocation 8\nallocation 8\nfirst_others_since 5\n"),
            "launch 1: what was used since stands of each allocation, or of none");
  EXPECT_EQ(error(head + "argument 0 00000000\nargument 2 00\n"), "launch 1: two arguments lie in one place");
}

TEST(CapturedLaunches, of_two_processes_are_one_with_the_times_of_both) {
  CapturedLaunches first = file_of({launch_of_view()}), second = first;
  second.gpus[0].clock = 0;
  second.launches[0].count = 9;
  first.launches[0].in_a_row = 2;
  second.launches[0].in_a_row = 5;
  second.launches[0].others_since = {17}; // makes it no other launch
  first.launches[0].others_since = {5};
  second.launches[0].times = {{.count = 9, .least = 900, .median = 1500}};
  second.launches.push_back(launch_of_view());
  second.launches[1].grid.x = 8;
  const CapturedLaunches all = merged({first, second});
  ASSERT_EQ(all.launches.size(), 2u);
  ASSERT_EQ(all.gpus.size(), 1u);
  EXPECT_EQ(all.gpus[0].clock, 1'980'000'000u);
  EXPECT_EQ(all.launches[0].count, 12u);
  EXPECT_EQ(all.launches[0].in_a_row, 7u);
  EXPECT_EQ(all.launches[0].others_since.front(), 17u) << "of the process that launched it more often";
  EXPECT_EQ(all.launches[0].times->count, 12u);
  EXPECT_EQ(all.launches[0].times->least, 900u);
  EXPECT_EQ(all.launches[0].times->median, 1500u); // nine runs of twelve
  EXPECT_EQ(all.launches[1].count, 3u);
}

TEST(CapturedLaunches, pointers_in_structs_point_to_allocations_that_are_made_up) {
  const CapturedLaunch captured = launch_of_view();
  const KernelLaunch launch = perfmodel::launch_of(captured);
  ASSERT_EQ(launch.arguments.allocations.size(), 1u);
  EXPECT_EQ(launch.arguments.allocations[0].bytes, 1u << 20);
  // The listing's own layout, registers and shared memory give way to what the driver said.
  KernelCode listed{.name = "_Z1f4Viewi", .capability = 90};
  listed.parameters = {{0, 4}};
  listed.registers = 99;
  const KernelCode code = with_captured(listed, captured);
  EXPECT_EQ(code.registers, 18u);
  EXPECT_EQ(code.shared, 512u);
  const MemoryBytes bank = constant_bank(code, launch);
  EXPECT_EQ(bank.read(0x210, 4), 3u);
  EXPECT_EQ(bank.read(0x214, 4), 5u);
  EXPECT_EQ(bank.read(0x218, 8), launch.arguments.allocations[0].address + 256);
  EXPECT_EQ(bank.read(0x220, 4), 0xffffffffu);
  EXPECT_EQ(launch.dynamic_shared, 1024u);
}

TEST(CapturedLaunches, arguments_are_told_as_arg_takes_them) {
  CapturedLaunch captured = launch_of_view();
  EXPECT_EQ(arguments_text(captured), "16 bytes,-1");
  captured.arguments = {{.offset = 0, .bytes = std::vector<std::uint8_t>(8), .pointers = {{0, 0, 256}}},
                        {.offset = 8, .bytes = {0, 0, 0xc0, 0x3f}},              // 1.5F
                        {.offset = 16, .bytes = {0, 0, 0, 0, 0, 0, 0x04, 0x40}}, // 2.5
                        {.offset = 24, .bytes = {0, 0, 0, 1, 0, 0, 0, 0}},
                        {.offset = 32, .bytes = {1}}};
  EXPECT_EQ(arguments_text(captured), "1MiB+256,1.5,2.5,16777216,1");
  captured.allocations = {1000};
  captured.arguments.resize(1);
  EXPECT_EQ(arguments_text(captured), "1000B+256");
}

TEST(CapturedLaunches, without_a_layout_there_is_no_launch) {
  CapturedLaunch captured = launch_of_view();
  captured.arguments_known = false;
  EXPECT_EQ(error_of([&] { perfmodel::launch_of(captured); }),
            "its arguments were not captured: the driver does not say where they lie");
}

// Contents come with the launch: of an allocation, of one that only others point to, and of variables.
TEST(CapturedLaunches, what_memory_held_goes_with_the_launch) {
  const auto bytes = std::make_shared<const std::vector<std::uint8_t>>(
      std::vector<std::uint8_t>{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0});
  keep_memory_file("captured_launches_test", {.bytes = *bytes, .owner = bytes});
  CapturedLaunch captured = launch_of_view();
  captured.contents = {{.allocation = 0, .size = 1U << 20, .bytes = 4},
                       {.size = 64, .address = 0x7f20'0000'0000, .at = 4, .bytes = 4},
                       {.variable = "scale", .size = 4, .at = 8, .bytes = 4}};
  EXPECT_TRUE(launch_of(captured).arguments.memory.empty()) << "unless it is asked for";
  const KernelLaunch launch = launch_of(captured, "captured_launches_test");
  ASSERT_EQ(launch.arguments.allocations.size(), 2u);
  EXPECT_EQ(launch.arguments.memory.read(launch.arguments.allocations[0].address, 4), 1u);
  EXPECT_EQ(launch.arguments.memory.read(launch.arguments.allocations[1].address, 4), 2u);
  KernelCode code{.constant_variables = {{"scale", 4, 4}}};
  MemoryBytes bank;
  add_constants(bank, code, launch.arguments);
  EXPECT_EQ(bank.read(4, 4), 3u);
  captured.contents[0].bytes = 13;
  EXPECT_THROW(launch_of(captured, "captured_launches_test"), InputError) << "the file is shorter";
}

// They do not make it another launch: of two processes, the first one's contents are kept.
TEST(CapturedLaunches, contents_do_not_tell_launches_apart) {
  CapturedLaunch held = launch_of_view();
  held.contents = {{.allocation = 0, .size = 1U << 20, .bytes = 4}};
  held.first_time = 7;
  const CapturedLaunches both = merged({file_of({held}), file_of({launch_of_view()})});
  ASSERT_EQ(both.launches.size(), 1u);
  EXPECT_EQ(both.launches[0].contents.size(), 1u);
  EXPECT_EQ(both.launches[0].count, 6u);
}

} // namespace perfmodel::captured_launches_test
