// Groups of what a warp has asked for and does not wait for at once: copies from global to shared memory
// (LDGSTS, ended by LDGDEPBAR), products of four warps together (HGMMA). The warp waits until at most so many
// of the newest groups are on their way.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace perfmodel {

class AsyncGroups {
public:
  void add(double done) { open_ = std::max(open_, done); }
  void end() {
    ++ended_;
    done_[ended_ % done_.size()] = std::max(done_[(ended_ - 1) % done_.size()], open_);
    open_ = 0;
  }
  // When all groups but the newest `left` are done.
  double done_but(std::uint32_t left) const {
    left = std::min<std::uint32_t>(left, static_cast<std::uint32_t>(done_.size()) - 1);
    return ended_ > left ? done_[(ended_ - left) % done_.size()] : 0;
  }

private:
  std::array<double, 8> done_{}; // of the last groups, and all before them
  std::uint32_t ended_ = 0;
  double open_ = 0;
};

} // namespace perfmodel
