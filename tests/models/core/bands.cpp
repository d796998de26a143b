#include "models/core/bands.hpp"

#include "models/core/draw.hpp"
#include "tests/models/ask.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace perfmodel {
namespace {

TEST(ValueAt, theEndsAreThePercentilesAndStandForWhatLiesBeyond) {
  EXPECT_DOUBLE_EQ(value_at(0.05, 100, 294, 1000), 100);
  EXPECT_DOUBLE_EQ(value_at(0.5, 100, 294, 1000), 294);
  EXPECT_DOUBLE_EQ(value_at(0.95, 100, 294, 1000), 1000);
  EXPECT_DOUBLE_EQ(value_at(0.275, 100, 294, 1000), 197) << "half of the way down";
  EXPECT_DOUBLE_EQ(value_at(0.01, 100, 294, 1000), 100);
  EXPECT_DOUBLE_EQ(value_at(0.99, 100, 294, 1000), 1000);
}

TEST(PlaceInRange, eachCostLiesOnceInEachPartOfItsRangeInAnOrderOfItsOwn) {
  std::set<std::string> orders;
  for (const KeyInfo& key : all_keys()) {
    std::set<double> places;
    std::string order;
    for (int draw = 1; draw <= draws; ++draw) {
      const double place = place_in_range(key.path, draw);
      EXPECT_EQ(place, place_in_range(key.path, draw));
      places.insert(place);
      order += fmt::format("{} ", place);
    }
    EXPECT_EQ(places.size(), static_cast<std::size_t>(draws));
    EXPECT_DOUBLE_EQ(*places.begin(), 0.5 / draws);
    EXPECT_DOUBLE_EQ(*places.rbegin(), 1 - 0.5 / draws);
    EXPECT_TRUE(orders.insert(order).second) << key.path << " moves as another cost does";
  }
}

TEST(PlaceInRange, isTheSameOnEveryMachine) {
  // Worked out once; a change of the generator would move every band that was printed.
  std::string first;
  for (int draw = 1; draw <= 4; ++draw)
    first += fmt::format("{:.0f} ", 32 * place_in_range("block.launch", draw) - 0.5);
  EXPECT_EQ(first, "7 23 27 8 ");
}

Result with_bands(std::string_view name, const Gpu& gpu, const Words& options) {
  const Model& m = model(name);
  Request request = request_of(m, options);
  request.quick_grades = request.bands = true;
  return predict(m, std::span(&gpu, 1), request);
}

TEST(Bands, goWithTheCostThatNobodyHasMeasured) {
  // One block of 1024 threads at a time: its launch, 100 to 1000 cycles on a GPU without probes, is a third
  // of its time.
  const Result answer = with_bands("memory-parallelism", gpu_named("m2090"), {{"threads", "1024"}});
  const Table& table = table_of(answer, "copy bandwidth");
  const double low = table.at("bandwidth_low").number(0), high = table.at("bandwidth_high").number(0);
  EXPECT_LT(low, table.at("bandwidth_median").number(0));
  EXPECT_GT(high, table.at("bandwidth_median").number(0));
  EXPECT_LT(low, table.at("bandwidth").number(0));
  EXPECT_GT(high, table.at("bandwidth").number(0));
  EXPECT_EQ(table.at("goes_with").text(0).rfind("block.launch ", 0), 0u) << table.at("goes_with").text(0);
}

TEST(Bands, areNarrowerWhereTheCostIsKnown) {
  const auto width = [](const Gpu& gpu) {
    const Result answer = with_bands("memory-parallelism", gpu, {{"threads", "1024"}});
    const Table& table = table_of(answer, "copy bandwidth");
    return table.at("bandwidth_high").number(0) - table.at("bandwidth_low").number(0);
  };
  const Gpu gpu = gpu_named("m2090");
  EXPECT_LT(width(with_facts(gpu, {{"block.launch", "294"}})), 0.75 * width(gpu));
}

TEST(Bands, areLeftOutWhereNothingIsOpen) {
  const Result answer = with_bands("balance", gpu_named("m2090"), {});
  for (const Table& table : answer.tables)
    for (const Column& column : table.columns) EXPECT_NE(column.role, Role::low) << column.name;
}

TEST(Bands, ofEveryModelHoldTheirMedian) {
  for (const Model& m : models()) {
    if (m.info.gpu == GpuUse::none || m.info.simulated) continue;
    for (const char* name : {"m2090", "h200"}) {
      Result answer;
      try {
        answer = with_bands(m.info.name, measured_gpu(name), {});
      } catch (const InputError&) {
        continue; // the default question has no answer there; the contracts of models say which
      }
      for (const Table& table : answer.tables)
        for (const Column& low : table.columns) {
          if (low.role != Role::low || !low.name.ends_with("_low")) continue;
          const std::string of = low.name.substr(0, low.name.size() - 4);
          for (std::size_t row = 0; row < table.rows(); ++row) {
            if (std::isnan(low.number(row))) continue;
            EXPECT_LE(low.number(row), table.at(of + "_median").number(row)) << m.info.name << " on " << name;
            EXPECT_LE(table.at(of + "_median").number(row), table.at(of + "_high").number(row))
                << m.info.name;
          }
        }
    }
  }
}

} // namespace
} // namespace perfmodel
