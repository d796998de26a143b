#include "hwdb/template_launches.hpp"

#include "hwdb/database.hpp"
#include "hwdb/launches_file.hpp"
#include "hwdb/text_file.hpp"
#include "models/kernel/known_kernels.hpp"
#include "models/kernel/launch_arguments.hpp"
#include "models/kernel/listing.hpp"
#include "tests/models/error_of.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace perfmodel::hwdb::template_launches_test {

const Database& shipped() {
  static const Database database(default_folder());
  return database;
}

std::vector<KernelTemplate> templates(const std::vector<std::string>& names) {
  std::vector<KernelTemplate> all;
  for (const std::string& name : names) all.push_back(shipped().kernel_template(name));
  return all;
}

CapturedArgument pointer(std::uint32_t at, std::uint32_t allocation) {
  return {.offset = at, .bytes = std::vector<std::uint8_t>(8), .pointers = {{0, allocation, 0}}};
}

// y = 0.5 x + y of 2^20 floats: 11 times, 4.9 us each.
CapturedLaunch axpy() {
  return {.kernel = "_ZN9perfmodel9templates4axpyEPfPKfif",
          .grid = {.x = 4096},
          .block = {.x = 256},
          .arguments_known = true,
          .allocations = {4U << 20, 4U << 20},
          .arguments = {pointer(0, 0),
                        pointer(8, 1),
                        {.offset = 16, .bytes = {0, 0, 0x10, 0}},
                        {.offset = 20, .bytes = {0, 0, 0, 0x3f}}},
          .count = 11,
          .times = {{.count = 11, .least = 4890, .median = 4900}}};
}

// 128 points a side, 1 and 0.125 as doubles.
CapturedLaunch stencil() {
  return {.kernel = "_ZN9perfmodel9templates8stencil7EPKdPdidd",
          .grid = {4, 16, 128},
          .block = {32, 8, 1},
          .arguments_known = true,
          .allocations = {16U << 20, 16U << 20},
          .arguments = {pointer(0, 0),
                        pointer(8, 1),
                        {.offset = 16, .bytes = {128, 0, 0, 0}},
                        {.offset = 24, .bytes = {0, 0, 0, 0, 0, 0, 0xf0, 0x3f}},
                        {.offset = 32, .bytes = {0, 0, 0, 0, 0, 0, 0xc0, 0x3f}}},
          .count = 11,
          .times = {{.count = 11, .least = 9600, .median = 9700}}};
}

CapturedLaunches captured(std::vector<CapturedLaunch> launches) {
  return {.command = "./templates",
          .date = "2026-11-28T00:02:00Z",
          .gpus = {{.name = "NVIDIA H200", .capability = "9.0", .driver = "580", .clock = 1'980'000'000}},
          .launches = std::move(launches),
          .serial = true};
}

std::string cell(const Record& run, std::size_t measurement, const char* column, std::size_t row = 0) {
  return run.measurements.at(measurement).table.at(column).text(row);
}

TEST(TemplateLaunches, ask_what_the_kernel_is_asked_by_hand) {
  const Record run = run_of_launches(captured({axpy(), stencil()}), templates({"axpy", "stencil7"}), "", "a");
  ASSERT_EQ(run.measurements.size(), 2u);
  EXPECT_EQ(run.measurements[0].model, "kernel");
  EXPECT_EQ(run.measurements[0].measures, "axpy: y = a x + y, one float a thread");
  EXPECT_TRUE(run.measurements[0].verified);
  const std::vector<std::pair<const char*, const char*>> expected{{"listing", "templates"},
                                                                  {"kernel", "axpy"},
                                                                  {"grid", "4096"},
                                                                  {"block", "256"},
                                                                  {"arg", "y=4MiB,x=4MiB,n=1048576,a=0.5"},
                                                                  {"cache", "warm"},
                                                                  {"timed", "serial"}};
  for (const auto& [column, text] : expected) EXPECT_EQ(cell(run, 0, column), text) << column;
  EXPECT_EQ(run.measurements[0].table.find("shared"), nullptr) << "it has none";
  EXPECT_DOUBLE_EQ(run.measurements[0].table.at("time").number(0), 4.9e-6) << "the median";
  EXPECT_EQ(cell(run, 1, "grid"), "4x16x128");
  EXPECT_EQ(cell(run, 1, "arg"), "in=16MiB,out=16MiB,n=128,centre=1.0d,side=0.125d");
  EXPECT_EQ(run.date, "2026-11-28T00:02:00Z");
  const Properties clock{{"sm_clock", "1.98 GHz"}};
  EXPECT_EQ(run.measurements[0].conditions, clock);
}

TEST(TemplateLaunches, what_no_template_or_no_time_is_said_of_is_left_out) {
  CapturedLaunch other = axpy(), untimed = axpy(), unread = axpy();
  other.kernel = "_Z5otherPf";
  untimed.times.reset();
  unread.arguments_known = false, unread.arguments.clear();
  const auto all = templates({"axpy", "stencil7"});
  const Record run = run_of_launches(captured({other, untimed, axpy(), unread}), all, "", "a");
  ASSERT_EQ(run.measurements.size(), 1u);
  EXPECT_EQ(run.measurements[0].table.rows(), 1u);
  EXPECT_EQ(error_of([&] { run_of_launches(captured({other}), all, "", "a.launches"); }),
            "a.launches: no launch in it is of a template; of other kernels: 'perfmodel kernel LISTING "
            "--launches FILE'");
  CapturedLaunches two = captured({axpy()});
  two.gpus.push_back(two.gpus.front());
  EXPECT_EQ(error_of([&] { run_of_launches(two, all, "", "a.launches"); }),
            "a.launches: launches of one GPU are expected, these are of 2");
}

TEST(TemplateLaunches, are_timed_as_they_were_captured) {
  CapturedLaunches traced = captured({axpy()});
  traced.serial = false;
  EXPECT_EQ(cell(run_of_launches(traced, templates({"axpy"}), "", "a"), 0, "timed"), "trace");
}

CapturedArgument number(std::uint32_t offset, std::vector<std::uint8_t> bytes) {
  return {.offset = offset, .bytes = std::move(bytes)};
}

TEST(TemplateLaunches, kernels_of_a_listing_that_no_template_has_are_asked_with_arguments_by_their_types) {
  CapturedLaunch scale = axpy();
  scale.kernel = "_ZN6course5scaleILi4EEEvPffdli";
  scale.arguments.resize(1);
  scale.arguments.push_back(number(8, {0xac, 0xc5, 0x27, 0x37})); // 1e-5
  scale.arguments.push_back(number(16, {0, 0, 0, 0, 0, 0, 0, 0}));
  scale.arguments.push_back(number(24, {7, 0, 0, 0, 0, 0, 0, 0x80})); // no double
  scale.arguments.push_back(number(32, {0x07, 0xca, 0x9a, 0x3b}));    // 1000000007, no float
  CapturedLaunch larger = scale, of_struct = scale, of_host = scale;
  larger.dynamic_shared = 2048;
  of_struct.arguments.push_back(number(36, std::vector<std::uint8_t>(12)));
  CapturedLaunch infinite = scale;
  infinite.arguments[1] = number(8, {0, 0, 0x80, 0x7f});
  of_host.of_host = true;
  const CapturedLaunches all = captured({scale, axpy(), larger, of_struct, of_host, infinite});
  const Record run = run_of_launches(all, templates({"axpy"}), "course", "a");
  ASSERT_EQ(run.measurements.size(), 2u) << "the template is of another listing";
  EXPECT_EQ(run.measurements[1].table.title, "axpy");
  EXPECT_EQ(run.measurements[0].table.rows(), 2u);
  EXPECT_EQ(cell(run, 0, "listing"), "course");
  EXPECT_EQ(cell(run, 0, "kernel"), "scaleILi4EEEvPffdli");
  EXPECT_EQ(cell(run, 0, "arg"), "a0=4MiB,a1=1.0e-05,a2=0.0d,a3=-9223372036854775801l,a4=1000000007");
  const KernelArguments read = KernelArguments::from_text(cell(run, 0, "arg"));
  for (std::size_t n = 1; n < scale.arguments.size(); ++n)
    EXPECT_EQ(read.list[n].bytes, scale.arguments[n].bytes) << n;
  EXPECT_EQ(run.measurements[0].table.at("shared").number(1), 2048);
  EXPECT_EQ(run_of_launches(all, templates({"axpy"}), "templates", "a").measurements[0].measures,
            "axpy: y = a x + y, one float a thread");
}

// A template that nobody times would change without a word.
TEST(TemplateLaunches, every_template_of_their_listing_was_measured_on_an_h200) {
  std::set<std::string> measured;
  for (const char* file : {"templates.launches", "templates-two-pass.launches"})
    for (const Measurement& m : shipped().run(shipped().root() / "measured/h200" / file).measurements) {
      measured.insert(m.table.title);
      const Column& listing = m.table.at("listing");
      EXPECT_TRUE(listing.text(0) == "templates") << "of another program: " << m.table.title;
    }
  for (const std::string& name : shipped().template_names()) {
    const bool is_of_them = shipped().kernel_template(name).listing == "templates";
    EXPECT_TRUE(!is_of_them || measured.contains(name)) << name;
  }
}

// Whatever a file of them is called.
TEST(TemplateLaunches, of_a_file_with_the_name_of_another_program_are_those_of_templates) {
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "reduction.launches";
  std::filesystem::copy_file(shipped().root() / "measured/h200/templates.launches", file,
                             std::filesystem::copy_options::overwrite_existing);
  const Record run = shipped().read_run(file);
  ASSERT_FALSE(run.measurements.empty());
  EXPECT_EQ(cell(run, 0, "listing"), "templates");
}

// The collection's listing and its launches are of one program.
TEST(TemplateLaunches, every_kernel_of_the_collection_was_measured_on_an_h200) {
  const std::filesystem::path root = shipped().root();
  const std::vector<std::string> listed =
      functions_of(read_text(root / "kernels/collection/9.0.sass", std::size_t{1} << 26));
  const CapturedLaunches all = read_launches(root / "measured/h200/collection.launches");
  std::set<std::string> launched;
  std::size_t written = 0; // that an option can write: without structs of 16 bytes, and bytes
  for (const CapturedLaunch& one : all.launches) {
    launched.insert(one.kernel);
    written += std::all_of(one.arguments.begin(), one.arguments.end(), [](const CapturedArgument& argument) {
      return argument.bytes.size() == 4 || argument.bytes.size() == 8;
    });
  }
  EXPECT_EQ(launched, std::set<std::string>(listed.begin(), listed.end()));
  std::size_t rows = 0;
  for (const Measurement& m : shipped().run(root / "measured/h200/collection.launches").measurements)
    for (std::size_t row = 0; row < m.table.rows(); ++row, ++rows)
      EXPECT_NO_THROW(known_kernel("collection", m.table.at("kernel").text(row), 9.0)) << m.table.title;
  EXPECT_EQ(rows, written);
  EXPECT_EQ(rows, all.launches.size() - 6) << "two of votes_of_bytes, dia_product and xtea_counter_mode each";
}

} // namespace perfmodel::hwdb::template_launches_test
