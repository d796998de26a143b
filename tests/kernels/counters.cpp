// Counting against a stand-in for CUPTI (fake_cupti.cpp), and on a GPU where there is one.
#include "kernels/core/counters.hpp"

#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.hpp"
#include "kernels/core/session.hpp"
#include "tests/kernels/fake_cupti.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <dlfcn.h>

namespace perfmodel::kernels::counters_test {

using Calls = std::vector<std::string>;

std::string error_of(const std::function<void()>& run) {
  try {
    run();
  } catch (const MachineError& error) {
    return error.what();
  }
  return "";
}

class CountersOfFake : public testing::Test {
protected:
  CountersOfFake() {
    setenv("PERFMODEL_CUPTI", PERFMODEL_FAKE_CUPTI, 1);
    void* library = dlopen(PERFMODEL_FAKE_CUPTI, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    fake = reinterpret_cast<FakeCupti* (*)()>(dlsym(library, "fake_cupti"))();
    *fake = FakeCupti{.values = {{"sectors.sum", 8}, {"requests.sum", 2}}};
  }
  ~CountersOfFake() override { unsetenv("PERFMODEL_CUPTI"); }

  std::unique_ptr<Counters> counters(std::vector<std::string> metrics = {"sectors.sum", "requests.sum"}) {
    auto cupti = load_cupti();
    fake->calls.clear();
    return std::make_unique<Counters>(std::move(cupti), reinterpret_cast<void*>(7), 3, std::move(metrics),
                                      [this] { fake->calls.emplace_back("wait"); });
  }
  std::vector<double> count(Counters& counters) {
    return counters.count([this] { fake->calls.emplace_back("launch"); });
  }

  FakeCupti* fake;
};

TEST_F(CountersOfFake, values_come_in_the_order_asked) {
  EXPECT_EQ(count(*counters({"sectors.sum", "requests.sum"})), (std::vector<double>{8, 2}));
  EXPECT_EQ(count(*counters({"requests.sum", "sectors.sum"})), (std::vector<double>{2, 8}));
}

TEST_F(CountersOfFake, the_plan_is_made_before_the_profiler_is_on_and_only_once) {
  const auto c = counters();
  EXPECT_EQ(fake->calls,
            (Calls{"DeviceGetChipName", "ProfilerGetCounterAvailability", "ProfilerGetCounterAvailability",
                   "ProfilerHostInitialize", "ProfilerHostConfigAddMetrics", "ProfilerHostGetConfigImageSize",
                   "ProfilerHostGetConfigImage", "ProfilerHostGetNumOfPasses", "RangeProfilerEnable"}));
  fake->calls.clear();
  count(*c);
  EXPECT_EQ(fake->calls,
            (Calls{"RangeProfilerGetCounterDataSize", "RangeProfilerCounterDataImageInitialize",
                   "RangeProfilerSetConfig", "RangeProfilerStart", "RangeProfilerPushRange", "launch", "wait",
                   "RangeProfilerPopRange", "RangeProfilerStop", "RangeProfilerDecodeData",
                   "RangeProfilerGetCounterDataInfo", "ProfilerHostEvaluateToGpuValues"}));
}

TEST_F(CountersOfFake, every_pass_is_a_launch_and_what_prepares_it_is_not_in_the_range) {
  fake->passes = 2;
  const auto c = counters();
  EXPECT_EQ(c->passes(), 2u);
  fake->calls.clear();
  c->count([&] { fake->calls.emplace_back("launch"); }, [&] { fake->calls.emplace_back("prepare"); });
  const Calls pass{"prepare", "wait", "RangeProfilerStart",    "RangeProfilerPushRange",
                   "launch",  "wait", "RangeProfilerPopRange", "RangeProfilerStop"};
  Calls twice = pass;
  twice.insert(twice.end(), pass.begin(), pass.end());
  ASSERT_GE(fake->calls.size(), 3 + twice.size());
  EXPECT_EQ(
      Calls(fake->calls.begin() + 3, fake->calls.begin() + 3 + static_cast<std::ptrdiff_t>(twice.size())),
      twice);
}

TEST_F(CountersOfFake, counting_again_gives_the_same) {
  fake->passes = 3;
  const auto c = counters();
  EXPECT_EQ(count(*c), count(*c));
}

TEST_F(CountersOfFake, everything_is_given_back_in_the_end) {
  {
    const auto c = counters();
    count(*c);
    EXPECT_EQ(fake->profilers, 1);
    EXPECT_EQ(fake->hosts, 1);
  }
  EXPECT_EQ(fake->profilers, 0);
  EXPECT_EQ(fake->hosts, 0);
}

TEST_F(CountersOfFake, a_metric_the_chip_has_not_is_named) {
  EXPECT_EQ(error_of([&] {
              counters({"sectors.sum", "nonsense.sum"});
            }),
            "the hardware of this GPU (GX1) does not count 'nonsense.sum'");
  EXPECT_EQ(fake->hosts, 0);
}

TEST_F(CountersOfFake, a_value_that_is_none_is_refused) {
  for (const double none : {std::nan(""), HUGE_VAL}) {
    fake->values["requests.sum"] = none;
    EXPECT_EQ(error_of([&] { count(*counters()); }),
              "counting 'requests.sum' gave no value on this GPU (GX1)");
  }
}

TEST_F(CountersOfFake, a_user_who_may_not_count_is_told_what_to_do) {
  fake->results = {{"RangeProfilerEnable", 35}};
  EXPECT_EQ(
      error_of([&] { counters(); }),
      "the driver keeps the hardware counters from this user; run as root, or load the nvidia module with "
      "NVreg_RestrictProfilingToAdminUsers=0 (cuptiRangeProfilerEnable: "
      "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)");
  EXPECT_EQ(fake->hosts, 0);
}

TEST_F(CountersOfFake, every_call_that_fails_is_named) {
  const auto made = counters();
  count(*made);
  const Calls calls = fake->calls;
  for (const std::string& call : calls) {
    if (call == "launch" || call == "wait" || call == "ProfilerHostConfigAddMetrics") continue;
    *fake = FakeCupti{.values = fake->values, .results = {{call, 999}}};
    EXPECT_EQ(error_of([&] { count(*counters()); }),
              "the hardware counters cannot be read (cupti" + call + ": CUPTI_ERROR_X)");
    EXPECT_EQ(fake->profilers, 0) << call;
  }
  fake->results = {{"ProfilerInitialize", 999}};
  EXPECT_EQ(error_of([] { load_cupti(); }),
            "the hardware counters cannot be read (cuptiProfilerInitialize: CUPTI_ERROR_X)");
}

TEST_F(CountersOfFake, lost_counts_and_passes_without_end_are_refused) {
  fake->dropped = 1;
  EXPECT_EQ(error_of([&] { count(*counters()); }), "CUPTI lost what it counted");
  fake->dropped = 0;
  fake->ranges = 0;
  EXPECT_EQ(error_of([&] { count(*counters()); }), "CUPTI lost what it counted");
  fake->ranges = 1;
  fake->stops_per_pass = 100;
  EXPECT_EQ(error_of([&] { count(*counters()); }),
            "the hardware counters are not complete after all of their passes");
}

TEST_F(CountersOfFake, the_version_is_the_toolkit_s_since_13) {
  const auto cupti = load_cupti();
  EXPECT_EQ(version_of(*cupti), "CUPTI 13.0.1");
  fake->version = 28;
  EXPECT_EQ(version_of(*cupti), "CUPTI API 28");
}

TEST_F(CountersOfFake, a_library_that_cannot_be_used_is_named) {
  setenv("PERFMODEL_CUPTI", "libm.so.6", 1);
  EXPECT_EQ(error_of([] { load_cupti(); }),
            "libm.so.6 has no cuptiProfilerInitialize: CUPTI of CUDA 12.6 or later is needed");
  setenv("PERFMODEL_CUPTI", "/nowhere/libcupti.so", 1);
  const std::string text = error_of([] { load_cupti(); });
  EXPECT_EQ(text.rfind("PERFMODEL_CUPTI names no library that can be loaded: /nowhere/libcupti.so", 0), 0u)
      << text;
}

// A fill writes every byte once, in whole sectors.
TEST(CountersOfGpu, a_fill_of_a_mebibyte_stores_its_sectors) {
  constexpr std::size_t bytes = 1 << 20, sector = 32;
  std::unique_ptr<Session> session;
  std::unique_ptr<Counters> counters;
  try {
    session = std::make_unique<Session>(Options{.counters = true});
    counters = std::make_unique<Counters>(*session, Calls{"l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"});
  } catch (const MachineError& error) {
    GTEST_SKIP() << error.what();
  }
  Buffer<uint4> data(bytes / sizeof(uint4));
  const auto launch = [&] { fill_pattern(data.data(), data.size(), session->stream); };
  EXPECT_EQ(counters->count(launch), std::vector<double>{bytes / sector});
  EXPECT_EQ(counters->count(launch), std::vector<double>{bytes / sector}) << "again";
}

} // namespace perfmodel::kernels::counters_test
