#include "narrow_addresses.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace perfmodel {

namespace {

struct Jump {
  std::size_t from = 0, to = 0;
};

std::vector<Jump> jumps_of(const KernelCode& code) {
  std::vector<Jump> jumps;
  for (std::size_t n = 0; n < code.instructions.size(); ++n) {
    const Instruction& i = code.instructions[n];
    if (!i.is("BRA") || i.operands.empty() || i.operands.back().kind != OperandKind::integer) continue;
    const auto at =
        std::find_if(code.instructions.begin(), code.instructions.end(),
                     [&](const Instruction& to) { return to.address == i.operands.back().value; });
    if (at != code.instructions.end())
      jumps.push_back({n, static_cast<std::size_t>(at - code.instructions.begin())});
  }
  return jumps;
}

bool writes(const RegisterUse& use, std::uint16_t place) {
  return std::find(use.writes.begin(), use.writes.end(), place) != use.writes.end();
}

class Needed {
public:
  Needed(const KernelCode& code, const std::vector<RegisterUse>& uses)
      : code_(code), uses_(uses),
        jumps_(jumps_of(code)), made_{std::vector<bool>(uses.size()), std::vector<bool>(uses.size())} {}

  NarrowAddresses all() {
    for (std::size_t n = 0; n < uses_.size(); ++n)
      if (has_effect(n)) need(n);
    while (!open_.empty()) {
      const std::size_t n = open_.back().first;
      const std::uint16_t place = open_.back().second;
      open_.pop_back();
      for_each_writer(n, place, [&](std::size_t by) {
        if (uses_[by].writes.size() == 2 && uses_[by].writes[1] == place && !made_.upper_needed[by]) {
          made_.upper_needed[by] = true;
          read(by);
        }
        need(by);
      });
    }
    return std::move(made_);
  }

private:
  // Beside what it writes into registers.
  bool has_effect(std::size_t n) const {
    const Instruction& i = code_.instructions[n];
    return uses_[n].writes.empty() || i.opcode.starts_with("ATOM") || !i.unread.empty();
  }

  void need(std::size_t n) {
    if (made_.needed[n]) return;
    made_.needed[n] = true;
    read(n);
  }

  void read(std::size_t n) {
    for (const std::uint16_t place : uses_[n].reads)
      if (!is_upper(n, place)) open_.emplace_back(n, place);
  }

  // Whether it reads that register only as the upper word of an address, or of a sum whose own upper word
  // nobody needs.
  bool is_upper(std::size_t n, std::uint16_t place) const {
    const Instruction& i = code_.instructions[n];
    const auto place_of = [](const CodeOperand& o) { // of its first register
      return o.kind == OperandKind::uniform ? uniform_places + o.index : static_cast<int>(o.index);
    };
    bool upper = false;
    for (const CodeOperand& o : i.operands) {
      if (o.kind == OperandKind::address) {
        if (o.base != zero_register && place == o.base) return false;
        upper = upper || place == o.base + 1 || (o.uniform_base != zero_uniform && place >= uniform_places);
      } else if ((o.kind == OperandKind::reg || o.kind == OperandKind::uniform) && place == place_of(o)) {
        return false;
      }
    }
    const bool wide_sum = i.is("IMAD") && i.has(mod("WIDE")) && !made_.upper_needed[n] &&
                          place == place_of(i.operands.back()) + 1;
    return upper || wide_sum;
  }

  // All whose value may be in the register when it is read: going back from there, and from the end of each
  // loop around it, up to one that writes it whatever its guard says and is not jumped over.
  template <class F> void for_each_writer(std::size_t reader, std::uint16_t place, F f) const {
    const auto back_from = [&](std::size_t end, std::size_t begin) {
      for (std::size_t n = end; n-- > begin;) {
        if (!writes(uses_[n], place)) continue;
        f(n);
        const bool jumped_over = std::any_of(jumps_.begin(), jumps_.end(), [&](const Jump& j) {
          return j.from < n && j.to > n && j.to <= end;
        });
        if (code_.instructions[n].guard.kind == OperandKind::none && !jumped_over) return;
      }
    };
    back_from(reader, 0);
    for (const Jump& loop : jumps_)
      if (loop.to <= reader && reader <= loop.from) back_from(loop.from, reader);
  }

  const KernelCode& code_;
  const std::vector<RegisterUse>& uses_;
  std::vector<Jump> jumps_;
  std::vector<std::pair<std::size_t, std::uint16_t>> open_; // who reads, and where
  NarrowAddresses made_;
};

} // namespace

NarrowAddresses with_narrow_addresses(const KernelCode& code, const std::vector<RegisterUse>& uses) {
  return Needed(code, uses).all();
}

} // namespace perfmodel
