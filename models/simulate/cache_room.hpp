// The bytes of a cache that a block has, and with which others all that was found in it would be the same:
// costs that are moved a little, as grades are found, then need no block to be run again.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace perfmodel {

class CacheRoom {
public:
  explicit CacheRoom(double bytes) : bytes_(bytes) {}

  // Whether so many bytes fit.
  bool holds(double bytes) {
    if (bytes <= bytes_)
      least_ = std::max(least_, bytes);
    else
      too_much_ = std::min(too_much_, bytes);
    return bytes <= bytes_;
  }
  // The share, 0 to 1, that is lost of what comes back after so many bytes: none where they fit, all where
  // they are more by `spread` of the room, evenly between the two.
  double lost(double bytes, double spread) {
    if (bytes <= bytes_) {
      least_ = std::max(least_, bytes);
      return 0;
    }
    const double share = (bytes - bytes_) / (spread * bytes_);
    if (!(share >= 1)) {
      matters();
      return share;
    }
    too_much_ = std::min(too_much_, bytes / (1 + spread));
    return 1;
  }
  // What was found depends on all of them.
  void matters() {
    least_ = bytes_;
    too_much_ = std::nextafter(bytes_, std::numeric_limits<double>::infinity());
  }

  bool same_with(double bytes) const { return least_ <= bytes && bytes < too_much_; }
  // From now on so many, with which all so far is the same.
  void become(double bytes) { bytes_ = bytes; }

private:
  double bytes_;
  double least_ = 0, too_much_ = std::numeric_limits<double>::infinity(); // that fitted, and did not
};

} // namespace perfmodel
