// Devices that are asked on threads of their own: the answer is that of one after the other.
#include "models/core/side_by_side.hpp"

#include "models/core/erase.hpp"
#include "models/core/facts.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace perfmodel::side_by_side_test {

TEST(SideBySide, has_what_is_made_in_order) {
  const auto made = side_by_side(100, [](std::size_t n) { return n * n; });
  ASSERT_EQ(made.size(), 100u);
  for (std::size_t n = 0; n < made.size(); ++n) EXPECT_EQ(made[n], n * n);
}

TEST(SideBySide, throws_what_the_first_throws_that_does) {
  const auto made_until = [](std::size_t last) {
    side_by_side(50, [&](std::size_t n) {
      if (n >= last) throw std::runtime_error(std::to_string(n));
      return n;
    });
  };
  try {
    made_until(7);
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()), "7");
  }
}

// A block of more threads than its device has cannot be launched.
struct InTurn {
  static constexpr ModelInfo info{.name = "toy", .summary = "toy"};
  struct Input {
    Count threads = 1;
    static void fields(auto& field) { field(&Input::threads, "threads", "of a block", Range::whole); }
  };
  struct Row {
    static constexpr std::string_view title = "blocks";
    Count left = 0;
    std::string odd;
    static void fields(auto& field) {
      field(&Row::left, "left", "threads that are left");
      field(&Row::odd, "odd", "device's name, of an odd number");
    }
  };
  template <class T> static Row predict(const Gpu& gpu, const Input& in, T& trace) {
    const Count most = value_of(trace.fact(gpu, facts::sm_count));
    if (in.threads > most) throw LaunchError("more threads than there are");
    return {.left = most - in.threads, .odd = std::lround(in.threads) % 2 == 1 ? gpu.name : ""};
  }
  static std::string verdict(const Gpu& gpu, const Input&, const Row&) { return gpu.name + " is a toy."; }
};
struct OnThreads : InTurn {
  static constexpr ModelInfo info{.name = "toy", .summary = "toy", .simulated = true};
};

Gpu gpu_of(const std::string& name, double sms) {
  Gpu gpu{.name = name};
  gpu.put(facts::sm_count.path, {.values = {sms}, .source = "a test"});
  return gpu;
}

std::string text_of(const Result& result) {
  std::string text = result.title + "\n";
  for (const std::string& line : result.verdict) text += line + "\n";
  for (const std::string& note : result.notes) text += note + "\n";
  for (const Derivation& one : result.derivations) text += one.title + "\n";
  for (const Table& table : result.tables)
    for (const Column& column : table.columns) {
      text += column.name + ":";
      for (std::size_t row = 0; row < column.size(); ++row) text += " " + column.text(row);
      text += "\n";
    }
  return text;
}

TEST(SideBySide, devices_give_the_answer_that_they_give_in_turn) {
  std::vector<Gpu> gpus;
  for (int n = 0; n < 20; ++n) gpus.push_back(gpu_of("gpu" + std::to_string(n), 1 + n % 7));
  const Model in_turn = erase<InTurn>(), on_threads = erase<OnThreads>();
  Request request{.inputs = {{"threads", parse_values(*in_turn.find("threads"), "1,2,4")}}, .facts = {}};
  request.explain = true;
  const std::string text = text_of(predict(in_turn, gpus, request));
  EXPECT_EQ(text_of(predict(on_threads, gpus, request)), text);
  EXPECT_NE(text.find("cannot run at"), std::string::npos) << text;
}

} // namespace perfmodel::side_by_side_test
