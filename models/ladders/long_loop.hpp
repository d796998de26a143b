// The time of a launch whose threads go through a long loop. What a trip adds is the same again once the loop
// is in its swing, so it is simulated at two lengths, which differ by whole trips, and goes on from there in
// a straight line:
//   T(n) = T(b) + (n - b) / (b - a) (T(b) - T(a)),  a and b: one and two times so many trips, and the rest of
//   n
#pragma once

#include "models/simulate/kernel_time.hpp"

#include <cstdint>

namespace perfmodel {

// `numbers` are done in a trip of all threads together; `trips` are enough for the loop to be in its swing.
// `asked(n)` is the launch with n numbers, `again(n)` the same where nothing is explained.
template <class Asked, class Again>
KernelTime long_loop_time(std::int64_t n, std::int64_t numbers, std::int64_t trips, Asked asked,
                          Again again) {
  const std::int64_t left_out = numbers > 0 ? n / numbers - 2 * trips : 0;
  if (left_out < 2 * trips) return asked(n);
  const std::int64_t longer = n - left_out * numbers;
  KernelTime made = asked(longer);
  const KernelTime less = again(longer - trips * numbers);
  const double times = static_cast<double>(left_out) / static_cast<double>(trips);
  const auto go_on = [&](auto& value, const auto& before) { value = value + times * (value - before); };
  go_on(made.time, less.time);
  for (std::size_t i = 0; i < made.instead.size(); ++i) go_on(made.instead[i].time, less.instead[i].time);
  go_on(made.dram_read, less.dram_read);
  go_on(made.counts.load_sectors, less.counts.load_sectors);
  go_on(made.counts.shared_wavefronts, less.counts.shared_wavefronts);
  go_on(made.counts.instructions, less.counts.instructions);
  return made;
}

} // namespace perfmodel
