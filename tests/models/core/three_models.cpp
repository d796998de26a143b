// Three unlike models through the types they are made of: a ladder of versions (several rows for one
// question), an access pattern given as an expression (a word as input), and two devices overlaid (the GPU as
// a key column).
#include "models/core/erase.hpp"
#include "models/core/facts.hpp"

#include <gtest/gtest.h>

namespace perfmodel::three_models_test {

Gpu device(const char* name, double bandwidth) {
  Gpu gpu{.name = name, .file = "toy.yaml"};
  gpu.facts["dram.bandwidth"] = {.values = {bandwidth}, .status = Status::datasheet, .source = "toy"};
  return gpu;
}

// A ladder: each rung moves fewer bytes than the one before.
struct Ladder {
  static constexpr ModelInfo info{.name = "ladder", .summary = "toy"};
  struct Input {
    double n = 1024;
    static void fields(auto& field) { field(&Input::n, "n", "elements", Range::whole); }
  };
  struct Row {
    static constexpr std::string_view title = "rungs";
    double version = 0;
    Seconds time;
    static void fields(auto& field) {
      field(&Row::version, "version", "rung", Range::any, Role::key);
      field(&Row::time, "time", "time of the rung");
    }
  };
  template <class T> static std::vector<Row> predict(const Gpu& gpu, const Input& in, T& trace) {
    const auto beta = trace.fact(gpu, facts::dram_bandwidth);
    std::vector<Row> rows;
    for (int version = 0; version < 7; ++version) {
      const auto bytes = trace.input("bytes", Bytes(4 * in.n * (7 - version)));
      rows.push_back({double(version), value_of(trace.define("time", "time of the rung", bytes / beta))});
    }
    return rows;
  }
  static std::string verdict(const Gpu&, const Input&, const std::vector<Row>&) { return "A toy."; }
};

TEST(ThreeModels, a_ladder_gives_every_version_of_every_size_a_row) {
  const Model model = erase<Ladder>();
  const Gpu gpu = device("toy", 1e9);
  const Result r =
      predict(model, std::span(&gpu, 1), {.inputs = {{"n", parse_values(model.options[0], "1000,2000")}}});
  const Table& rungs = r.tables.at(0);
  ASSERT_EQ(rungs.rows(), 14u);
  EXPECT_EQ(rungs.at("n").number(13), 2000);
  EXPECT_EQ(rungs.at("version").number(13), 6);
  EXPECT_DOUBLE_EQ(rungs.at("time").number(0), 4 * 1000 * 7 / 1e9);
}

TEST(ThreeModels, of_two_devices_the_gpu_is_a_key_and_a_swept_fact_another) {
  const Model model = erase<Ladder>();
  const Gpu both[] = {device("old", 1e9), device("new", 4e9)};
  const Table plain = predict(model, both, {}).tables.at(0);
  ASSERT_EQ(plain.rows(), 14u);
  EXPECT_EQ(plain.at("gpu").text(0), "old");
  EXPECT_EQ(plain.at("gpu").text(7), "new");
  EXPECT_DOUBLE_EQ(plain.at("time").number(0), 4 * plain.at("time").number(7));
  const Table swept =
      predict(model, both, {.facts = {{"dram.bandwidth", {{.number = 2e9}, {.number = 8e9}}}}}).tables.at(0);
  ASSERT_EQ(swept.rows(), 28u);
  EXPECT_EQ(swept.at("dram.bandwidth").number(27), 8e9);
  EXPECT_EQ(swept.at("time").number(0), swept.at("time").number(14)); // what is set is no longer the device's
}

// An access pattern: which words a warp touches is said by an expression.
struct Pattern {
  static constexpr ModelInfo info{.name = "pattern", .summary = "toy"};
  struct Input {
    std::string index = "tid";
    static void fields(auto& field) { field(&Input::index, "index", "word of each thread"); }
  };
  struct Row {
    static constexpr std::string_view title = "transactions";
    double sectors = 0;
    static void fields(auto& field) { field(&Row::sectors, "sectors", "sectors of 32 B"); }
  };
  template <class T> static Row predict(const Gpu&, const Input& in, T& trace) {
    if (in.index != "tid" && in.index != "2*tid") throw InputError("--index: column 1: unknown name");
    const auto words = trace.input("words", in.index == "tid" ? 32.0 : 64.0);
    return {value_of(trace.define("sectors", "sectors of a warp", round_up(words / 8.0)))};
  }
  static std::string verdict(const Gpu&, const Input&, const Row&) { return "A toy."; }
};

TEST(ThreeModels, an_expression_is_an_input_like_any_other) {
  const Model model = erase<Pattern>();
  EXPECT_EQ(model.options[0].kind, OptionKind::text);
  EXPECT_EQ(model.options[0].default_text, "tid");
  const Gpu gpu = device("toy", 1e9);
  const Table table =
      predict(model, std::span(&gpu, 1), {.inputs = {{"index", {{.text = "tid"}, {.text = "2*tid"}}}}})
          .tables.at(0);
  EXPECT_EQ(table.at("index").text(1), "2*tid");
  EXPECT_EQ(table.at("sectors").number(0), 4);
  EXPECT_EQ(table.at("sectors").number(1), 8);
  EXPECT_THROW(predict(model, std::span(&gpu, 1), {.inputs = {{"index", {{.text = "?"}}}}}), InputError);
}

} // namespace perfmodel::three_models_test
