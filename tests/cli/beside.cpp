// --measured: which measurements stand beside a prediction.
#include "program.hpp"

#include "hwdb/database.hpp"

#include <gtest/gtest.h>

namespace perfmodel::beside_test {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Beside, measurements_keep_to_the_numbers_that_were_asked_for) {
  const Answer a = perfmodel(words("transpose --hw h200 --n 4096 --measured --all"));
  EXPECT_TRUE(holds(a.out, "ledger"));
  EXPECT_FALSE(holds(a.out, "16 384 ")) << a.out;
}

TEST(Beside, a_size_that_nobody_measured_is_said_and_nothing_is_scored) {
  const Answer a = perfmodel(words("transpose --hw h200 --n 5000 --measured"));
  EXPECT_EQ(a.code, 0);
  EXPECT_EQ(a.err, "nothing about transpose that answers this question was measured on h200\n");
  EXPECT_FALSE(holds(a.out, "ledger"));
}

// Of eight points with 4 B words the first, at 32 threads, fixed a constant; at 1024 threads the labels of
// all can be read in several ways.
TEST(Beside, what_is_said_of_a_row_stays_with_it_where_others_are_left_out) {
  const Answer a = perfmodel(words("memory-parallelism --hw m2090 --threads 1024 --published --all"));
  EXPECT_TRUE(holds(a.out, "6 rows scored")) << a.out;
  EXPECT_FALSE(holds(a.out, "ledger: calibration")) << a.out;
  EXPECT_TRUE(holds(a.out, "measured 0.72")) << "the reading that is worst for the prediction";
}

// Loads are the default, and so is a warp whose words lie in order: the run says both in words.
TEST(Beside, what_was_measured_at_the_defaults_is_drawn_and_bars_get_no_others) {
  const Scratch scratch;
  const auto drawn = [&](const std::string& model, const std::string& file) {
    EXPECT_EQ(perfmodel(words(model + " --hw h200 --measured -o " + scratch / file)).code, 0);
    return contents(scratch / file);
  };
  for (const char* model : {"coalescing", "transfer"})
    EXPECT_TRUE(holds(drawn(model, "lines.svg"), ">measured<")) << model;
  const std::string bars = drawn("bank-conflicts", "bars.svg");
  EXPECT_TRUE(holds(bars, ">measured<")) << bars;
  EXPECT_TRUE(holds(bars, ">17<")) << "a stride that is predicted";
  EXPECT_FALSE(holds(bars, ">19<")) << "one that was measured alone";
  EXPECT_TRUE(holds(bars, "measured at other values of stride")) << bars;
}

// The measured branches have a kernel's name, and the question has none; its answer is of that kernel all the
// same. Sums by NCCL's protocols are not those of the chart, and it says so.
TEST(Beside, what_was_measured_of_the_kernel_that_is_asked_for_without_its_name_is_drawn) {
  const Scratch scratch;
  const auto drawn = [&](const std::string& model) {
    EXPECT_EQ(perfmodel(words(model + " --hw h200 --measured -o " + scratch / "x.svg")).code, 0);
    return contents(scratch / "x.svg");
  };
  const std::string branches = drawn("divergence");
  EXPECT_TRUE(holds(branches, "measured load of M: width 100, 350 warps; predicted 350 warps, error +0.0 %"));
  EXPECT_FALSE(holds(branches, "width 100, 400 warps")) << "of tiles of another size";
  EXPECT_TRUE(holds(drawn("divergence --kernel matmul-boundary"), ">measured<"));
  const std::string sums = drawn("all-reduce");
  EXPECT_FALSE(holds(sums, ">measured<"));
  EXPECT_TRUE(holds(sums, "measured rows name their protocol, which this chart does not: not drawn."));
}

TEST(Beside, a_library_stays_whatever_version_was_asked_for) {
  const Answer a = perfmodel(words("matmul --hw h200 --n 4096 --version tensor-bf16 --measured"));
  EXPECT_TRUE(holds(a.out, "cublas-bf16"));
  EXPECT_FALSE(holds(a.out, "register-tiled"));
}

// Times were measured and no bandwidths, and the roof becomes the least time.
TEST(Beside, a_picture_shows_times_where_times_were_measured_and_the_roof_with_them) {
  const Scratch scratch;
  const auto drawn = [&](const std::string& options) {
    const Answer a = perfmodel(words("reduction --hw h200 --n 16777216 -o " + scratch / "x.svg" + options));
    EXPECT_EQ(a.code, 0) << a.err;
    return contents(scratch / "x.svg");
  };
  EXPECT_TRUE(holds(drawn(""), "bandwidth [TB/s]"));
  const std::string beside = drawn(" --measured");
  EXPECT_TRUE(holds(beside, "time [us]"));
  EXPECT_TRUE(holds(beside, "roof: 14")); // 64 MiB at some 4.7 TB/s: 14.3 us
}

// Sums between processes stand among the H200's runs, predicted from costs that no caller of NCCL gives.
TEST(Beside, sums_of_gpus_are_not_held_against_those_of_processes) {
  const Answer a =
      perfmodel(words("all-reduce --hw h200 --ranks 2 --bytes 1KiB:1GiB:*4 --protocol ll --measured"));
  EXPECT_TRUE(holds(a.out, "22 rows scored")) << a.out.substr(0, 600);
}

// The H200's file has 4 cycles; the run that is given says 8, and is what the prediction rests on.
TEST(Beside, a_run_that_is_given_wins_over_the_gpus_file) {
  const Scratch scratch;
  write(scratch / "slow.json", R"({
  "schema": "perfmodel-result/1", "kind": "measured", "tool": "perfmodel", "version": "0", "commit": "none",
  "date": "2026-11-25T00:00:00Z", "gpu": "h200",
  "device": {"name": "NVIDIA H200", "compute_capability": "9.0"}, "environment": {},
  "results": [{"probe": "fma-latency", "model": "littles-law", "measures": "FMA latency", "verified": true,
    "invalid": "", "conditions": {}, "table": {"title": "FMA latency", "columns": [
      {"name": "latency", "unit": "cycle", "role": "measured", "values": [8]}], "notes": []},
    "constants": [{"fact": "fma.latency", "value": 8, "low": 8, "high": 8, "unit": "cycle"}], "samples": []}]})");
  const std::string run = " --measured " + scratch / "slow.json";
  const std::string question = "latency-hiding --hw h200 --threads 256 --ilp 1 --explain";
  EXPECT_TRUE(holds(perfmodel(words(question)).out, "fma.latency         = 4 cycle"));
  const Answer given = perfmodel(words(question + run));
  EXPECT_TRUE(holds(given.out, "fma.latency         = 8 cycle"));
  EXPECT_EQ(given.err, "the given run wins over the file of h200: fma.latency 8 cycle (not 4 cycle)\n"
                       "nothing about latency-hiding was measured on h200 in " +
                           scratch / "slow.json" + "\n");
}

TEST(Beside, a_run_of_another_gpu_is_refused) {
  const Answer a = perfmodel({"littles-law", "--hw", "m2090", "--measured",
                              (hwdb::default_folder() / "measured/h200/energy.json").string()});
  EXPECT_EQ(a.code, 2);
  EXPECT_TRUE(holds(a.err, "is a run on")) << a.err;
  const Scratch scratch;
  std::string anonymous = contents((hwdb::default_folder() / "measured/h200/energy.json").string());
  anonymous.replace(anonymous.find("\"h200\""), 6, "\"\"");
  write(scratch / "anonymous.json", anonymous);
  const Answer b = perfmodel({"littles-law", "--hw", "h100-sxm", "--measured", scratch / "anonymous.json"});
  EXPECT_EQ(b.code, 2);
  EXPECT_TRUE(holds(b.err, "is a run on h200, not on h100-sxm")) << b.err;
  anonymous.replace(anonymous.find("\"name\": \"NVIDIA H200\"") + 9, 11, "A new card!");
  write(scratch / "unknown.json", anonymous);
  const Answer c = perfmodel({"littles-law", "--hw", "m2090", "--measured", scratch / "unknown.json"});
  EXPECT_EQ(c.code, 2);
  EXPECT_TRUE(holds(c.err, "a GPU of compute capability 9.0, m2090 has 2.0")) << c.err;
}

} // namespace perfmodel::beside_test
