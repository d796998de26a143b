// Random programs of ranks against two slow ways of doing the same that share no code with it: every order in
// which the ranks can go on (what is printed, who waits for ever), and the times as the least solution of
// their equations.
#include "models/parallel/rank_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

namespace perfmodel::rank_run_properties_test {
using Numbers = std::vector<std::int64_t>;
constexpr double us = 1e-6;

// 5 us of latency, as long a handshake, 10 GB/s, copies at 5 GB/s.
MessageCosts costs() {
  return {.alpha = Seconds(5 * us),
          .handshake = Seconds(5 * us),
          .overhead = Seconds(1 * us),
          .lock = Seconds(2 * us),
          .beta = BytesPerSecond(10e9),
          .copying = BytesPerSecond(5e9)};
}

// What ranks can be at: how far each is, what it has, what is under way.
struct State {
  std::vector<std::size_t> pc;
  std::vector<Numbers> variables, printed;
  std::map<std::tuple<std::size_t, std::size_t, std::int64_t>, Numbers> under_way;
  friend bool operator<(const State& a, const State& b) {
    return std::tie(a.pc, a.variables, a.printed, a.under_way) <
           std::tie(b.pc, b.variables, b.printed, b.under_way);
  }
};

// A random program as data, and as text. Variables: x alone, which begins as the rank's number times 100.
struct Random {
  struct Line {
    Action action;
    std::size_t peer = 0;
    std::int64_t tag = 0;
    bool buffered = false;
    double compute = 0;
  };
  std::vector<std::vector<Line>> code;

  explicit Random(std::mt19937& random) {
    const auto below = [&](std::size_t n) {
      return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
    };
    code.resize(2 + below(2));
    // Pairs that would fit, put in at random places, so that some programs end and some do not.
    for (std::size_t pair = 1 + below(4); pair > 0; --pair) {
      const std::size_t from = below(code.size()), to = (from + 1 + below(code.size() - 1)) % code.size();
      const std::int64_t tag = static_cast<std::int64_t>(below(2));
      insert(code[from], below(8), {Action::send, to, tag, below(2) == 0});
      if (below(8) > 0) insert(code[to], below(8), {Action::receive, from, tag});
    }
    if (below(3) == 0)
      for (std::vector<Line>& lines : code) insert(lines, below(8), {Action::barrier});
    for (std::vector<Line>& lines : code)
      insert(lines, below(8), {.action = Action::compute, .compute = static_cast<double>(1 + below(30))});
  }

  static void insert(std::vector<Line>& lines, std::size_t at, Line line) {
    lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(std::min(at, lines.size())), line);
  }

  std::string text() const {
    std::string all;
    for (std::size_t r = 0; r < code.size(); ++r) {
      all += fmt::format("rank {}\n x = rank * 100\n", r);
      for (const Line& l : code[r]) switch (l.action) {
        case Action::send:
          all += fmt::format(" {} x to {} tag {} size 1kB\n x = x + 1\n", l.buffered ? "bsend" : "ssend",
                             l.peer, l.tag);
          break;
        case Action::receive:
          all += fmt::format(" receive x from {} tag {}\n print x\n", l.peer, l.tag);
          break;
        case Action::compute:
          all += fmt::format(" compute {}us\n", l.compute);
          break;
        default:
          all += " barrier\n";
        }
    }
    return all;
  }
};

// Every state that any order of going on leads to, and those in which nobody can.
class EveryOrder {
public:
  explicit EveryOrder(const Random& program) : code_(program.code) {
    State first{.pc = std::vector<std::size_t>(code_.size()),
                .variables = {},
                .printed = std::vector<Numbers>(code_.size()),
                .under_way = {}};
    for (std::size_t r = 0; r < code_.size(); ++r)
      first.variables.push_back({static_cast<std::int64_t>(r) * 100});
    visit(first);
  }
  std::set<State> last;

private:
  void visit(const State& s) {
    if (!seen_.insert(s).second) return;
    bool stuck = true;
    const auto go = [&](const State& next) {
      stuck = false;
      visit(next);
    };
    for (std::size_t r = 0; r < code_.size(); ++r) {
      if (s.pc[r] == code_[r].size()) continue;
      const Random::Line& l = code_[r][s.pc[r]];
      State next = s;
      ++next.pc[r];
      if (l.action == Action::compute) go(next);
      if (l.action == Action::send && l.buffered) {
        next.under_way[{r, l.peer, l.tag}].push_back(next.variables[r][0]++);
        go(next);
      }
      if (l.action == Action::receive) {
        const auto at = next.under_way.find({l.peer, r, l.tag});
        if (at != next.under_way.end()) {
          take(next, r, at->second.front());
          at->second.erase(at->second.begin());
          if (at->second.empty()) next.under_way.erase(at);
          go(next);
        } else if (s.pc[l.peer] < code_[l.peer].size()) {
          const Random::Line& other = code_[l.peer][s.pc[l.peer]];
          if (other.action == Action::send && !other.buffered && other.peer == r && other.tag == l.tag) {
            ++next.pc[l.peer];
            take(next, r, next.variables[l.peer][0]++);
            go(next);
          }
        }
      }
      if (l.action == Action::barrier && r == 0) {
        bool all = true;
        State after = s;
        for (std::size_t other = 0; other < code_.size(); ++other) {
          all =
              all && s.pc[other] < code_[other].size() && code_[other][s.pc[other]].action == Action::barrier;
          ++after.pc[other];
        }
        if (all) go(after);
      }
    }
    if (stuck) last.insert(s);
  }
  static void take(State& s, std::size_t r, std::int64_t value) {
    s.variables[r][0] = value;
    s.printed[r].push_back(value);
  }

  const std::vector<std::vector<Random::Line>>& code_;
  std::set<State> seen_;
};

// When each statement ends, from the equations alone, solved by putting in until nothing changes. Of programs
// that end.
std::vector<double> times_of(const Random& program) {
  const MessageCosts c = costs();
  const double wire = c.alpha.value + 1000 / c.beta.value, copy = c.overhead.value + 1000 / c.copying.value;
  const auto& code = program.code;
  std::vector<std::vector<double>> ends(code.size());
  for (std::size_t r = 0; r < code.size(); ++r)
    ends[r].assign(code[r].size() + 1, 0); // [i]: before statement i
  // The k-th send of a channel meets its k-th receive; all barriers are one.
  const auto partner = [&](std::size_t r, std::size_t i) {
    const Random::Line& l = code[r][i];
    const auto same = [&](const Random::Line& m, Action a, std::size_t peer) {
      return m.action == a && m.peer == peer && m.tag == l.tag;
    };
    std::ptrdiff_t k = 0;
    for (std::size_t j = 0; j < i; ++j) k += same(code[r][j], l.action, l.peer) ? 1 : 0;
    const Action other = l.action == Action::send ? Action::receive : Action::send;
    for (std::size_t j = 0; j < code[l.peer].size(); ++j)
      if (same(code[l.peer][j], other, r) && k-- == 0) return j;
    return code[l.peer].size();
  };
  for (bool changed = true; changed;) {
    changed = false;
    double all_there = 0;
    for (std::size_t r = 0; r < code.size(); ++r)
      for (std::size_t i = 0; i < code[r].size(); ++i)
        if (code[r][i].action == Action::barrier) all_there = std::max(all_there, ends[r][i]);
    for (std::size_t r = 0; r < code.size(); ++r)
      for (std::size_t i = 0; i < code[r].size(); ++i) {
        const Random::Line& l = code[r][i];
        const double here = ends[r][i];
        double end = here + l.compute * us;
        if (l.action == Action::barrier) end = all_there + (code.size() > 2 ? 2 : 1) * c.alpha.value;
        if (l.action == Action::send && l.buffered) end = here + copy;
        if (l.action == Action::send && !l.buffered)
          end = std::max(here, ends[l.peer][partner(r, i)]) + c.handshake.value + wire;
        if (l.action == Action::receive) {
          const std::size_t j = partner(r, i);
          end = code[l.peer][j].buffered ? std::max(here, ends[l.peer][j] + copy + wire)
                                         : std::max(here, ends[l.peer][j]) + c.handshake.value + wire;
        }
        if (end > ends[r][i + 1] + 1e-15) ends[r][i + 1] = end, changed = true;
      }
  }
  std::vector<double> last;
  for (const auto& e : ends) last.push_back(e.back());
  return last;
}

TEST(RankRunProperties, random_programs_do_what_every_order_and_the_equations_of_time_say) {
  std::mt19937 random(17);
  int ended = 0, stuck = 0;
  for (int i = 0; i < 3000; ++i) {
    const Random program(random);
    const RunOutcome r = run_ranks(RankProgram::from_text(program.text()), costs());
    const EveryOrder orders(program);
    ASSERT_EQ(orders.last.size(), 1u) << "receives that name their sender leave nothing to chance\n"
                                      << program.text();
    const State& last = *orders.last.begin();
    for (std::size_t rank = 0; rank < program.code.size(); ++rank) {
      ASSERT_EQ(r.ranks[rank].ended, last.pc[rank] == program.code[rank].size()) << program.text();
      ASSERT_EQ(r.ranks[rank].printed, last.printed[rank]) << program.text();
    }
    if (!r.waits.empty()) {
      ++stuck;
      for (const Wait& wait : r.waits) ASSERT_FALSE(wait.for_ranks.empty()) << program.text();
      const std::vector<std::size_t> cycle = cycle_of(r.waits);
      // No circle: then somebody waits, over others perhaps, for one that has ended.
      const bool one_has_ended = r.waits.size() < program.code.size();
      ASSERT_TRUE(!cycle.empty() || one_has_ended) << program.text();
      continue;
    }
    ++ended;
    const std::vector<double> times = times_of(program);
    for (std::size_t rank = 0; rank < times.size(); ++rank)
      ASSERT_NEAR(r.ranks[rank].time.value, times[rank], 1e-13) << "rank " << rank << "\n" << program.text();
  }
  EXPECT_GT(ended, 300);
  EXPECT_GT(stuck, 300);
}

} // namespace perfmodel::rank_run_properties_test
