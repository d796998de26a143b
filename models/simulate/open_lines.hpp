// Lines that an SM keeps open for stores, on their way to L2. What a warp stores to lines that it has opened
// goes to L2 with them, as long as L2 has not taken them and not too many others have been opened behind
// them: those of one warp or of two, whose stores then come in turn. Of stores back to back to eight lines
// Nsight Compute counts that 5/8 go with the one before on a full SM, and all where it has half as many
// warps; of three to seven lines, 9/20; of four to 16 lines, or with loads between, none (H200, 30 November
// 2026).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace perfmodel {

// Of a warp, its last stores that opened some.
class OpenedLines {
public:
  static constexpr std::size_t remembered = 4;

  // Whether those of the `back`-th last opening (0: of none) are open yet, where the SM keeps `most` and so
  // many warps store in turn.
  bool has(std::uint32_t back, std::size_t most, double now, std::size_t warps) const {
    if (back == 0 || back > count_) return false;
    const Opening& opening = last_[(count_ - back) % remembered];
    return warps * (opened_ - opening.before) <= most && now <= opening.taken;
  }
  // `taken`: when L2 has them.
  void open(std::uint32_t lines, double taken) {
    last_[count_++ % remembered] = {opened_, taken};
    opened_ += lines;
  }

private:
  struct Opening {
    std::uint32_t before = 0; // lines that the warp had opened
    double taken = 0;
  };
  std::array<Opening, remembered> last_{};
  std::uint32_t count_ = 0, opened_ = 0;
};

} // namespace perfmodel
