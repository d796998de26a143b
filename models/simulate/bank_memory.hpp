// The steps of shared memory's banks for accesses that a kernel makes again and again: the same lanes, as far
// apart, from a place that is as far from bank 0.
#pragma once

#include "models/access/banks.hpp"
#include "models/kernel/run_block.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace perfmodel {

class RememberedBankSteps {
public:
  explicit RememberedBankSteps(Banks banks)
      : banks_(std::move(banks)), period_(banks_.count * banks_.interleave * banks_.width), last_(places) {}
  bool are_of(const Banks& banks) const { return banks == banks_; }

  // Some lane takes part.
  BankSteps of(const MemoryAccess& access, SharedAccess kind) {
    Key key{.mask = access.mask, .bytes = access.bytes, .kind = kind};
    const std::int64_t first = access.address[static_cast<std::size_t>(std::countr_zero(access.mask))];
    key.phase = (first % period_ + period_) % period_;
    std::uint64_t h = static_cast<std::uint64_t>(key.phase) ^ std::uint64_t{access.mask} << 32;
    bool near = true;
    for (std::size_t lane = 0; lane < 32; ++lane) {
      if ((access.mask >> lane & 1) == 0) continue;
      const std::int64_t beside = access.address[lane] - first;
      key.beside[lane] = static_cast<std::int32_t>(beside);
      near = near && key.beside[lane] == beside;
      h = (h ^ static_cast<std::uint64_t>(beside)) * 0x9E3779B97F4A7C15u;
    }
    if (!near) return bank_steps(banks_, access.address, access.mask, access.bytes, kind);
    Entry& entry = last_[(h >> 32) % places];
    if (entry.key != key || !entry.known)
      entry = {key, bank_steps(banks_, access.address, access.mask, access.bytes, kind), true};
    return entry.steps;
  }

private:
  struct Key {
    std::uint32_t mask = 0;
    std::uint8_t bytes = 0;
    SharedAccess kind = SharedAccess::load;
    std::int64_t phase = 0;
    std::array<std::int32_t, 32> beside{}; // of each lane, beside the first that takes part
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Entry {
    Key key;
    BankSteps steps;
    bool known = false;
  };
  static constexpr std::size_t places = 2048;

  Banks banks_;
  std::int64_t period_;
  std::vector<Entry> last_;
};

// Of these banks, whatever the launch: kernels make the same accesses from launch to launch, and there are
// few sorts of banks.
inline std::shared_ptr<RememberedBankSteps> remembered_bank_steps(const Banks& banks) {
  constexpr std::size_t most = 8;
  thread_local std::vector<std::shared_ptr<RememberedBankSteps>> last;
  for (const std::shared_ptr<RememberedBankSteps>& one : last)
    if (one->are_of(banks)) return one;
  if (last.size() == most) last.erase(last.begin());
  return last.emplace_back(std::make_shared<RememberedBankSteps>(banks));
}

} // namespace perfmodel
