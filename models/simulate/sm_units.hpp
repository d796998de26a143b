// The units of simulated SMs, of their schedulers and of the device: each serves one after the other in the
// order of the calls, one with banks whatever bank a read meets. What is posted, writes, comes to the banks
// in turn and some time later (written_lines.hpp): L2 holds written lines of all of them and sends them as
// evenly as it likes.
#pragma once

#include "memory_bank.hpp"
#include "sm_code.hpp"
#include "written_lines.hpp"

#include "models/kernel/stand_in.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace perfmodel {

struct Served {
  double began = 0, ended = 0;
};

class SmUnits {
public:
  using Place = std::array<std::uint16_t, 3>; // by UnitOf: a scheduler, its SM, the device

  explicit SmUnits(const SmMachine& machine)
      : machine_(&machine), stride_(machine.schedulers * machine.sms), free_(machine.units.size() * stride_),
        turns_(free_.size()), busy_(machine.units.size()) {
    for (const SmUnit& unit : machine.units) banks_.emplace_back(unit.servers);
    written_.resize(machine.units.size());
  }

  double free_at(const SmUse& use, const Place& place) const {
    return free_[use.first + place[static_cast<std::size_t>(use.of)]];
  }
  // Of the units of a step that takes one of them.
  const SmUse& first_free(const SmStep& s, const Place& place) const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < s.used; ++i)
      if (free_at(s.uses[i], place) < free_at(s.uses[best], place)) best = i;
    return s.uses[best];
  }
  // At the end of the queue for a scheduler's unit: when its turn comes, if nobody holds the queue up.
  double queue_up(const SmUse& use, const Place& place) {
    double& turn = turns_[use.first + place[0]];
    const double mine = turn = std::max(turn, free_at(use, place));
    turn += use.cycles;
    return mine;
  }
  Served serve(const SmUse& use, const Place& place, double time) {
    if (use.pieces == 0) return serve_alone(use, place, time);
    busy_[use.unit] += use.cycles;
    return {time, serve_in_banks(use, time)};
  }
  // A unit without banks.
  Served serve_alone(const SmUse& use, const Place& place, double time) {
    busy_[use.unit] += use.cycles;
    double& free = free_[use.first + place[static_cast<std::size_t>(use.of)]];
    const double began = std::max(time, free);
    free = began + use.cycles;
    return {began, free};
  }
  // Nobody waits for it.
  void occupy_sm(std::size_t unit, const Place& place, double time, double cycles) {
    double& free = free_[unit * stride_ + place[1]];
    free = std::max(time, free) + cycles;
    busy_[unit] += cycles;
  }

  // When the last of the device's units has done what it was asked for.
  double device_done() const {
    double done = 0;
    for (std::size_t u = 0; u < busy_.size(); ++u) {
      if (machine_->units[u].of != UnitOf::device) continue;
      const double last = banks_done(banks_[u], machine_->units[u].turns);
      done = std::max(
          {done, free_[u * stride_], last + written_[u].owed() / static_cast<double>(banks_[u].size())});
    }
    return done;
  }
  // Share of so many cycles for which each was busy, banks that turned too, the mean over those of its kind.
  std::vector<double> busy(double cycles) const {
    std::vector<double> shares = busy_;
    for (std::size_t u = 0; u < shares.size(); ++u)
      for (const MemoryBank& bank : banks_[u])
        shares[u] += bank.turned() / static_cast<double>(banks_[u].size());
    for (std::size_t u = 0; u < shares.size(); ++u) {
      const UnitOf of = machine_->units[u].of;
      const std::size_t count = of == UnitOf::scheduler ? stride_ : of == UnitOf::sm ? machine_->sms : 1;
      shares[u] /= cycles * static_cast<double>(count);
    }
    return shares;
  }

  std::uint64_t random() { return mixed(random_ += 0x9E3779B97F4A7C15u); }
  bool chance(double share) {
    const std::uint64_t drawn = random();
    return share == 0.5 ? (drawn & 1) != 0 : static_cast<double>(drawn >> 11) * 0x1p-53 < share;
  }

private:
  double serve_in_banks(const SmUse& use, double time) {
    const BankTurns& turns = machine_->units[use.unit].turns;
    std::vector<MemoryBank>& banks = banks_[use.unit];
    WrittenLines& written = written_[use.unit];
    const auto post = [&](double when, double cycles) {
      banks[posted_++ % banks.size()].post(turns, when, cycles);
    };
    written.until(time, post);
    double served = time;
    for (std::size_t i = 0; i < use.pieces; ++i) {
      if (!use.posted) {
        const std::size_t bank = use.in_turn && turns.writes == 0 ? read_++ : random();
        served = std::max(served, banks[bank % banks.size()].read(turns, time, use.piece_cycles));
      } else if (turns.writes > 0) {
        written.add(use.piece_cycles);
      } else {
        post(time, use.piece_cycles);
      }
    }
    return served;
  }

  // The last read, and then what the writes that wait take in the mean: of one bank alone it is left to
  // chance.
  static double banks_done(const std::vector<MemoryBank>& banks, const BankTurns& turns) {
    double done = 0, owed = 0;
    for (const MemoryBank& bank : banks) {
      done = std::max(done, bank.free());
      owed += bank.owed() > 0 ? bank.owed() + turns.burst : 0;
    }
    return banks.empty() ? 0 : done + owed / static_cast<double>(banks.size());
  }

  const SmMachine* machine_;
  std::size_t stride_;
  std::vector<double> free_, turns_, busy_;    // turns: when the last of a unit's queue is through
  std::vector<std::vector<MemoryBank>> banks_; // of units with several
  std::vector<WrittenLines> written_;          // that have yet to come to those
  std::uint64_t random_ = 0;
  std::size_t posted_ = 0, read_ = 0; // pieces that have come to banks in turn
};

} // namespace perfmodel
