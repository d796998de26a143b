// A sweep that is not held is the same answer, to the byte, as one that is.
#include "tests/cli/program.hpp"
#include "tests/models/ask.hpp"

#include "cli/format.hpp"
#include "cli/stream/all_and_ends.hpp"
#include "cli/stream/written.hpp"
#include "hwdb/result_file.hpp"
#include "models/core/erase.hpp"

#include <gtest/gtest.h>

namespace perfmodel::cli::written_test {

// Two devices and a sweep of the model's own x, of a number that is not, and of a word. What is simulated is
// graded quickly: else each of its rows is asked for again and again.
std::vector<Request> sweeps_of(const Model& m, const std::string& range) {
  std::vector<Request> all;
  const auto add = [&](const Option& option, const std::string& text) {
    all.push_back({.inputs = {{option.name, parse_values(option, text)}}, .quick_grades = m.info.simulated});
  };
  const Option* x = m.find(m.info.x);
  if (x != nullptr && x->kind == OptionKind::number) add(*x, range);
  for (const Option& option : m.options)
    if (option.kind == OptionKind::number && &option != x) {
      add(option, range);
      break;
    }
  for (const Option& option : m.options)
    if (option.choices.size() > 1) {
      add(option, option.choices[1] + "," + option.choices[0]);
      if (!all.empty() && all.size() < 3) all.back().inputs.push_back(all.front().inputs.front());
      break;
    }
  return all;
}

struct Said {
  std::string csv, json, text, markdown, all;
};

std::string all_of(const Result& result, const AllAndEnds& rows) {
  std::string text;
  write_text(result, 100, rows.all, [&](std::string_view piece) { text += piece; });
  return text;
}
bool advises(const Model& m) {
  return std::find(m.outputs.begin(), m.outputs.end(), "advice") != m.outputs.end();
}

Said whole(const Model& m, std::span<const Gpu> gpus, const Request& request) {
  const Result result = predict(m, gpus, request);
  return {to_csv(result), hwdb::to_json({.result = result}), to_text(result, 100), to_markdown(result),
          advises(m) ? "" : to_text(result, 100, Shown::all)};
}

Said streamed(const Model& m, std::span<const Gpu> gpus, const Request& request, std::size_t block) {
  Said said;
  Spool rows(block);
  const Result data = predict(m, gpus, request, rows);
  write_csv(data, rows, [&](std::string_view piece) { said.csv += piece; });
  write_json({.result = data}, rows, [&](std::string_view piece) { said.json += piece; });
  Ends ends(block);
  const Result shown = predict(m, gpus, request, ends);
  said.text = to_text(shown, 100), said.markdown = to_markdown(shown);
  if (advises(m)) return said; // held, as its advice is numbered
  AllAndEnds both(block);
  const Result all = predict(m, gpus, request, both);
  said.all = all_of(all, both);
  return said;
}

void expect_same(const Said& a, const Said& b, const std::string& of) {
  EXPECT_EQ(a.csv, b.csv) << of;
  EXPECT_EQ(a.json, b.json) << of;
  EXPECT_EQ(a.text, b.text) << of;
  EXPECT_EQ(a.markdown, b.markdown) << of;
  EXPECT_EQ(a.all, b.all) << of;
}

std::vector<Gpu> two_devices() { return {gpu_named("m2090"), gpu_named("h200")}; }

TEST(Streamed, every_models_answer_is_the_whole_one_to_the_byte) {
  const std::vector<Gpu> gpus = two_devices();
  std::size_t compared = 0;
  for (const Model& m : models())
    for (const Request& request : sweeps_of(m, m.info.simulated ? "1,16" : "1:48")) {
      Said held;
      try {
        held = whole(m, gpus, request);
      } catch (const InputError&) { // of one device alone, or at no point
        continue;
      }
      expect_same(streamed(m, gpus, request, 5), held, std::string(m.info.name));
      ++compared;
    }
  EXPECT_GT(compared, models().size()) << "most models take part";
}

// Above the thousand rows from which on text shows the ends: of two devices.
TEST(Streamed, an_excerpt_and_its_heading_are_those_of_the_whole_table) {
  const std::vector<Gpu> gpus = two_devices();
  for (const char* name : {"balance", "littles-law", "occupancy", "transfer"}) {
    const Model& m = model(name);
    for (const Request& request : sweeps_of(m, "1:550")) {
      Said held;
      try {
        held = whole(m, gpus, request);
      } catch (const InputError&) {
        continue;
      }
      expect_same(streamed(m, gpus, request, 64), held, name);
      expect_same(streamed(m, gpus, request, 3), held, name);
    }
  }
}

// What the models of the registry rarely have: absent numbers, keys that come late or never, words that
// CSV and JSON escape, zeros of both signs; and a middle that its ends say nothing of.
struct Odd {
  static constexpr ModelInfo info{
      .name = "odd", .summary = "odd", .equation = "y = x", .source = "this test", .reading = "It is odd."};
  struct Input {
    double x = 1;
    static void fields(auto& field) { field(&Input::x, "x", "x", Range::any); }
  };
  struct Row {
    static constexpr std::string_view title = "odd";
    double x, level, zero;
    std::optional<double> gap, never, late;
    std::int64_t count;
    std::string word, bump;
    static void fields(auto& field) {
      field(&Row::x, "x", "x", Range::any, Role::key);
      field(&Row::level, "level", "all but one the same", Range::any, Role::key);
      field(&Row::zero, "zero", "0 or -0");
      field(&Row::gap, "gap", "absent here and there");
      field(&Row::never, "never", "absent", Range::any, Role::key);
      field(&Row::late, "late", "absent at first", Range::any, Role::key);
      field(&Row::count, "count", "whole");
      field(&Row::word, "word", "text");
      field(&Row::bump, "bump", "one text but once", Range::any, Role::key);
    }
  };
  template <class T> static std::vector<Row> predict(const Gpu&, const Input& in, T&) {
    static constexpr const char* texts[] = {"", "a,b", "say \"no\"", "two\nlines", "\xff", "h\u00e9"};
    if (in.x == 700.5) throw InputError("x: half a point");
    const auto i = static_cast<std::int64_t>(in.x);
    std::vector<Row> rows;
    for (int copy = 0; copy < (i % 3 == 0 ? 2 : 1); ++copy)
      rows.push_back({.x = in.x,
                      .level = i == 600 ? 3. : 2.,
                      .zero = i % 2 == 0 ? 0. : -0.,
                      .gap = i % 7 == 0 ? std::nullopt : std::optional(in.x / 3),
                      .late = i < 650 ? std::nullopt : std::optional(1e300),
                      .count = i / 10,
                      .word = texts[i % 6],
                      .bump = i == 601 ? "up" : "flat"});
    return rows;
  }
  static std::string verdict(const Gpu&, const Input&, const std::vector<Row>&) { return "It is odd."; }
};

Result odd(const std::string& range, RowSink* sink = nullptr) {
  static const Model m = erase<Odd>();
  static const Gpu gpu = toy();
  const Request request = request_of(m, {{"x", range}});
  Result result = sink == nullptr ? predict(m, {&gpu, 1}, request) : predict(m, {&gpu, 1}, request, *sink);
  result.model.clear(); // it is not in the registry
  return result;
}

std::string csv_of(const Result& result, const Spool& rows) {
  std::string csv;
  write_csv(result, rows, [&](std::string_view piece) { csv += piece; });
  return csv;
}

TEST(Streamed, odd_cells_are_the_same_to_the_byte) {
  for (const char* range : {"1", "1:11", "1:12", "1:13", "1:25", "1:800", "1:2000", "0:6"}) {
    const Result held = odd(range);
    for (const std::size_t block : std::initializer_list<std::size_t>{1, 4, 13, 300}) {
      if (held.tables.front().rows() > 100 * block) continue; // slow, and nothing else
      Spool rows(block);
      const Result data = odd(range, &rows);
      EXPECT_EQ(csv_of(data, rows), to_csv(held)) << range << " by " << block;
      std::string json;
      write_json({.result = data}, rows, [&](std::string_view piece) { json += piece; });
      EXPECT_EQ(json, hwdb::to_json({.result = held})) << range << " by " << block;
      Ends ends(block);
      const Result shown = odd(range, &ends);
      EXPECT_EQ(to_text(shown, 100), to_text(held, 100)) << range << " by " << block;
      EXPECT_EQ(to_markdown(shown), to_markdown(held)) << range << " by " << block;
      AllAndEnds both(block);
      const Result all = odd(range, &both);
      EXPECT_EQ(all_of(all, both), to_text(held, 100, Shown::all)) << range << " by " << block;
    }
  }
}

TEST(Streamed, an_error_at_a_late_point_is_the_one_that_the_whole_sweep_has) {
  for (const char* range : {"1:2000:0.5", "700.5"}) {
    Spool rows(16);
    EXPECT_THROW(odd(range, &rows), InputError) << range;
    EXPECT_THROW(odd(range), InputError) << range;
  }
}

// Rows that are in memory at once.
class Counting final : public RowSink {
public:
  using RowSink::RowSink;
  void take(std::size_t, const Table& rows) override {
    most = std::max(most, rows.rows()), all += rows.rows();
    for (const Column& column : rows.columns)
      std::visit([&](const auto& cells) { room = std::max(room, cells.capacity()); }, column.cells);
  }
  Table close(std::size_t, const std::vector<bool>&) override { return {.of_rows = all}; }
  std::size_t most = 0, room = 0, all = 0;
};

TEST(Streamed, no_more_rows_than_a_block_and_a_point_are_held) {
  Counting counting(100);
  const Result result = odd("0:30000", &counting);
  EXPECT_EQ(counting.all, 30001u + 10001u) << "two rows of every third point";
  EXPECT_LE(counting.most, 101u);
  EXPECT_LE(counting.room, 200u) << "nor is there room for more";
  EXPECT_EQ(result.tables.at(0).of_rows, counting.all);
  EXPECT_EQ(result.tables.at(0).rows(), 0u);
}

TEST(Streamed, a_table_of_one_block_is_in_the_result_whole) {
  Counting counting(100);
  EXPECT_EQ(to_csv(odd("1:75", &counting)), to_csv(odd("1:75"))) << "75 points, every third twice";
  EXPECT_EQ(counting.all, 0u);
  EXPECT_EQ(odd("1:76", &counting).tables.at(0).of_rows, 101u);
}

} // namespace perfmodel::cli::written_test
