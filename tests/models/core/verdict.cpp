// Which points of a sweep are told in words, and what each is led by.
#include "models/core/erase.hpp"
#include "models/core/facts.hpp"
#include "models/core/in_words.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <tuple>

namespace perfmodel::verdict_test {

struct Silent {
  static constexpr ModelInfo info{.name = "silent", .summary = "toy"};
  struct Input {
    Count n = 1;
    static void fields(auto& field) { field(&Input::n, "n", "elements", Range::whole); }
  };
  struct Row {
    static constexpr std::string_view title = "point";
    Count work = 0;
    static void fields(auto& field) { field(&Row::work, "work", "work"); }
  };
  template <class T> static Row predict(const Gpu&, const Input& in, T&) { return {.work = in.n}; }
};
static_assert(!detail::SaysVerdict<Silent> && !detail::SaysVerdictWithMachine<Silent>,
              "erase<Silent>() must not compile");

// Blocks of more than 1000 elements do not launch.
struct Plan : Silent {
  using Input = Silent::Input;
  template <class T> static Row predict(const Gpu&, const Input& in, T&) {
    if (in.n > 1000) throw LaunchError("more than 1000 elements");
    return {.work = in.n * 2};
  }
  static std::string verdict(const Gpu&, const Input& in, const Row& row) {
    return fmt::format("{} elements are {} of work.", in.n, row.work);
  }
};
static_assert(detail::SaysVerdict<Plan>);

// Compares two ways: one is the better one for up to four elements, and both alike for none.
struct Compared : Plan {
  static std::string pick(const Row& row) { return row.work <= 8 ? "simple" : "clever"; }
};
// Another one each time.
struct Restless : Plan {
  static std::string pick(const Row& row) { return std::fmod(row.work, 4) == 0 ? "even" : "odd"; }
};

// With a table of the machine, one for each tile.
struct Tiled : Plan {
  struct Input {
    Count n = 1, tile = 8;
    static void fields(auto& field) {
      field(&Input::n, "n", "elements", Range::whole);
      field(&Input::tile, "tile", "elements of a tile", Range::whole);
    }
  };
  struct Needed {
    static constexpr std::string_view title = "needed";
    Count tiles = 0;
    static void fields(auto& field) { field(&Needed::tiles, "tiles", "tiles"); }
  };
  static constexpr std::array<std::string_view, 1> machine_inputs{"tile"};
  template <class T> static std::vector<Needed> machine(const Gpu&, const Input& in, T&) {
    return {{.tiles = 100 / in.tile}};
  }
  template <class T> static Row predict(const Gpu&, const Input& in, T&) { return {.work = in.n * in.tile}; }
  static std::string verdict(const Gpu&, const Input&, const Row& row,
                             const std::tuple<std::vector<Needed>>& machine) {
    const auto& needed = std::get<0>(machine);
    return fmt::format("{} of work, {} tiles.", row.work, needed.empty() ? -1 : needed.front().tiles);
  }
};

template <class M>
std::vector<std::string> verdict(const std::vector<std::pair<std::string, std::string>>& options,
                                 std::vector<Axis> set = {}, std::vector<std::string> gpus = {"toy"}) {
  const Model model = erase<M>();
  Request request{.facts = std::move(set)};
  for (const auto& [name, text] : options)
    request.inputs.push_back({name, parse_values(*model.find(name), text)});
  std::vector<Gpu> devices;
  for (std::string& name : gpus) devices.push_back({.name = std::move(name), .file = "toy.yaml"});
  return predict(model, devices, request).verdict;
}
using Lines = std::vector<std::string>;

TEST(Verdict, of_one_point_has_no_lead) {
  EXPECT_EQ(verdict<Plan>({{"n", "7"}}), Lines{"7 elements are 14 of work."});
}

TEST(Verdict, of_few_points_there_is_one_each_and_of_many_the_ends) {
  EXPECT_EQ(verdict<Plan>({{"n", "1,2,3"}}),
            (Lines{"n 1: 1 elements are 2 of work.", "n 2: 2 elements are 4 of work.",
                   "n 3: 3 elements are 6 of work."}));
  EXPECT_EQ(verdict<Plan>({{"n", "1:100"}}), (Lines{"n 1 (first of 100): 1 elements are 2 of work.",
                                                    "n 100 (last of 100): 100 elements are 200 of work."}));
}

TEST(Verdict, of_several_devices_names_each) {
  EXPECT_EQ(verdict<Plan>({}, {}, {"old", "new"}),
            (Lines{"old: 1 elements are 2 of work.", "new: 1 elements are 2 of work."}));
  EXPECT_EQ(verdict<Plan>({{"n", "1,2,3"}}, {}, {"old", "new"}).size(), 4u) << "the ends";
  EXPECT_EQ(verdict<Plan>({{"n", "1:9"}}, {}, {"old", "new"}).at(3),
            "new, n 9 (last of 9): 9 elements are 18 of work.");
}

TEST(Verdict, of_a_swept_fact_is_led_by_its_value) {
  EXPECT_EQ(verdict<Plan>({}, {{"dram.latency", {{.number = 400}, {.number = 800}}}}),
            (Lines{"dram.latency 400 cycle: 1 elements are 2 of work.",
                   "dram.latency 800 cycle: 1 elements are 2 of work."}));
}

TEST(Verdict, the_last_point_is_the_last_that_can_run) {
  EXPECT_EQ(verdict<Plan>({{"n", "996:1004"}}),
            (Lines{"n 996 (first of 9): 996 elements are 1992 of work.",
                   "n 1000 (last of 9 that can run): 1000 elements are 2000 of work."}));
  const Lines swept =
      verdict<Plan>({{"n", "999:1002"}}, {{"dram.latency", {{.number = 400}, {.number = 800}}}});
  EXPECT_EQ(
      swept,
      (Lines{"dram.latency 400 cycle, n 999 (first of 8): 999 elements are 1998 of work.",
             "dram.latency 800 cycle, n 1000 (last of 8 that can run): 1000 elements are 2000 of work."}));
}

TEST(Verdict, each_point_has_the_machines_table_of_its_own_words) {
  EXPECT_EQ(verdict<Tiled>({{"n", "1:4"}, {"tile", "5,10"}}),
            (Lines{"n 1, tile 5 (first of 8): 5 of work, 20 tiles.",
                   "n 4, tile 10 (last of 8): 40 of work, 10 tiles."}));
}

TEST(Verdict, numbers_are_those_of_the_tables) {
  EXPECT_EQ(in_words(FlopsPerSecond(44.352e9)), "44.35 Gflop/s");
  EXPECT_EQ(in_words(FlopsPerSecond(44.352e9), "int8 tensor"), "44.35 Gop/s");
  EXPECT_EQ(in_words(27231.0, "threads"), "27 231 threads");
  EXPECT_EQ(in_words(1.0, "blocks"), "1 block");
  EXPECT_EQ(in_percent(0.0333), "3.33 %");
  EXPECT_EQ(binding("DRAM, rows opened for little"), "DRAM");
  EXPECT_EQ(binding("DRAM at most: isolated segments"), "DRAM");
  EXPECT_EQ(shortened(std::string(60, 'k')), std::string(37, 'k') + "...");
  EXPECT_EQ(shortened("k\x1b[2J"), "k?[2J");
}

TEST(Verdict, of_a_sweep_says_which_is_best_where) {
  EXPECT_EQ(verdict<Compared>({{"n", "1,2,3,5,9,1001"}}).front(),
            "Best by n: simple from 1 to 3, clever at 5 and 9.");
  EXPECT_EQ(verdict<Compared>({{"n", "4,5"}}).front(), "Best by n: simple at 4, clever at 5.");
  EXPECT_EQ(verdict<Compared>({{"n", "5,6,7"}}).front(), "Best at each of 3 points: clever.");
  EXPECT_EQ(verdict<Compared>({{"n", "4"}}), Lines{"4 elements are 8 of work."});
  EXPECT_EQ(verdict<Compared>({{"n", "4,1001"}}).size(), 1u) << "one that can run";
  EXPECT_EQ(verdict<Restless>({{"n", "1:9"}}).front(), "Best of 9 points: odd at 5, even at 4.");
  EXPECT_EQ(verdict<Compared>({{"n", "4,5"}}, {}, {"old", "new"}).at(3),
            "new: Best by n: simple at 4, clever at 5.");
}

} // namespace perfmodel::verdict_test
