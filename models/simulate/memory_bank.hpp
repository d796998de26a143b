// A bank of device memory: reads as they come; writes one by one when no read has come for as long as a turn
// takes, or all that wait at once when they are as many as may wait, and reads wait meanwhile. To turn from
// the one to the other takes its time (dram_turns.hpp), to such a burst less than to a write alone: its lines
// share the rows that are opened for them. Without turns all are served as they come.
#pragma once

#include <algorithm>
#include <cstddef>

namespace perfmodel {

struct BankTurns {
  double alone = 0;       // cycles of a turn to a single write, or back
  double burst = 0;       // to those that are done at once, or back
  std::size_t writes = 0; // that wait, at most; 0: none does
  friend bool operator==(const BankTurns&, const BankTurns&) = default;
};

class MemoryBank {
public:
  // Reads `cycles` long that come then, not before the last that came. When it has been served.
  double read(const BankTurns& turns, double time, double cycles) {
    write_until(turns, time);
    turn(in_burst_ ? turns.burst : turns.alone, false);
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
    turn(turns.burst, true);
    in_burst_ = true;
    free_ = std::max(time, free_) + owed_;
    waiting_ = 0;
    owed_ = 0;
  }

  double free() const { return free_; }     // when it has served all but those that wait
  double owed() const { return owed_; }     // cycles of those
  double turned() const { return turned_; } // cycles that it has spent turning

private:
  void turn(double cycles, bool to_write) {
    if (to_write == writes_) return;
    free_ += cycles;
    turned_ += cycles;
    writes_ = to_write;
  }
  void write_until(const BankTurns& turns, double time) {
    while (waiting_ > 0 && free_ + (writes_ ? 0 : turns.alone) < time) {
      turn(turns.alone, true);
      in_burst_ = false;
      const double next = owed_ / static_cast<double>(waiting_);
      free_ += next;
      owed_ -= next;
      --waiting_;
    }
  }

  double free_ = 0, owed_ = 0, turned_ = 0;
  std::size_t waiting_ = 0; // writes
  bool writes_ = false;     // and does not read
  bool in_burst_ = false;   // and it has last written several at once
};

} // namespace perfmodel
