// Random programs of ranks with locks. Who gets a lock first is chance on a real machine, so there may be
// several ends; ours must be one of those that a search through every order finds, and where all orders end,
// or none does, it must agree.
#include "models/parallel/rank_run.hpp"

#include <fmt/format.h>

#include <random>
#include <set>

#include <gtest/gtest.h>

namespace perfmodel::rank_run_locks_test {

struct Line {
  Action action;
  std::size_t lock = 0;
  double compute = 0;
};
using Code = std::vector<std::vector<Line>>;

// Every rank takes both locks, in one order or the other, one within the other or one after the other.
Code random_code(std::mt19937& random) {
  const auto below = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  Code code(2 + below(2));
  for (std::vector<Line>& lines : code) {
    const std::size_t first = below(2), second = 1 - first;
    const auto wait = [&] { lines.push_back({Action::compute, 0, static_cast<double>(below(20))}); };
    wait();
    lines.push_back({Action::lock, first});
    wait();
    if (below(2) == 0) lines.push_back({Action::unlock, first});
    lines.push_back({Action::lock, second});
    lines.push_back({Action::unlock, second});
    wait();
    if (lines[3].action != Action::unlock) lines.push_back({Action::unlock, first});
    if (below(3) == 0) lines.insert(lines.begin(), {Action::barrier});
  }
  return code;
}

std::string text_of(const Code& code) {
  std::string all = "shared sum = 0\n";
  for (std::size_t r = 0; r < code.size(); ++r) {
    all += fmt::format("rank {}\n", r);
    for (const Line& l : code[r])
      all += l.action == Action::compute  ? fmt::format(" compute {}us\n", l.compute)
             : l.action == Action::lock   ? fmt::format(" lock l{}\n sum = sum + 1\n", l.lock)
             : l.action == Action::unlock ? fmt::format(" unlock l{}\n", l.lock)
                                          : " barrier\n";
  }
  return all;
}

// How far every rank can come, in every order: the ends.
class Ends {
public:
  explicit Ends(const Code& code) : code_(code) { visit(std::vector<std::size_t>(code.size()), {-1, -1}); }
  std::set<std::vector<std::size_t>> all; // statements done by each rank

private:
  void visit(const std::vector<std::size_t>& pc, std::vector<int> holder) {
    if (!seen_.emplace(pc, holder).second) return;
    bool stuck = true;
    for (std::size_t r = 0; r < code_.size(); ++r) {
      if (pc[r] == code_[r].size()) continue;
      const Line& l = code_[r][pc[r]];
      auto next = pc;
      auto held = holder;
      bool can = true;
      if (l.action == Action::barrier)
        for (std::size_t other = 0; other < code_.size(); ++other) {
          can = can && pc[other] < code_[other].size() && code_[other][pc[other]].action == Action::barrier;
          ++next[other];
        }
      else
        ++next[r];
      if (l.action == Action::lock) {
        can = held[l.lock] < 0;
        held[l.lock] = static_cast<int>(r);
      }
      if (l.action == Action::unlock) held[l.lock] = -1;
      if (!can) continue;
      stuck = false;
      visit(next, held);
    }
    if (stuck) all.insert(pc);
  }

  const Code& code_;
  std::set<std::pair<std::vector<std::size_t>, std::vector<int>>> seen_;
};

TEST(RankRunProperties, locks_end_as_some_order_of_the_ranks_ends) {
  std::mt19937 random(5);
  int ended = 0, stuck = 0, either = 0;
  for (int i = 0; i < 2000; ++i) {
    const Code code = random_code(random);
    const RunOutcome r = run_ranks(RankProgram::from_text(text_of(code)), {.alpha = Seconds(5e-6),
                                                                           .handshake = Seconds(5e-6),
                                                                           .lock = Seconds(1e-6),
                                                                           .beta = BytesPerSecond(1e9),
                                                                           .copying = BytesPerSecond(1e9)});
    const Ends ends(code);
    bool all_can_end = false, some_wait = false;
    for (const std::vector<std::size_t>& end : ends.all) {
      bool all = true;
      for (std::size_t rank = 0; rank < code.size(); ++rank) all = all && end[rank] == code[rank].size();
      (all ? all_can_end : some_wait) = true;
    }
    either += all_can_end && some_wait ? 1 : 0;
    ASSERT_TRUE(r.waits.empty() ? all_can_end : some_wait) << text_of(code);
    // A circle that the answer names is one in the program.
    const std::vector<std::size_t> cycle = cycle_of(r.waits);
    for (std::size_t c = 0; c < cycle.size(); ++c)
      for (const Wait& wait : r.waits)
        if (wait.rank == cycle[c]) {
          const std::size_t next = cycle[(c + 1) % cycle.size()];
          ASSERT_NE(std::find(wait.for_ranks.begin(), wait.for_ranks.end(), next), wait.for_ranks.end());
        }
    if (!r.waits.empty()) {
      ++stuck;
      continue;
    }
    ++ended;
    ASSERT_EQ(r.shared.front(), static_cast<std::int64_t>(2 * code.size())) << "one for each lock and rank";
  }
  EXPECT_GT(ended, 300);
  EXPECT_GT(stuck, 100);
  EXPECT_GT(either, 100) << "programs that depend on who comes first take part";
}

} // namespace perfmodel::rank_run_locks_test
