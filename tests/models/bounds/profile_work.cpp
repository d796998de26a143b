// Operations, bytes and time of a profiled kernel, and the roof that binds it.
#include "models/bounds/profile_roofs.hpp"

#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

namespace perfmodel::profile_work_test {

std::string executed(const std::string& operation) {
  return "smsp__sass_thread_inst_executed_op_" + operation + "_pred_on.sum";
}

// 1 ms; 3e9 + 2 x 2e9 fp32 operations.
ProfiledKernel kernel() {
  ProfiledKernel k;
  k.kernel = "f(int)";
  k.launches = 1;
  k.counters = {{"gpu__time_duration.sum", {1e-3, "second"}},
                {executed("fadd"), {1e9, "inst"}},
                {executed("fmul"), {2e9, "inst"}},
                {executed("ffma"), {2e9, "inst"}},
                {"dram__bytes.sum", {2e9, "byte"}},
                {"lts__t_bytes.sum", {4e9, "byte"}},
                {"l1tex__t_bytes.sum", {8e9, "byte"}}};
  return k;
}

Flops flops_of(const ProfiledWork& work, Precision precision) {
  for (const auto& [own, flops] : work.flops)
    if (own == precision) return flops;
  return Flops(absent);
}

TEST(ProfileWork, an_fma_is_two_operations_and_an_addition_one) {
  const ProfiledWork work = work_of(kernel());
  EXPECT_DOUBLE_EQ(flops_of(work, Precision::fp32).value, 7e9);
  EXPECT_TRUE(std::isnan(flops_of(work, Precision::fp64).value));
  EXPECT_TRUE(work.missing.empty()) << "fp64 was not asked for, fp32 was";
}

TEST(ProfileWork, doubles_and_halves_are_counted_as_floats_are) {
  ProfiledKernel k = kernel();
  for (const auto& [operation, count] :
       {std::pair{"dadd", 1.0}, {"dmul", 2.0}, {"dfma", 3.0}, {"hadd", 10.0}, {"hmul", 20.0}, {"hfma", 30.0}})
    k.counters[executed(operation)] = {count, "inst"};
  EXPECT_DOUBLE_EQ(flops_of(work_of(k), Precision::fp64).value, 9);
  EXPECT_DOUBLE_EQ(flops_of(work_of(k), Precision::fp16_vector).value, 90);
}

TEST(ProfileWork, each_level_that_was_counted_is_a_point_of_one_path) {
  const std::vector<RooflinePoint> points = points_of({kernel()}, {"f"});
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[0].level, Level::dram);
  EXPECT_DOUBLE_EQ(points[0].intensity.value, 3.5);
  EXPECT_DOUBLE_EQ(points[1].intensity.value, 1.75);
  EXPECT_DOUBLE_EQ(points[2].intensity.value, 0.875);
  for (const RooflinePoint& point : points) {
    EXPECT_DOUBLE_EQ(point.performance.value, 7e12);
    EXPECT_EQ(point.precision, Precision::fp32);
    EXPECT_EQ(point.path, "f");
  }
}

TEST(ProfileWork, bytes_read_and_written_make_up_for_their_sum) {
  ProfiledKernel k = kernel();
  k.counters.erase("dram__bytes.sum");
  k.counters["dram__bytes_read.sum"] = {1.5e9, "byte"};
  EXPECT_EQ(work_of(k).missing, std::vector<std::string>{"dram__bytes.sum"})
      << "one of the two is not enough";
  k.counters["dram__bytes_write.sum"] = {0.5e9, "byte"};
  EXPECT_DOUBLE_EQ(points_of({k}, {"f"})[0].intensity.value, 3.5);
}

TEST(ProfileWork, rates_as_the_roofline_sections_collect_them_are_multiplied_by_the_time) {
  ProfiledKernel k;
  k.kernel = "f";
  k.launches = 1;
  k.counters = {
      {"gpu__time_duration.sum", {1e-3, "second"}},
      {"smsp__cycles_elapsed.avg.per_second", {1e9, "cycle/second"}},
      {executed("fadd") + ".per_cycle_elapsed", {1000, "inst/cycle"}},
      {executed("fmul") + ".per_cycle_elapsed", {2000, "inst/cycle"}},
      {"derived__smsp__sass_thread_inst_executed_op_ffma_pred_on_x2", {4000, "inst/cycle"}},
      {"dram__bytes.sum.per_second", {2e12, "byte/second"}},
  };
  const std::vector<RooflinePoint> points = points_of({k}, {"f"});
  ASSERT_EQ(points.size(), 1u);
  EXPECT_DOUBLE_EQ(points[0].performance.value, 7e12);
  EXPECT_DOUBLE_EQ(points[0].intensity.value, 3.5);
}

TEST(ProfileWork, a_kernel_without_operations_or_time_has_no_point) {
  ProfiledKernel copies = kernel(), untimed = kernel();
  for (const char* operation : {"fadd", "fmul", "ffma"}) copies.counters[executed(operation)] = {0, "inst"};
  untimed.counters.erase("gpu__time_duration.sum");
  EXPECT_TRUE(points_of({copies, untimed}, {"copies", "untimed"}).empty());
  EXPECT_EQ(work_of(untimed).missing, std::vector<std::string>{"gpu__time_duration.sum"});
}

TEST(ProfileWork, what_is_missing_is_named_with_the_command_that_collects_it) {
  EXPECT_EQ(missing_in_words({kernel()}), "");
  ProfiledKernel k = kernel();
  k.counters.erase("lts__t_bytes.sum");
  const std::string words = missing_in_words({kernel(), k});
  EXPECT_EQ(words.rfind("not in the profile: lts__t_bytes.sum (of 1 of 2 kernels). ", 0), 0u) << words;
  EXPECT_NE(words.find("--metrics gpu__time_duration.sum,dram__bytes.sum,lts__t_bytes.sum,"),
            std::string::npos);
  k = ProfiledKernel{};
  k.counters["gpu__time_duration.sum"] = {1, "second"};
  EXPECT_EQ(work_of(k).missing.size(), 12u) << "nine kinds of operations, three levels";
}

TEST(ProfileWork, a_counter_in_the_unit_of_another_kind_is_refused) {
  ProfiledKernel k = kernel();
  k.counters["gpu__time_duration.sum"].unit = "cycle";
  EXPECT_EQ(error_of([&] { work_of(k); }),
            "gpu__time_duration.sum of 'f' is in 'cycle', where second is expected");
  k.counters["gpu__time_duration.sum"].unit = "";
  EXPECT_EQ(error_of([&] { work_of(k); }),
            "gpu__time_duration.sum of 'f' is in no unit, where second is expected");
}

// The H200's pins carry 4.814 TB/s (data sheet: 4.8), its FMA units do 66.91 Tflop/s.
class OnH200 : public testing::Test {
protected:
  const Gpu gpu = measured_gpu("h200");
  std::string bound(const ProfiledKernel& k) const {
    return roofs_of(gpu, {k}, {"f"}, Basis::spec).table.at("bound").text(0);
  }
  double of_roof(const ProfiledKernel& k) const {
    return roofs_of(gpu, {k}, {"f"}, Basis::spec).table.at("of_roof").number(0);
  }
};

TEST_F(OnH200, the_roof_of_which_a_kernel_reaches_the_largest_share_binds_it) {
  ProfiledKernel k = kernel();
  k.counters["dram__bytes.sum"].value = 4e9;
  EXPECT_EQ(bound(k), "DRAM");
  EXPECT_NEAR(of_roof(k), 4 / 4.814, 1e-3);
  k.counters[executed("ffma")].value = 30e9;
  EXPECT_EQ(bound(k), "fp32 arithmetic");
  EXPECT_NEAR(of_roof(k), 63 / 66.91, 1e-3);
}

TEST_F(OnH200, far_below_every_roof_it_is_latency) {
  const auto pins = [&](double share) {
    ProfiledKernel k = kernel();
    k.counters["dram__bytes.sum"].value = share * 4.814e9;
    k.counters["lts__t_bytes.sum"].value = k.counters["l1tex__t_bytes.sum"].value = 1;
    return bound(k);
  };
  EXPECT_EQ(pins(0.61), "DRAM");
  EXPECT_EQ(pins(0.59), "latency");
}

TEST_F(OnH200, a_copy_has_a_roof_although_it_has_no_intensity) {
  ProfiledKernel k = kernel();
  for (const char* operation : {"fadd", "fmul", "ffma"}) k.counters[executed(operation)].value = 0;
  k.counters["dram__bytes.sum"].value = 4.5e9;
  EXPECT_EQ(bound(k), "DRAM");
}

TEST_F(OnH200, above_a_roof_it_is_said_that_nothing_can_be) {
  ProfiledKernel k = kernel();
  k.counters["dram__bytes.sum"].value = 6e9;
  const std::string verdict = roofs_of(gpu, {k}, {"f"}, Basis::spec).verdicts.front();
  EXPECT_NE(verdict.find("which nothing can be"), std::string::npos) << verdict;
}

} // namespace perfmodel::profile_work_test
