#include "sms.hpp"

namespace perfmodel {

void Sms::tell(Stall stall, double cycles, std::size_t warp, double until) {
  const std::size_t slot = warp / block_warps_;
  if (is_watched(slot)) watch_->waited(slot, warp % block_warps_, stall, until - cycles, until);
}

void Sms::tell_issue(std::size_t warp, double time, double cycles) {
  const std::size_t slot = warp / block_warps_;
  if (is_watched(slot)) watch_->issued(slot, warp % block_warps_, time, cycles);
}

} // namespace perfmodel
