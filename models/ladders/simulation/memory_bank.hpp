// A bank of device memory: reads as they come; writes while no read is there, or all that wait at once when
// they are as many as may wait, and reads wait meanwhile. To turn from the one to the other takes its time
// (dram_turns.hpp). Without turns all are served as they come.
#pragma once

#include <algorithm>
#include <cstddef>

namespace perfmodel {

struct BankTurns {
  double cycles = 0;      // of one turn
  std::size_t writes = 0; // that wait, at most; 0: none does
};

class MemoryBank {
public:
  // Reads `cycles` long that come then, not before the last that came. When it has been served.
  double read(const BankTurns& turns, double time, double cycles) {
    write_until(turns, time);
    if (wrote_) free_ += turns.cycles;
    wrote_ = false;
    return free_ = std::max(time, free_) + cycles;
  }
  // Is written some time.
  void post(const BankTurns& turns, double time, double cycles) {
    if (turns.writes == 0) {
      read(turns, time, cycles);
      return;
    }
    write_until(turns, time);
    if (waiting_ == 0) free_ = std::max(time, free_);
    owed_ += cycles;
    if (++waiting_ < turns.writes) return;
    turn_to_writes(turns);
    free_ = std::max(time, free_) + owed_;
    waiting_ = 0;
    owed_ = 0;
  }

  double free() const { return free_; } // when it has served all but those that wait
  double owed() const { return owed_; } // cycles of those

private:
  void turn_to_writes(const BankTurns& turns) {
    if (!wrote_) free_ += turns.cycles;
    wrote_ = true;
  }
  void write_until(const BankTurns& turns, double time) {
    while (waiting_ > 0 && free_ < time) {
      turn_to_writes(turns);
      const double next = owed_ / static_cast<double>(waiting_);
      free_ += next;
      owed_ -= next;
      --waiting_;
    }
  }

  double free_ = 0, owed_ = 0;
  std::size_t waiting_ = 0; // writes
  bool wrote_ = false;      // last
};

} // namespace perfmodel
