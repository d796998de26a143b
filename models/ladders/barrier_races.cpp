#include "barrier_races.hpp"

#include "models/kernel/listing.hpp"
#include "models/kernel/run_block.hpp"

#include <algorithm>
#include <unordered_map>

namespace perfmodel {

namespace {

constexpr std::size_t lanes_of_warp = 32;
constexpr std::int64_t word_bytes = 4;

} // namespace

std::int64_t RaceResult::wrong_threads() const { return std::count(wrong.begin(), wrong.end(), true); }

SharedReplay::SharedReplay(const KernelCode& code, const KernelLaunch& launch, std::int64_t block)
    : warps_(static_cast<std::size_t>(launch.warps())) {
  const KernelRunner runner(code, launch);
  std::vector<bool> stored(warps_.size(), false); // since the barrier before
  runner.run(block, {}, [&](const Executed& executed) {
    std::vector<Event>& events = warps_[executed.warp];
    if (code.instructions[executed.instruction].opcode == "BAR") {
      events.push_back({.kind = Event::Kind::barrier, .after_stores = stored[executed.warp], .words = {}});
      stored[executed.warp] = false;
    }
    if (executed.access == nullptr || executed.access->space != Space::shared) return;
    const MemoryAccess& access = *executed.access;
    const auto each = static_cast<std::size_t>(std::max<std::int64_t>(access.bytes / word_bytes, 1));
    Event event{.kind = access.stores ? Event::Kind::store : Event::Kind::load,
                .words = std::vector<std::int32_t>(each * lanes_of_warp, -1)};
    for (std::size_t lane = 0; lane < lanes_of_warp; ++lane)
      for (std::size_t i = 0; i < each && (access.mask >> lane & 1) != 0; ++i)
        event.words[lane * each + i] =
            static_cast<std::int32_t>(access.address[lane] / word_bytes + static_cast<std::int64_t>(i));
    stored[executed.warp] = stored[executed.warp] || access.stores;
    events.push_back(std::move(event));
  });
  for (const std::vector<Event>& events : warps_) {
    first_.emplace_back();
    for (const Event& event : events) {
      first_.back().push_back(all_);
      all_ += event.words.size();
    }
  }
}

SharedReplay::Found SharedReplay::replay(const std::vector<Agent>& agents, OmittedBarriers barriers) const {
  Found found(all_, 0);
  std::unordered_map<std::int32_t, std::int64_t> memory; // the store that wrote a word last, from 1
  std::vector<std::size_t> at(agents.size(), 0);
  const auto holds = [&](const Event& event) {
    return event.kind == Event::Kind::barrier &&
           !(event.after_stores ? barriers.behind_stores : barriers.behind_loads);
  };
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t agent = 0; agent < agents.size(); ++agent) {
      const auto [warp, lanes] = agents[agent];
      const std::vector<Event>& events = warps_[warp];
      for (; at[agent] < events.size() && !holds(events[at[agent]]); ++at[agent]) {
        const Event& event = events[at[agent]];
        const std::size_t each = event.words.size() / lanes_of_warp, start = first_[warp][at[agent]];
        for (std::size_t i = 0; i < event.words.size(); ++i) {
          if (event.words[i] < 0 || (lanes >> i / each & 1) == 0) continue;
          if (event.kind == Event::Kind::store)
            memory[event.words[i]] = static_cast<std::int64_t>(start + i) + 1;
          else
            found[start + i] = memory[event.words[i]];
        }
      }
    }
    for (std::size_t agent = 0; agent < agents.size(); ++agent) // all are there: go on behind it
      if (at[agent] < warps_[agents[agent].warp].size()) ++at[agent], moved = true;
  }
  return found;
}

RaceResult SharedReplay::without(OmittedBarriers barriers, bool apart) const {
  std::vector<Agent> agents;
  for (std::size_t warp = 0; warp < warps_.size(); ++warp) {
    if (!apart) agents.push_back({warp, ~std::uint32_t{0}});
    for (std::size_t lane = 0; apart && lane < lanes_of_warp; ++lane)
      agents.push_back({warp, std::uint32_t{1} << lane});
  }
  const Found right = replay(agents, {});
  RaceResult worst;
  worst.wrong.resize(warps_.size() * lanes_of_warp, false);
  for (int order = 0; order < 2; ++order, std::reverse(agents.begin(), agents.end())) {
    const Found found = replay(agents, barriers);
    RaceResult result;
    result.wrong.resize(worst.wrong.size(), false);
    for (std::size_t warp = 0; warp < warps_.size(); ++warp)
      for (std::size_t e = 0; e < warps_[warp].size(); ++e) {
        const Event& event = warps_[warp][e];
        const std::size_t each = event.words.size() / lanes_of_warp, start = first_[warp][e];
        for (std::size_t i = 0; event.kind == Event::Kind::load && i < event.words.size(); ++i)
          if (found[start + i] != right[start + i]) {
            ++result.wrong_loads;
            result.wrong[warp * lanes_of_warp + i / each] = true;
          }
      }
    if (result.wrong_threads() > worst.wrong_threads()) worst = std::move(result);
  }
  return worst;
}

} // namespace perfmodel
