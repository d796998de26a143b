#include "sm_neighbours.hpp"

#include "access_pieces.hpp"

#include "models/core/error.hpp"

#include <bit>
#include <cmath>

namespace perfmodel {

bool stays_in_l1(const AccessRules& rules, const Instruction& i, const MemoryAccess& access) {
  return access.space == Space::global && access.loads && !access.atomic && rules.load.l1 &&
         (!i.has(mod("STRONG")) || i.has(mod("SM"))) && !i.has(mod("BYPASS"));
}

namespace {

// What a block reads, its loops' trips left out where they go on as before.
class Reads : public TripFollower {
public:
  explicit Reads(std::size_t warps) : stretches_(warps) {}

  void add(std::size_t warp, const MemoryAccess& access) {
    std::vector<std::uint64_t> sectors = pieces_of(access, sector_bytes);
    for (const std::uint64_t sector : sectors) order_.place_of(sector);
    if (stretches_[warp].empty()) return;
    const std::int64_t first = access.address[static_cast<std::size_t>(std::countr_zero(access.mask))];
    stretches_[warp].back().push_back({first, lanes_beside(access, first), std::move(sectors)});
  }

  void begins(std::size_t warp) override {
    constexpr std::size_t kept = 3; // two, and the one that begins
    if (stretches_[warp].size() == kept) stretches_[warp].erase(stretches_[warp].begin());
    stretches_[warp].emplace_back();
  }

  bool leaves_out(std::size_t warp, std::uint64_t times) override {
    Stretches last;
    last.swap(stretches_[warp]);
    if (times == 0 || last.size() < 3) return false;
    const bool alike = std::equal(last[0].begin(), last[0].end(), last[1].begin(), last[1].end(),
                                  [](const Access& a, const Access& b) {
                                    return a.lanes == b.lanes && (b.address - a.address) % sector_bytes == 0;
                                  });
    if (!alike) return false;
    constexpr double most_places = 4e6; // that are worth their time and memory
    for (const Access& access : last[1])
      places_ += static_cast<double>(times) * static_cast<double>(access.sectors.size());
    if (places_ > most_places) return false;
    Leap leap{.warp = warp, .times = times, .from = {}};
    for (std::size_t i = 0; i < last[1].size(); ++i)
      for (const std::uint64_t sector : last[1][i].sectors)
        leap.from.emplace_back(sector, (last[1][i].address - last[0][i].address) / sector_bytes);
    if (std::any_of(leaps_.begin(), leaps_.end(), [&](const Leap& l) { return l.warp == warp; })) go_on();
    leaps_.push_back(std::move(leap));
    if (leaps_.size() == stretches_.size()) go_on();
    return true;
  }

  ReadOrder take() {
    go_on();
    return std::move(order_);
  }

private:
  struct Access {
    std::int64_t address = 0; // of its first lane
    std::uint64_t lanes = 0;  // where the others lie beside it
    std::vector<std::uint64_t> sectors;
  };
  using Stretches = std::vector<std::vector<Access>>; // of a warp, the last ones
  struct Leap {
    std::size_t warp = 0;
    std::uint64_t times = 0;
    std::vector<std::pair<std::uint64_t, std::int64_t>> from; // sectors, and how many further on each time
  };

  // All warps side by side.
  void go_on() {
    std::uint64_t most = 0;
    for (const Leap& one : leaps_) most = std::max(most, one.times);
    for (std::uint64_t time = 1; time <= most; ++time)
      for (const Leap& one : leaps_)
        if (time <= one.times)
          for (const auto& [sector, onward] : one.from)
            order_.place_of(sector + time * static_cast<std::uint64_t>(onward));
    leaps_.clear();
  }

  ReadOrder order_;
  std::vector<Stretches> stretches_; // of each warp
  std::vector<Leap> leaps_;          // of different warps, until all have made one
  double places_ = 0;                // that leaps lead to
};

// As far as `most` instructions go.
ReadOrder reads_of(const LaunchedBlocks& blocks, std::int64_t block, std::uint64_t most) {
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
  try {
    blocks.runner.run(block, blocks.data, see, most, &reads);
  } catch (const InputError&) { // longer than that
  }
  return reads.take();
}

} // namespace

SmNeighbours neighbours_of(const LaunchedBlocks& blocks, std::int64_t block, CacheRoom& l1) {
  constexpr std::uint64_t beginning = 10000; // instructions
  constexpr std::int64_t looked_at = 7;
  constexpr std::size_t run = 2;
  const std::int64_t others = std::min(looked_at, blocks.rules.sharers - 1);
  if (others < 1) return {};
  const ReadOrder own = reads_of(blocks, block, beginning);
  if (own.empty()) return {};
  std::vector<std::pair<double, std::int64_t>> found; // share, block
  double all = 0;
  for (std::int64_t k = 1; k <= others; ++k) {
    const std::int64_t behind = block + k * blocks.rules.apart, before = block - k * blocks.rules.apart;
    const std::int64_t other = behind < blocks.launch.grid.count() ? behind : before;
    const double share = other < 0 ? 0 : reads_of(blocks, other, beginning).share_of(own, l1);
    if (share > 0) found.emplace_back(share, other);
    all += share;
  }
  if (found.empty()) return {};
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  found.resize(std::min(found.size(), run));
  double stand_for = 0;
  std::vector<ReadOrder> orders;
  for (const auto& [share, other] : found) {
    stand_for += share;
    orders.push_back(reads_of(blocks, other, KernelRunner::most_instructions));
  }
  const double each =
      all / stand_for * static_cast<double>(blocks.rules.sharers - 1) / static_cast<double>(others);
  const double waves = static_cast<double>(blocks.launch.grid.count()) /
                       static_cast<double>(blocks.rules.apart * blocks.rules.sharers);
  const double first = std::min(1.0, 1 / waves);
  const auto read = static_cast<double>(orders.front().size()); // sectors
  double by_chance = 1;
  if (first < 1 && !l1.holds(sector_bytes * std::ceil(read / 2))) {
    l1.matters();
    by_chance = 2 * std::floor(blocks.rules.l1_bytes / sector_bytes) / read;
  }
  return {std::move(orders), each, first + (1 - first) * by_chance, l1,
          static_cast<std::size_t>(blocks.launch.warps())};
}

} // namespace perfmodel
