#include "models/parallel/transfer.hpp"

#include "models/validation/row_prediction.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace perfmodel::transfer_test {

constexpr const char* copies = "copies";
constexpr const char* gain = "what is left of the gain";
constexpr const char* overlap = "copied in chunks, while others compute";
constexpr const char* best = "best number of chunks";

// A link of 10 GB/s is given, so no fact is read.
Result answer(const Words& more) {
  Words words{{"link", "10GB/s"}};
  words.insert(words.end(), more.begin(), more.end());
  return ask("transfer", Gpu{.name = "none"}, words);
}

// R. Vuduc, slide 3: 6 GB/s; slides 68 to 92: 7.7 and 0.65 ms. 2^26 B / 6 GB/s = 11.185 ms;
// (11.185 + 7.7) / (11.185 + 0.65) = 1.596.
TEST(Transfer, a_reduction_that_became_twelve_times_faster_gains_1_60_end_to_end) {
  const Result r =
      ask("transfer", gpu_named("m2090"), {{"link", "6GB/s"}, {"before", "7.7ms"}, {"after", "0.65ms"}});
  EXPECT_NEAR(number(r, copies, "time"), 11.185e-3, 5e-7);
  EXPECT_NEAR(number(r, gain, "kernel_gain"), 11.846, 5e-4);
  EXPECT_NEAR(number(r, gain, "total_gain"), 1.596, 5e-4);
  EXPECT_NEAR(number(r, gain, "most_gain"), 1.688, 5e-4);
}

TEST(Transfer, the_lectures_link_is_a_quantity_of_the_model) {
  const std::vector<Series> all = database().published("host");
  const auto own =
      std::find_if(all.begin(), all.end(), [](const Series& s) { return s.model == "transfer"; });
  ASSERT_NE(own, all.end());
  EXPECT_TRUE(own->is_input);
  EXPECT_TRUE(covers(model("transfer"), *own));
}

// 16 lanes of PCI Express 2: 8 GB/s.
TEST(Transfer, without_a_link_the_gpus_pci_express_carries_it) {
  EXPECT_EQ(number(ask("transfer", gpu_named("m2090")), copies, "bandwidth"), 8e9);
  EXPECT_NE(error_of([] { ask("transfer", Gpu{.name = "none"}); }).find("pcie.bandwidth"), std::string::npos);
}

// Nobody measured it on these GPUs, and it is not nothing; the H100 has it from the H200, which was measured.
TEST(Transfer, a_byte_takes_the_latency_of_a_copy) {
  for (const char* gpu : {"m2090", "h100-sxm", "rtx4090", "8800gtx"}) {
    const Result r = ask_graded("transfer", gpu_named(gpu), {{"bytes", "1"}});
    EXPECT_GT(number(r, copies, "time"), 4e-6) << gpu;
    EXPECT_EQ(r.grade, std::string_view(gpu) == "h100-sxm" ? Grade::inherited : Grade::assumed) << gpu;
  }
  const Result given = ask_graded("transfer", gpu_named("m2090"), {{"bytes", "1"}, {"latency", "0s"}});
  EXPECT_LT(number(given, copies, "time"), 1e-9);
}

// alpha beta = 10 us x 10 GB/s = 100 kB take 20 us.
TEST(Transfer, a_copy_of_alpha_beta_bytes_reaches_half_the_bandwidth) {
  const Result r = answer({{"bytes", "100kB"}, {"latency", "10us"}});
  EXPECT_DOUBLE_EQ(number(r, copies, "half_rate_bytes"), 1e5);
  EXPECT_DOUBLE_EQ(number(r, copies, "time"), 20e-6);
  EXPECT_DOUBLE_EQ(number(r, copies, "rate"), 5e9);
  EXPECT_TRUE(std::isnan(number(answer({}), copies, "half_rate_bytes")));
}

TEST(Transfer, both_copies_count) {
  const Result r =
      answer({{"bytes", "10MB"}, {"back", "5MB"}, {"latency", "10us"}, {"before", "2ms"}, {"after", "1ms"}});
  EXPECT_DOUBLE_EQ(number(r, copies, "time", 0), 1.01e-3);
  EXPECT_DOUBLE_EQ(number(r, copies, "time", 1), 0.51e-3);
  EXPECT_DOUBLE_EQ(number(r, gain, "total_before"), 3.52e-3);
  EXPECT_DOUBLE_EQ(number(r, gain, "total_after"), 2.52e-3);
}

double in_chunks(const char* chunks, const char* engines, const Words& more = {}) {
  Words words{
      {"bytes", "10MB"}, {"back", "8MB"}, {"after", "0.9ms"}, {"chunks", chunks}, {"engines", engines}};
  words.insert(words.end(), more.begin(), more.end());
  return number(answer(words), overlap, "end_to_end");
}

// 1, 0.9 and 0.8 ms: 2.7 ms one after the other, towards 1 ms with two copy engines and 1.8 ms with one.
TEST(Transfer, chunks_hide_all_but_the_longest) {
  EXPECT_DOUBLE_EQ(in_chunks("1", "2"), 2.7e-3);
  EXPECT_DOUBLE_EQ(in_chunks("2", "2"), 2.7e-3 / 2 + 0.5e-3);
  EXPECT_DOUBLE_EQ(in_chunks("2", "1"), 2.7e-3 / 2 + 0.9e-3);
  EXPECT_NEAR(in_chunks("1e6", "2"), 1e-3, 1e-8);
  EXPECT_NEAR(in_chunks("1e6", "1"), 1.8e-3, 1e-8);
  EXPECT_DOUBLE_EQ(in_chunks("1", "2", {{"latency", "10us"}}), 2.72e-3) << "a latency for each copy";
  EXPECT_DOUBLE_EQ(in_chunks("4", "2", {{"latency", "10us"}}), 2.7e-3 / 4 + 0.75e-3 + 80e-6);
}

// 10 and 5 MB at 10 GB/s each way: 1 ms while the link carries both. With 12 GB/s together 5 MB at 6 GB/s
// each, 0.833 ms, then the other 5 MB alone, 0.5 ms. With 8 GB/s 1.25 and 0.5 ms.
TEST(Transfer, both_directions_at_once_share_what_they_can_take_together) {
  const auto at_once = [](const char* both, const char* in, const char* back) {
    Words words{{"bytes", in}, {"back", back}};
    if (both != nullptr) words.emplace_back("both", both);
    const Result r = answer(words);
    EXPECT_EQ(text(r, copies, "direction", 2), "both at once");
    return number(r, copies, "time", 2);
  };
  EXPECT_DOUBLE_EQ(at_once(nullptr, "10MB", "5MB"), 1e-3);
  EXPECT_DOUBLE_EQ(at_once("20GB/s", "10MB", "5MB"), 1e-3);
  EXPECT_DOUBLE_EQ(at_once("12GB/s", "10MB", "5MB"), 5e6 / 6e9 + 5e6 / 10e9);
  EXPECT_DOUBLE_EQ(at_once("12GB/s", "5MB", "10MB"), 5e6 / 6e9 + 5e6 / 10e9);
  EXPECT_DOUBLE_EQ(at_once("8GB/s", "10MB", "10MB"), 20e6 / 8e9);
  EXPECT_DOUBLE_EQ(
      number(answer({{"bytes", "10MB"}, {"back", "10MB"}, {"latency", "20us"}}), copies, "time", 2), 1.02e-3)
      << "the latencies overlap";
}

// In steady state of many chunks 10 MB go each way: 20 MB over 12 GB/s, where the link alone took 1 ms.
TEST(Transfer, chunks_wait_for_both_copies_where_these_share_the_link) {
  const Result r = answer(
      {{"bytes", "10MB"}, {"back", "10MB"}, {"both", "12GB/s"}, {"after", "0.9ms"}, {"chunks", "1e6"}});
  EXPECT_NEAR(number(r, overlap, "end_to_end"), 20e6 / 12e9, 1e-8);
  EXPECT_EQ(text(r, overlap, "longest"), "both copies, which share the link");
}

// Known where host-link has measured it, a range where nobody has; one engine, or memory that the driver
// copies first, takes one direction after the other.
TEST(Transfer, both_directions_at_once_are_graded_by_what_is_known_of_them) {
  Gpu gpu = gpu_named("m2090");
  const Words both{{"bytes", "1GB"}, {"back", "1GB"}, {"latency", "0s"}};
  const Result assumed = ask_graded("transfer", gpu, both);
  EXPECT_EQ(text(assumed, copies, "grade", 0), "known");
  EXPECT_EQ(text(assumed, copies, "grade", 2), "assumed");
  EXPECT_LE(number(assumed, copies, "time", 2), 2 * number(assumed, copies, "time", 0));
  gpu = with_facts(gpu, {{"host.both.bandwidth", "12GB/s"}});
  const Result known = ask_graded("transfer", gpu, both);
  EXPECT_EQ(known.grade, Grade::known);
  EXPECT_NEAR(number(known, copies, "rate", 2), 12e9, 1);
  for (const Words& more : {Words{{"engines", "1"}}, Words{{"memory", "pageable"}, {"link", "5GB/s"}}}) {
    Words words = both;
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(table_of(ask("transfer", gpu, words), copies).rows(), 2U);
  }
  EXPECT_NE(error_of([] { answer({{"both", "12GB/s"}}); }).find("--back"), std::string::npos);
}

// Chunks that are filled, computed and emptied one stage after another, step by step.
double simulated(int chunks, double in, double kernel, double back) {
  double copied = 0, computed = 0, returned = 0;
  for (int i = 0; i < chunks; ++i) {
    copied += in / chunks;
    computed = std::max(copied, computed) + kernel / chunks;
    returned = std::max(computed, returned) + back / chunks;
  }
  return returned;
}

TEST(Transfer, two_copy_engines_are_a_pipeline_of_three_stages) {
  for (int chunks : {1, 2, 3, 7, 64})
    EXPECT_NEAR(in_chunks(std::to_string(chunks).c_str(), "2"), simulated(chunks, 1e-3, 0.9e-3, 0.8e-3),
                1e-12);
}

TEST(Transfer, the_best_number_of_chunks_beats_every_other) {
  for (const char* kernel : {"1us", "0.3ms", "1ms", "20ms"})
    for (const char* latency : {"1us", "20us", "5ms"}) {
      const Words words{{"bytes", "10MB"}, {"back", "1MB"}, {"after", kernel}, {"latency", latency}};
      const double least = number(answer(words), best, "best_time");
      Words sweep = words;
      sweep.emplace_back("chunks", "1:100:1");
      const Result r = answer(sweep);
      const Column& times = table_of(r, overlap).at("end_to_end");
      for (std::size_t row = 0; row < times.size(); ++row)
        EXPECT_GE(times.number(row), least * (1 - 1e-12)) << kernel << ", " << latency << ", " << row + 1;
    }
}

TEST(Transfer, says_what_all_others_wait_for) {
  const auto longest = [](const char* kernel, const char* engines) {
    return text(answer({{"bytes", "10MB"}, {"back", "8MB"}, {"after", kernel}, {"engines", engines}}),
                overlap, "longest");
  };
  EXPECT_EQ(longest("0.9ms", "2"), "the copy to the device");
  EXPECT_EQ(longest("1.1ms", "2"), "the kernel");
  EXPECT_EQ(longest("1.1ms", "1"), "both copies");
  EXPECT_EQ(longest("1.9ms", "1"), "the kernel");
}

TEST(Transfer, has_the_engines_that_the_gpu_has) {
  const Words both{{"bytes", "10MB"}, {"back", "10MB"}, {"after", "1us"}, {"chunks", "1"}};
  const auto directions = [&](const char* gpu) {
    return table_of(ask("transfer", gpu_named(gpu), both), copies).rows();
  };
  EXPECT_EQ(directions("m2090"), 3u) << "to the device, back, both at once";
  EXPECT_EQ(directions("gtx280"), 2u) << "one engine";
  EXPECT_EQ(directions("8800gtx"), 2u) << "none";
  EXPECT_NE(error_of([] {
              ask("transfer", gpu_named("8800gtx"), {{"after", "1ms"}, {"chunks", "4"}});
            }).find("nothing is copied while a kernel runs"),
            std::string::npos);
}

TEST(Transfer, refuses_what_no_link_carries) {
  EXPECT_EQ(error_of([] { answer({{"engines", "3"}}); }), "--engines 3: copies go through 1 or 2 of them");
  EXPECT_EQ(error_of([] {
              answer({{"bytes", "10"}, {"chunks", "11"}, {"after", "1ms"}});
            }),
            "--chunks 11: that is more pieces than there are bytes");
  EXPECT_EQ(error_of([] { answer({{"bytes", "10"}, {"chunks", "10"}, {"after", "1ms"}}); }), "no error");
  EXPECT_EQ(error_of([] {
              answer({{"bytes", "10"}, {"chunks", "10"}});
            }),
            "--chunks goes with a kernel, which --before or --after gives");
  EXPECT_EQ(error_of([] {
              answer({{"bytes", "10"}, {"chunks", "2"}, {"after", "1ms"}, {"memory", "pageable"}});
            }),
            "--chunks 2: copies of pageable memory overlap with nothing: the host waits for each");
  for (const char* bytes : {"0", "-1", "nan", "1s"})
    EXPECT_NE(error_of([&] { answer({{"bytes", bytes}}); }), "no error") << bytes;
}

// By hand: 6 us + 64 KiB / 8.192 GB/s = 14 us; beyond them 16.384 GB/s in the caches, 8.192 GB/s past 64 MiB.
// 6 + 8 + (2^20 - 2^16) / 16384 = 74 us; 6 + 8 + (2^27 - 2^16) / 8192 = 16390 us.
TEST(Transfer, pageable_memory_is_staged_piece_by_piece_from_caches_or_memory) {
  const Gpu gpu = with_facts(gpu_named("m2090"), {{"host.cache", "64MiB"},
                                                  {"host.in.pageable_latency", "6us"},
                                                  {"host.in.pageable_piece", "64KiB"},
                                                  {"host.in.pageable_piece_bandwidth", "8.192GB/s"},
                                                  {"host.in.pageable_cached_bandwidth", "16.384GB/s"},
                                                  {"host.in.pageable_bandwidth", "8.192GB/s"}});
  const auto time = [&](const char* bytes) {
    return number(ask("transfer", gpu, {{"memory", "pageable"}, {"bytes", bytes}}), copies, "time");
  };
  EXPECT_NEAR(time("32KiB"), 10e-6, 1e-12);
  EXPECT_NEAR(time("64KiB"), 14e-6, 1e-12);
  EXPECT_NEAR(time("1MiB"), 74e-6, 1e-12);
  EXPECT_NEAR(time("128MiB"), 16390e-6, 1e-9);
  // Half of 16.384 GB/s: (6 + 8) us x 16.384 GB/s - 64 KiB = 163 840 B, which take 20 us.
  const Result half = ask("transfer", gpu, {{"memory", "pageable"}, {"bytes", "163840"}});
  EXPECT_NEAR(number(half, copies, "half_rate_bytes"), 163840, 1e-6);
  EXPECT_NEAR(number(half, copies, "rate"), 8.192e9, 1);
  const std::string explained =
      ask("transfer", gpu, {{"memory", "pageable"}, {"link", "1GB/s"}, {"bytes", "1GB"}}).verdict.front();
  EXPECT_NE(explained.find("1 s"), std::string::npos) << explained; // a link by hand is taken as it is
}

} // namespace perfmodel::transfer_test
