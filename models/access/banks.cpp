#include "banks.hpp"

#include <algorithm>
#include <array>

namespace perfmodel {

namespace {

using Addresses = std::span<const std::int64_t, warp_lanes>;

constexpr std::int64_t widest_word = 16;

// What a request touches: a bank and one of its rows, or of its words.
struct Cell {
  std::int64_t bank, row;
  friend auto operator<=>(const Cell&, const Cell&) = default;
};

// The cells of a request, without allocation; a word has at most 16 cells of a byte.
class Cells {
public:
  void add(Cell cell) { cells_[size_++] = cell; }
  std::span<Cell> sorted() {
    std::sort(cells_.begin(), cells_.begin() + static_cast<std::ptrdiff_t>(size_));
    return std::span(cells_).first(size_);
  }

private:
  std::array<Cell, warp_lanes* static_cast<std::size_t>(widest_word)> cells_;
  std::size_t size_ = 0;
};

// The different rows of the bank that has most.
std::int64_t fullest_bank(Cells& cells) {
  std::int64_t most = 0, rows = 0;
  const std::span<const Cell> all = cells.sorted();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0 && all[i] == all[i - 1]) continue;
    rows = i > 0 && all[i].bank == all[i - 1].bank ? rows + 1 : 1;
    most = std::max(most, rows);
  }
  return most;
}

template <class Visit> void each_lane(std::uint32_t mask, Visit visit) {
  for (std::size_t lane = 0; lane < warp_lanes; ++lane)
    if ((mask >> lane & 1u) != 0) visit(lane);
}

// Rounds towards minus infinity, so that the banks go on below address 0.
std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }
std::int64_t bank_of(const Banks& banks, std::int64_t byte) {
  return floor_div(byte, banks.interleave) - floor_div(byte, banks.interleave * banks.count) * banks.count;
}

// Every word is sent to all who ask for it.
std::int64_t multicast_steps(const Banks& banks, Addresses address, std::uint32_t mask, std::int64_t bytes) {
  Cells cells;
  each_lane(mask, [&](std::size_t lane) {
    const std::int64_t last = floor_div(address[lane] + bytes - 1, banks.interleave);
    for (std::int64_t part = floor_div(address[lane], banks.interleave); part <= last; ++part) {
      const std::int64_t byte = part * banks.interleave;
      cells.add({bank_of(banks, byte), floor_div(byte, banks.count * banks.width)});
    }
  });
  return fullest_bank(cells);
}

// A step serves all threads of one word, and one thread of every other bank. In T steps, a bank with L
// threads is done if k of its words are broadcast and L - (their threads) + k <= T; the banks' k together
// are at most T. Which word and which thread come first is not specified: these are the fewest steps.
std::int64_t broadcast_steps(const Banks& banks, Addresses address, std::uint32_t mask) {
  Cells cells;
  each_lane(mask, [&](std::size_t lane) {
    cells.add({bank_of(banks, address[lane]), floor_div(address[lane], banks.interleave)});
  });
  const std::span<const Cell> all = cells.sorted();
  std::vector<std::vector<std::int64_t>> threads; // of each word of each bank
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == 0 || all[i].bank != all[i - 1].bank) threads.emplace_back();
    if (i == 0 || all[i] != all[i - 1]) threads.back().push_back(0);
    ++threads.back().back();
  }
  for (auto& words : threads) std::sort(words.rbegin(), words.rend());
  const auto fits = [&](std::int64_t steps) {
    std::int64_t broadcasts = 0;
    for (const auto& words : threads) {
      std::int64_t left = 0, own = 0;
      for (const std::int64_t t : words) left += t;
      for (std::size_t k = 0; left + own > steps; ++k) {
        if (k == words.size() || words[k] == 1) return false; // another broadcast serves nobody more
        left -= words[k];
        ++own;
      }
      broadcasts += own;
    }
    return broadcasts <= steps;
  };
  std::int64_t steps = 0;
  while (!fits(steps)) ++steps;
  return steps;
}

// Of threads that write the same place one does; the others cost nothing. No broadcast is needed.
std::int64_t different_places(const Banks& banks, Addresses address, std::uint32_t mask) {
  Cells cells;
  each_lane(mask, [&](std::size_t lane) { cells.add({bank_of(banks, address[lane]), address[lane]}); });
  return fullest_bank(cells);
}

// Whether for one p every active lane n reads what lane n ^ p reads, if that is active.
bool packs(const Banks& banks, Addresses address, std::uint32_t mask) {
  return std::any_of(banks.lane_pairs.begin(), banks.lane_pairs.end(), [&](std::int64_t p) {
    bool same = true;
    each_lane(mask, [&](std::size_t lane) {
      const std::size_t other = lane ^ static_cast<std::size_t>(p);
      if (other < warp_lanes && (mask >> other & 1u) != 0) same = same && address[lane] == address[other];
    });
    return same;
  });
}

// visit(addresses, lanes, bytes, steps, extra steps) for each request of an instruction.
template <class Visit>
void each_request(const Banks& banks, Addresses address, std::uint32_t mask, std::int64_t word,
                  SharedAccess access, Visit visit) {
  const std::int64_t parts = banks.splits_words ? std::max<std::int64_t>(word / banks.width, 1) : 1;
  const std::int64_t part_bytes = word / parts;
  std::int64_t threads = banks.request_threads;
  if (!banks.splits_words) {
    threads = std::clamp<std::int64_t>(banks.count * banks.width / word, 1, threads);
    const bool wide = threads < banks.request_threads;
    if (wide && access == SharedAccess::load && packs(banks, address, mask)) threads *= 2;
  }
  const std::int64_t extra = word == widest_word ? banks.extra_steps_wide : 0;
  std::array<std::int64_t, warp_lanes> part_address;
  for (std::int64_t part = 0; part < parts; ++part) {
    for (std::size_t lane = 0; lane < warp_lanes; ++lane)
      part_address[lane] = address[lane] + part * banks.width;
    const auto lanes = static_cast<std::int64_t>(warp_lanes);
    for (std::int64_t first = 0; first < lanes; first += threads) {
      const std::uint32_t all = threads < lanes ? (1u << threads) - 1 : ~0u;
      const std::uint32_t request = mask & all << first;
      if (request == 0) continue;
      const std::int64_t steps =
          extra + (banks.broadcasts_every_word    ? multicast_steps(banks, part_address, request, part_bytes)
                   : access == SharedAccess::load ? broadcast_steps(banks, part_address, request)
                                                  : different_places(banks, part_address, request));
      visit(part_address, request, part_bytes, steps, extra);
    }
  }
}

void add_place(BankRequest& request, std::int64_t bank, std::int64_t byte, std::size_t lane) {
  for (BankRequest::Place& place : request.places)
    if (place.bank == bank && place.byte == byte) {
      place.lanes.push_back(lane);
      return;
    }
  request.places.push_back({bank, byte, {lane}});
}

} // namespace

BankSteps bank_steps(const Banks& banks, Addresses address, std::uint32_t mask, std::int64_t word,
                     SharedAccess access) {
  BankSteps sum;
  each_request(banks, address, mask, word, access,
               [&](const auto&, std::uint32_t, std::int64_t, std::int64_t steps, std::int64_t extra) {
                 sum.degree = std::max(sum.degree, steps - extra);
                 sum.wavefronts += steps;
                 sum.least += 1 + extra;
               });
  return sum;
}

std::vector<BankRequest> bank_requests(const Banks& banks, Addresses address, std::uint32_t mask,
                                       std::int64_t word, SharedAccess access) {
  std::vector<BankRequest> all;
  each_request(
      banks, address, mask, word, access,
      [&](const auto& at, std::uint32_t lanes, std::int64_t bytes, std::int64_t steps, std::int64_t) {
        BankRequest request{.steps = steps, .lanes = lanes, .places = {}};
        const std::int64_t row = banks.broadcasts_every_word ? banks.width : banks.interleave;
        each_lane(lanes, [&](std::size_t lane) {
          const std::int64_t last = floor_div(at[lane] + bytes - 1, banks.interleave);
          for (std::int64_t part = floor_div(at[lane], banks.interleave); part <= last; ++part) {
            const std::int64_t byte = part * banks.interleave;
            // Of a bank that is wider than the interleave, a row has several words.
            const std::int64_t first =
                banks.interleave < row ? floor_div(byte, banks.count * row) * banks.count * row : byte;
            add_place(request, bank_of(banks, byte), first, lane);
          }
        });
        std::sort(request.places.begin(), request.places.end(), [](const auto& a, const auto& b) {
          return std::pair(a.bank, a.byte) < std::pair(b.bank, b.byte);
        });
        all.push_back(std::move(request));
      });
  return all;
}

} // namespace perfmodel
