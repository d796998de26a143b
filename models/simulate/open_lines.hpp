// Lines that an SM keeps open for stores. What a warp stores to lines that it has opened and that are still
// open goes to L2 with them; each line that is opened after them closes them a little more.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace perfmodel {

// Of a warp: how many lines its SM had opened when each of its last stores that opened some did.
struct OpenedLines {
  static constexpr std::size_t remembered = 4;
  std::array<std::uint32_t, remembered> before{};
  std::uint32_t count = 0;
};

// Of an SM.
class OpenLines {
public:
  explicit OpenLines(std::size_t most) : most_(most) {}

  // A store to `lines` of them, those of the warp's `back`-th last opening (0: of none). True: all are open
  // yet.
  bool take(OpenedLines& warp, std::uint32_t lines, std::uint32_t back) {
    if (back > 0 && back <= warp.count &&
        opened_ - warp.before[(warp.count - back) % OpenedLines::remembered] <= most_)
      return true;
    warp.before[warp.count++ % OpenedLines::remembered] = opened_;
    opened_ += lines;
    return false;
  }

private:
  std::size_t most_;
  std::uint32_t opened_ = 0;
};

} // namespace perfmodel
