// Tables of the machine: once for each value of what they depend on, not once for each point of a sweep.
#include "models/core/erase.hpp"
#include "models/core/facts.hpp"

#include <gtest/gtest.h>

#include <array>

namespace perfmodel::machine_tables_test {

// `tile` shapes both, `goal` is asked of the machine alone, `n` moves the point.
struct Plan {
  static constexpr ModelInfo info{.name = "plan", .summary = "toy"};
  struct Input {
    Count n = 1, tile = 8, goal = 50;
    static void fields(auto& field) {
      field(&Input::n, "n", "elements", Range::whole);
      field(&Input::tile, "tile", "elements of a tile", Range::whole);
      field(&Input::goal, "goal", "what to reach", Range::whole);
    }
  };
  struct Needed {
    static constexpr std::string_view title = "needed";
    Count tiles = 0;
    static void fields(auto& field) { field(&Needed::tiles, "tiles", "tiles"); }
  };
  struct Row {
    static constexpr std::string_view title = "point";
    Count work = 0;
    static void fields(auto& field) { field(&Row::work, "work", "work"); }
  };
  static constexpr std::array<std::string_view, 1> machine_inputs{"tile"};
  template <class T> static std::vector<Needed> machine(const Gpu&, const Input& in, T&) {
    return {{.tiles = in.goal / in.tile}};
  }
  template <class T> static Row predict(const Gpu&, const Input& in, T&) { return {.work = in.n * in.tile}; }
  static std::string verdict(const Gpu&, const Input&, const Row&) { return "A toy."; }
};
// The same, but a sweep that does not ask for a goal is answered with its points.
struct Asked : Plan {
  static constexpr std::array<std::string_view, 1> machine_questions{"goal"};
};

template <class M>
Result answer(const std::vector<std::pair<std::string, std::string>>& options, std::vector<Axis> set = {}) {
  const Model model = erase<M>();
  Request request{.facts = std::move(set)};
  for (const auto& [name, text] : options)
    request.inputs.push_back({name, parse_values(*model.find(name), text)});
  const Gpu gpu{.name = "toy", .file = "toy.yaml"};
  return predict(model, std::span(&gpu, 1), request);
}
const Table* find(const Result& r, std::string_view title) {
  for (const Table& t : r.tables)
    if (t.title == title) return &t;
  return nullptr;
}
std::size_t rows(const Result& r, std::string_view title) {
  const Table* t = find(r, title);
  return t == nullptr ? 0 : t->rows();
}

TEST(MachineTables, come_once_for_each_value_of_what_they_depend_on) {
  const Result r = answer<Plan>({{"n", "1,2,3"}, {"tile", "5,10"}});
  ASSERT_EQ(rows(r, "needed"), 2u);
  EXPECT_EQ(find(r, "needed")->at("tile").number(1), 10);
  EXPECT_EQ(find(r, "needed")->at("tiles").number(0), 10);
  EXPECT_EQ(find(r, "needed")->at("tiles").number(1), 5);
  EXPECT_EQ(find(r, "needed")->find("n"), nullptr);
  EXPECT_EQ(rows(r, "point"), 6u);
}

TEST(MachineTables, of_a_swept_fact_come_once_for_each_value) {
  const Result r = answer<Plan>({{"n", "1,2,3"}}, {{"dram.latency", {{.number = 400}, {.number = 800}}}});
  EXPECT_EQ(rows(r, "needed"), 2u);
  EXPECT_EQ(rows(r, "point"), 6u);
}

TEST(MachineTables, that_are_asked_for_stay_out_of_a_sweep_that_does_not_ask) {
  EXPECT_EQ(rows(answer<Asked>({}), "needed"), 1u);
  EXPECT_EQ(rows(answer<Asked>({{"n", "7"}, {"tile", "5"}}), "needed"), 1u);
  EXPECT_EQ(find(answer<Asked>({{"n", "1,2,3"}}), "needed"), nullptr);
  EXPECT_EQ(find(answer<Asked>({{"tile", "5,10"}}), "needed"), nullptr);
  EXPECT_EQ(find(answer<Asked>({}, {{"dram.latency", {{.number = 400}, {.number = 800}}}}), "needed"),
            nullptr);
  EXPECT_EQ(rows(answer<Asked>({{"n", "1,2,3"}}), "point"), 3u);
}

TEST(MachineTables, a_question_to_the_machine_is_a_key_of_its_tables_and_not_of_the_points) {
  const Result r = answer<Asked>({{"n", "1,2,3"}, {"goal", "50,80"}});
  ASSERT_EQ(rows(r, "needed"), 2u);
  EXPECT_EQ(find(r, "needed")->at("goal").number(1), 80);
  EXPECT_EQ(find(r, "needed")->at("tiles").number(1), 10);
  ASSERT_EQ(rows(r, "point"), 3u) << "not once for each goal";
  EXPECT_EQ(find(r, "point")->find("goal"), nullptr);
}

} // namespace perfmodel::machine_tables_test
