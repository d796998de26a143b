#include "block_reads.hpp"

#include "access_pieces.hpp"

#include "models/core/error.hpp"

#include <algorithm>
#include <bit>
#include <deque>
#include <map>

namespace perfmodel {

bool stays_in_l1(const AccessRules& rules, const Instruction& i, const MemoryAccess& access) {
  return access.space == Space::global && access.loads && !access.atomic && rules.load.l1 &&
         (!i.has(mod("STRONG")) || i.has(mod("SM"))) && !i.has(mod("BYPASS"));
}

namespace {

// All warps side by side. What several of them read in the same trips the first of them has put there, and
// what stays where it is the first trip.
void go_on(const std::vector<BlockReads::Leap>& leaps, ReadOrder& order) {
  struct Moving {
    std::uint64_t sector, onward, times;
  };
  std::vector<Moving> moving;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> known; // and for how many trips
  std::uint64_t most = 0;
  for (const BlockReads::Leap& one : leaps) {
    most = std::max(most, one.times);
    for (const auto& [sector, by] : one.from) {
      const auto onward = static_cast<std::uint64_t>(by);
      std::uint64_t& times = known[{sector, onward}];
      if (one.times <= times) continue;
      times = one.times;
      moving.push_back({sector, onward, onward == 0 ? 1 : one.times});
    }
  }
  for (std::uint64_t time = 1; time <= most; ++time)
    for (const Moving& one : moving)
      if (time <= one.times) order.place_of(one.sector + time * one.onward);
}

// What a block reads, its loops' trips left out where they go on as before.
class Reads : public TripFollower {
public:
  explicit Reads(std::size_t warps) : stretches_(warps) { made_.parts.emplace_back(); }

  void add(std::size_t warp, const MemoryAccess& access) {
    std::vector<std::uint64_t> sectors = pieces_of(access, sector_bytes);
    for (const std::uint64_t sector : sectors)
      if (const std::size_t before = order_.size(); order_.place_of(sector) == before)
        made_.parts.back().sectors.push_back(sector);
    if (stretches_[warp].empty()) return;
    const std::int64_t first = access.address[static_cast<std::size_t>(std::countr_zero(access.mask))];
    stretches_[warp].back().push_back({first, lanes_beside(access, first), std::move(sectors)});
  }

  void begins(std::size_t warp) override {
    constexpr std::size_t kept = 3; // two, and the one that begins
    if (stretches_[warp].size() == kept) stretches_[warp].erase(stretches_[warp].begin());
    stretches_[warp].emplace_back();
  }

  std::uint64_t leaves_out(std::size_t warp, std::uint64_t times) override {
    Stretches last;
    last.swap(stretches_[warp]);
    if (times == 0 || last.size() < 3) return 0;
    const bool alike = std::equal(last[0].begin(), last[0].end(), last[1].begin(), last[1].end(),
                                  [](const Access& a, const Access& b) {
                                    return a.lanes == b.lanes && (b.address - a.address) % sector_bytes == 0;
                                  });
    if (!alike) return 0;
    constexpr double most_places = 4e6; // that are worth their time and memory
    for (const Access& access : last[1])
      places_ += static_cast<double>(times) * static_cast<double>(access.sectors.size());
    if (places_ > most_places) return 0;
    BlockReads::Leap leap{.warp = warp, .times = times, .from = {}};
    for (std::size_t i = 0; i < last[1].size(); ++i)
      for (const std::uint64_t sector : last[1][i].sectors)
        leap.from.emplace_back(sector, (last[1][i].address - last[0][i].address) / sector_bytes);
    std::vector<BlockReads::Leap>& leaps = made_.parts.back().leaps;
    if (std::any_of(leaps.begin(), leaps.end(), [&](const auto& l) { return l.warp == warp; })) end_part();
    made_.parts.back().leaps.push_back(std::move(leap));
    if (made_.parts.back().leaps.size() == stretches_.size()) end_part();
    return times;
  }

  // What the block has read, and in which order.
  std::pair<BlockReads, ReadOrder> take(bool whole) {
    made_.whole = whole;
    go_on(made_.parts.back().leaps, order_);
    return {std::move(made_), std::move(order_)};
  }

private:
  struct Access {
    std::int64_t address = 0; // of its first lane
    std::uint64_t lanes = 0;  // where the others lie beside it
    std::vector<std::uint64_t> sectors;
  };
  using Stretches = std::vector<std::vector<Access>>; // of a warp, the last ones

  void end_part() {
    go_on(made_.parts.back().leaps, order_);
    made_.parts.emplace_back();
  }

  BlockReads made_;
  ReadOrder order_;                  // so far
  std::vector<Stretches> stretches_; // of each warp
  double places_ = 0;                // that leaps lead to
};

std::pair<BlockReads, ReadOrder> reads_of(const LaunchedBlocks& blocks, std::int64_t block,
                                          std::uint64_t most) {
  Reads reads(static_cast<std::size_t>(blocks.launch.warps()));
  const auto see = [&](const Executed& executed) {
    if (executed.access == nullptr) return;
    const MemoryAccess& access = *executed.access;
    const bool by_data = (access.known & access.mask) != access.mask; // no two blocks have the same
    if (by_data || access.mask == 0 ||
        !stays_in_l1(blocks.rules, blocks.code.instructions[executed.instruction], access))
      return;
    reads.add(executed.warp, access);
  };
  bool whole = true;
  try {
    blocks.runner.run(block, blocks.data, see, most, &reads);
  } catch (const InputError&) { // longer than that
    whole = false;
  }
  return reads.take(whole);
}

// The last orders of this thread, which blocks next to one another ask for again, up to 64 MiB of them.
std::shared_ptr<const ReadOrder> kept(ReadOrder order) {
  constexpr std::size_t most_bytes = std::size_t{1} << 26;
  thread_local std::deque<std::shared_ptr<const ReadOrder>> last;
  thread_local std::size_t bytes = 0;
  last.push_back(std::make_shared<const ReadOrder>(std::move(order)));
  bytes += last.back()->bytes();
  std::shared_ptr<const ReadOrder> made = last.back();
  for (; bytes > most_bytes; last.pop_front()) bytes -= last.front()->bytes();
  return made;
}

} // namespace

ReadOrder BlockReads::order() const {
  ReadOrder made;
  for (const Part& part : parts) {
    for (const std::uint64_t sector : part.sectors) made.place_of(sector);
    go_on(part.leaps, made);
  }
  return made;
}

std::size_t BlockReads::listed() const {
  std::size_t count = 1;
  for (const Part& part : parts) {
    count += part.sectors.size();
    for (const Leap& leap : part.leaps) count += 2 * leap.from.size();
  }
  return count;
}

std::shared_ptr<const ReadOrder> LaunchReads::of(const LaunchedBlocks& blocks, std::int64_t block,
                                                 std::uint64_t most) {
  constexpr std::size_t most_listed = std::size_t{1} << 22; // 32 MiB
  if (listed_ > most_listed) known_.clear(), listed_ = 0;
  // A run that came to its end is that of any number of instructions that are as many.
  for (auto at = known_.lower_bound({block, 0}); at != known_.end() && at->first.first == block; ++at) {
    Known& known = at->second;
    if (at->first.second != most && (at->first.second > most || !known.reads.whole)) continue;
    std::shared_ptr<const ReadOrder> order = known.order.lock();
    if (!order) known.order = order = kept(known.reads.order());
    return order;
  }
  auto [reads, order] = reads_of(blocks, block, most);
  std::shared_ptr<const ReadOrder> made = kept(std::move(order));
  listed_ += reads.listed();
  known_.emplace(std::pair(block, most), Known{std::move(reads), made});
  return made;
}

} // namespace perfmodel
