// Models that need no GPU, or can do without one.
#include "models/core/erase.hpp"
#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/row_sink.hpp"
#include "tests/models/error_of.hpp"

#include <gtest/gtest.h>

namespace perfmodel::gpu_use_test {

// The text of a file, its letters counted.
struct Letters {
  std::string letters;
  static constexpr std::string_view shipped_in = "letters";
  static Letters from_text(std::string_view text) {
    if (text.empty()) throw InputError("no letters");
    return {std::string(text)};
  }
  std::string text() const { return letters; }
};

// The time of a copy over a GPU's memory, or over a bandwidth that is given.
template <GpuUse use> struct Copy {
  static constexpr ModelInfo info{.name = "copy", .summary = "toy", .gpu = use};
  struct Input {
    std::optional<BytesPerSecond> bandwidth;
    std::optional<Letters> letters;
    static void fields(auto& field) {
      field(&Input::bandwidth, "bandwidth", "of the memory");
      field(&Input::letters, "letters", "what is copied");
    }
  };
  struct Row {
    static constexpr std::string_view title = "copy";
    Seconds time;
    static void fields(auto& field) { field(&Row::time, "time", "of the copy"); }
  };
  template <class T> static Row predict(const Gpu& gpu, const Input& in, T& trace) {
    const double n = in.letters ? static_cast<double>(in.letters->letters.size()) : 100;
    if (in.bandwidth) return {Bytes(n) / *in.bandwidth};
    return {value_of(trace.number(Bytes(n)) / trace.fact(gpu, facts::dram_bandwidth))};
  }
  static std::string verdict(const Gpu&, const Input&, const Row&) { return "A toy."; }
};

Gpu device() {
  Gpu gpu{.name = "toy", .file = "toy.yaml"};
  gpu.facts["dram.bandwidth"] = {.values = {1e9}, .status = Status::datasheet, .source = "toy"};
  return gpu;
}

Request given(const Model& m, const char* option, const char* text) {
  return {.inputs = {{option, parse_values(*m.find(option), text)}}};
}

TEST(GpuUse, a_model_that_needs_no_gpu_is_asked_with_none_whatever_was_given) {
  const Model m = erase<Copy<GpuUse::none>>();
  const Gpu gpus[] = {device(), device()};
  for (const std::span<const Gpu> asked : {std::span<const Gpu>(), std::span<const Gpu>(gpus)}) {
    const Result r = predict(m, asked, given(m, "bandwidth", "1GB/s,2GB/s"));
    ASSERT_EQ(r.tables.at(0).rows(), 2u);
    EXPECT_EQ(r.tables.at(0).columns.front().name, "bandwidth");
    EXPECT_EQ(r.tables.at(0).find("gpu"), nullptr);
    EXPECT_EQ(r.grade, Grade::known);
    EXPECT_EQ(r.verdict.front().find("bandwidth 1 GB/s: "), 0u) << r.verdict.front();
  }
}

TEST(GpuUse, a_model_that_can_do_without_has_the_column_where_there_is_a_gpu) {
  const Model m = erase<Copy<GpuUse::optional>>();
  const Gpu gpu = device();
  EXPECT_EQ(predict(m, {}, given(m, "bandwidth", "1GB/s")).tables.at(0).find("gpu"), nullptr);
  EXPECT_EQ(predict(m, {&gpu, 1}, {}).tables.at(0).at("gpu").text(0), "toy");
  EXPECT_NE(error_of([&] { predict(m, {}, {}); }).find("dram.bandwidth"), std::string::npos);
}

TEST(GpuUse, a_model_that_needs_a_gpu_refuses_none) {
  const Model m = erase<Copy<GpuUse::needed>>();
  EXPECT_EQ(error_of([&] { predict(m, {}, {}); }), "copy is about a GPU: name one");
}

TEST(GpuUse, a_table_that_is_not_held_has_no_column_either) {
  struct Blocks : RowSink {
    Blocks() : RowSink(2) {}
    void take(std::size_t, const Table& rows) override { names = rows.columns.size(); }
    Table close(std::size_t, const std::vector<bool>& kept) override {
      shown = kept;
      return {.title = "copy", .of_rows = 1};
    }
    std::size_t names = 0;
    std::vector<bool> shown;
  } sink;
  const Model m = erase<Copy<GpuUse::none>>();
  predict(m, {}, given(m, "bandwidth", "1GB/s,2GB/s,3GB/s"), sink);
  ASSERT_EQ(sink.shown.size(), sink.names);
  EXPECT_EQ(sink.shown, (std::vector{false, true, true, true})) << "gpu, bandwidth, time, grade";
}

TEST(GpuUse, a_file_is_an_option_that_is_no_column) {
  const Model m = erase<Copy<GpuUse::none>>();
  EXPECT_EQ(m.find("letters")->kind, OptionKind::file);
  EXPECT_EQ(m.find("letters")->shipped_in, "letters");
  Request r = given(m, "bandwidth", "1GB/s");
  r.inputs.push_back({"letters", parse_values(*m.find("letters"), "a,b\nc")});
  const Table t = predict(m, {}, r).tables.at(0);
  EXPECT_EQ(t.find("letters"), nullptr);
  EXPECT_DOUBLE_EQ(t.at("time").number(0), 5e-9);
  r.inputs.back().values.front().text = "";
  EXPECT_EQ(error_of([&] { predict(m, {}, r); }), "--letters: no letters");
}

} // namespace perfmodel::gpu_use_test
