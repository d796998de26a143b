// Which of what every point of a sweep compares is best at which points.
#pragma once

#include <string>
#include <vector>

namespace perfmodel::detail {

struct AxisValue {
  std::string axis, value;
  friend bool operator==(const AxisValue&, const AxisValue&) = default;
};
struct Pick {
  std::vector<AxisValue> place; // of the axes that have several values
  std::string best;
};

// One sentence, points in a row with the same best one together: "Best by n: padded at 512 and 1000, diagonal
// from 1024 to 4096."; of more changes than a line holds, at how many points each is best. "" for fewer than
// two.
std::string in_words(const std::vector<Pick>& picks);

} // namespace perfmodel::detail
