// Simulated runs, the last ones by what was asked: rows, formats and the moves of a grade ask for many of
// them again.
#pragma once

#include "sm_simulation.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace perfmodel {

// A run of `blocks` on all simulated SMs; of more than `most`, of the first rounds of them, which the others
// follow.
struct SimulatedRun {
  std::size_t blocks = 0, most = 0;
  SmRun run;
  double rounds = 0, round_cycles = 0; // simulated, and what each further one takes
};

// The last answers, by what was asked.
template <class Program> class RememberedRuns {
public:
  const SimulatedRun* find(const SmMachine& machine, const Program& program, std::size_t resident,
                           std::size_t count) const {
    const std::size_t size = size_of(program);
    for (const Remembered& one : last_)
      if (one.resident == resident && one.all.blocks == std::min(count, one.all.most + 1) &&
          one.size == size && one.program == program && one.machine == machine)
        return &one.all;
    return nullptr;
  }
  const SimulatedRun& keep(const SmMachine& machine, Program program, std::size_t resident,
                           SimulatedRun all) {
    const std::size_t size = size_of(program);
    Remembered one{machine, std::move(program), resident, size, std::move(all)};
    if (last_.size() < most_remembered) return last_.emplace_back(std::move(one)).all;
    return (last_[oldest_++ % most_remembered] = std::move(one)).all;
  }

private:
  static constexpr std::size_t most_remembered = 256;
  struct Remembered {
    SmMachine machine;
    Program program;
    std::size_t resident = 0, size = 0;
    SimulatedRun all;
  };
  static std::size_t size_of(const Program& program) {
    std::size_t size = 0;
    for (const auto& steps : program.programs) size += steps.size();
    return size;
  }
  std::vector<Remembered> last_;
  std::size_t oldest_ = 0;
};

template <class Program> RememberedRuns<Program>& remembered_runs() {
  thread_local RememberedRuns<Program> of_thread;
  return of_thread;
}

} // namespace perfmodel
