// The banks of each scheduler's registers: an operand keeps its bank busy, and an instruction whose operands
// would come too late is issued later.
#pragma once

#include "sm_code.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace perfmodel {

class RegisterPorts {
public:
  explicit RegisterPorts(const SmMachine& machine)
      : cycles_(machine.register_read), after_(machine.operands_after),
        free_(machine.schedulers * machine.sms) {}

  // When the scheduler issues the step that it could issue at `time`, so that its operands come in time.
  double read(const SmStep& s, std::size_t scheduler, double time) {
    const double after = after_ * (s.wide ? 2 : 1);
    double issued = time;
    for (std::size_t b = 0; b < s.banks; ++b)
      if (s.reads[b] > 0) {
        double& free = free_[scheduler][b];
        free = std::max(free, time) + s.reads[b] * cycles_;
        issued = std::max(issued, free - after);
      }
    return issued;
  }

private:
  double cycles_, after_;
  std::vector<std::array<double, most_banks>> free_;
};

} // namespace perfmodel
