// Lines that an SM keeps open for stores, on their way to L2: the last that its warps have opened. What a
// warp stores to lines that it has opened goes to L2 with them, as long as L2 has not taken them and not too
// many others have been opened behind them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace perfmodel {

// Of a warp, its last stores that opened some.
class OpenedLines {
public:
  static constexpr std::size_t remembered = 4;

  // Whether those of the `back`-th last opening (0: of none) are open yet, where the SM keeps `most` and has
  // opened `of_sm` so far.
  bool has(std::uint32_t back, std::size_t most, double now, std::uint32_t of_sm) const {
    if (back == 0 || back > count_) return false;
    const Opening& opening = last_[(count_ - back) % remembered];
    return of_sm - opening.before <= most && now <= opening.taken;
  }
  // `of_sm`: lines that the SM had opened before; `taken`: when L2 has these.
  void open(std::uint32_t of_sm, double taken) { last_[count_++ % remembered] = {of_sm, taken}; }

private:
  struct Opening {
    std::uint32_t before = 0;
    double taken = 0;
  };
  std::array<Opening, remembered> last_{};
  std::uint32_t count_ = 0;
};

} // namespace perfmodel
