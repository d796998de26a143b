#include "models/core/trace.hpp"

#include "models/bounds/balance.hpp"
#include "models/bounds/roofline.hpp"
#include "models/concurrency/littles_law.hpp"
#include "models/core/erase.hpp"
#include "tests/models/ask.hpp"

#include <gtest/gtest.h>

namespace perfmodel::trace_test {

using Q = Term<double>;
Q atom(const char* name, double value) { return {value, {name, format_quantity(value, {}), 0}}; }
const Q a = atom("a", 2), b = atom("b", 3), c = atom("c", 4);

TEST(Trace, parentheses_stand_where_the_value_needs_them) {
  EXPECT_EQ((a * b * c).formula, "a x b x c");
  EXPECT_EQ((a * (b + c)).formula, "a x (b + c)");
  EXPECT_EQ((a * b + c).formula, "a x b + c");
  EXPECT_EQ((a / (b * c)).formula, "a / (b x c)");
  EXPECT_EQ((a / b / c).formula, "a / b / c");
  EXPECT_EQ((a / (b / c)).formula, "a / (b / c)");
  EXPECT_EQ((a - (b - c)).formula, "a - (b - c)");
  EXPECT_EQ((a - b - c).formula, "a - b - c");
  EXPECT_EQ((a + (b - c)).formula, "a + b - c");
  EXPECT_EQ(((a + b) / c).formula, "(a + b) / c");
  EXPECT_EQ((2.0 * a / 4).formula, "2 x a / 4");
  EXPECT_EQ(lesser(a, b + c).formula, "min(a, b + c)");
  EXPECT_EQ(greater(a, b).formula, "max(a, b)");
  EXPECT_EQ((round_up(a / b) * c).formula, "ceil(a / b) x c");
}

TEST(Trace, the_value_is_that_of_the_plain_expression) {
  EXPECT_DOUBLE_EQ((a / (b / c)).value, 2 / (3.0 / 4));
  EXPECT_DOUBLE_EQ((a - (b - c)).value, 3);
  EXPECT_DOUBLE_EQ(lesser(a, b).value, 2);
  EXPECT_DOUBLE_EQ(greater(a, b).value, 3);
  EXPECT_DOUBLE_EQ(round_up(a / b).value, 1);
  EXPECT_EQ((a / b).numbers, "2 / 3");
}

TEST(Trace, a_fact_is_recorded_once_with_its_source) {
  const Gpu gpu = gpu_named("m2090");
  Recorder r;
  r.fact(gpu, facts::dram_bandwidth);
  r.fact(gpu, facts::dram_bandwidth);
  r.say("bound", "what limits it", "memory");
  ASSERT_EQ(r.derivation.steps.size(), 2u);
  const Step& s = r.derivation.steps[0];
  EXPECT_TRUE(s.is_fact);
  EXPECT_EQ(s.symbol, "dram.bandwidth");
  EXPECT_EQ(s.unit, unit_of<BytesPerSecond>());
  EXPECT_DOUBLE_EQ(s.value, 177.4e9);
  EXPECT_EQ(s.status, Status::secondary);
  EXPECT_NE(s.source.find("techpowerup"), std::string::npos);
  EXPECT_NE(s.place.find("m2090.yaml:"), std::string::npos);
  EXPECT_EQ(r.derivation.steps[1].text, "memory");
}

// Whatever order the compiler evaluates them in.
TEST(Trace, operands_are_recorded_in_the_order_of_the_formula) {
  const auto symbols = [](const Recorder& r) {
    std::vector<std::string> all;
    for (const Step& s : r.derivation.steps) all.push_back(s.symbol);
    return all;
  };
  for (const bool reverse : {false, true}) {
    Recorder r;
    r.define("x", "", r.input("c", 5.0));
    r.input("aside", 1.0);
    auto first = r.input(reverse ? "c.core" : "a.c", 2.0);
    auto second = r.input("c", 3.0);
    auto third = r.input(reverse ? "a.c" : "c.core", 4.0);
    if (reverse) std::swap(first, third);
    r.define("y", "", first / (third * second));
    EXPECT_EQ(symbols(r), (std::vector<std::string>{"c", "x", "aside", "a.c", "c.core", "c", "y"}));
    EXPECT_EQ(r.derivation.steps.back().formula, "a.c / (c.core x c)");
  }
}

// 800 cycle / 1.301 GHz x 177.4 GB/s: the lecture's formula with the data sheet's numbers.
TEST(Trace, the_lecture_is_explained_in_its_own_words) {
  Recorder r;
  LittlesLaw::predict(gpu_named("m2090"), {}, r);
  const auto find = [&](std::string_view symbol) {
    for (const Step& s : r.derivation.steps)
      if (s.symbol == symbol) return s;
    return Step{};
  };
  EXPECT_EQ(find("in_flight").formula, "fma.latency x throughput.fp32_fma");
  EXPECT_EQ(find("bytes_in_flight").formula, "dram.latency / clock x dram.bandwidth");
  EXPECT_EQ(find("bytes_in_flight").numbers, "800 cycle / 1.301 GHz x 177.4 GB/s");
  EXPECT_EQ(find("memory_threads").formula, "ceil(bytes_in_flight / bytes_per_thread)");
}

template <class Row> void expect_same(const Row& plain, const Row& recorded, const std::string& gpu) {
  for (const detail::Field& field : detail::fields_of<Row>()) {
    Column x = detail::column_of(field), y = x;
    detail::append_value(x, field, &plain);
    detail::append_value(y, field, &recorded);
    EXPECT_EQ(x.text(0), y.text(0)) << gpu << ", " << field.name;
  }
}

// A model that computed anything beside its trace would explain what it does not do.
template <class Tables>
void expect_same_tables(const Tables& plain, const Tables& recorded, const std::string& gpu) {
  const auto compare = [&](const auto& x, const auto& y) {
    ASSERT_EQ(x.size(), y.size()) << gpu;
    for (std::size_t i = 0; i < x.size(); ++i) expect_same(x[i], y[i], gpu);
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (compare(std::get<I>(plain), std::get<I>(recorded)), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<Tables>>{});
}

template <class M> void expect_recording_changes_nothing(const typename M::Input& input) {
  for (const Gpu& gpu : every_gpu()) {
    Plain plain;
    Recorder recorder;
    try {
      expect_same_tables(detail::as_tables(M::predict(gpu, input, plain)),
                         detail::as_tables(M::predict(gpu, input, recorder)), gpu.name);
      EXPECT_FALSE(recorder.derivation.steps.empty()) << gpu.name;
      if constexpr (detail::DescribesMachine<M>)
        expect_same_tables(M::machine(gpu, input, plain), M::machine(gpu, input, recorder), gpu.name);
    } catch (const InputError&) { // a fact this device lacks: registry.cpp looks at the sentence
    }
  }
}

TEST(Trace, recording_changes_no_number_of_any_model) {
  for (const Basis basis : {Basis::spec, Basis::measured}) {
    Balance::Input balance;
    balance.basis = basis;
    expect_recording_changes_nothing<Balance>(balance);
    LittlesLaw::Input little;
    little.basis = basis;
    expect_recording_changes_nothing<LittlesLaw>(little);
    for (const double intensity : {0.01, 1.0, 1000.0}) {
      Roofline::Input roofline;
      roofline.basis = basis;
      roofline.intensity = FlopsPerByte(intensity);
      roofline.flops = Flops(1e9);
      roofline.time = Seconds(1e-3);
      expect_recording_changes_nothing<Roofline>(roofline);
    }
  }
}

} // namespace perfmodel::trace_test
