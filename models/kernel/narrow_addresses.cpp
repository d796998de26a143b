#include "narrow_addresses.hpp"

#include "memory_step.hpp"

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
    // Addresses rise.
    const auto at =
        std::lower_bound(code.instructions.begin(), code.instructions.end(), i.operands.back().value,
                         [](const Instruction& to, std::int64_t address) {
                           return static_cast<std::int64_t>(to.address) < address;
                         });
    if (at != code.instructions.end() && at->address == i.operands.back().value)
      jumps.push_back({n, static_cast<std::size_t>(at - code.instructions.begin())});
  }
  return jumps;
}

int place_of(const CodeOperand& o) { // of its first register
  return o.kind == OperandKind::reg       ? o.index
         : o.kind == OperandKind::uniform ? uniform_places + o.index
                                          : -1;
}

class Needed {
public:
  Needed(const KernelCode& code, const std::vector<RegisterUse>& uses)
      : code_(code), uses_(uses), jumps_(jumps_of(code)),
        writers_(register_places), made_{std::vector<bool>(uses.size()), std::vector<bool>(uses.size())} {
    for (std::size_t n = 0; n < uses.size(); ++n)
      for (const std::uint16_t place : uses[n].writes) writers_[place].push_back(n);
  }

  NarrowAddresses all() {
    std::vector<bool> is_read(uses_.size());
    for (std::size_t n = 0; n < uses_.size(); ++n)
      for (const std::uint16_t place : uses_[n].reads)
        for_each_writer(n, place, [&](std::size_t by) { is_read[by] = true; });
    // What nobody reads at all is there for its own sake, as in a chain that is timed.
    for (std::size_t n = 0; n < uses_.size(); ++n)
      if (has_effect(n) || !is_read[n]) need(n);
    while (!open_.empty()) {
      const std::size_t reader = open_.back().first;
      const std::uint16_t place = open_.back().second;
      open_.pop_back();
      for_each_writer(reader, place, [&](std::size_t by) {
        // A sum of 64 bits whose upper word matters after all: so do those of what it adds.
        if (makes_sum_of_64(by) && uses_[by].writes[1] == place && !made_.upper_needed[by]) {
          made_.upper_needed[by] = true;
          read(by);
        }
        need(by);
      });
    }
    return std::move(made_);
  }

private:
  bool makes_sum_of_64(std::size_t n) const {
    const Instruction& i = code_.instructions[n];
    return i.is("IMAD") && i.has(mod("WIDE")) && uses_[n].writes.size() == 2;
  }

  // Beside what it writes into registers.
  bool has_effect(std::size_t n) const {
    const Instruction& i = code_.instructions[n];
    const MemoryOpcode* memory = find_memory_opcode(i.opcode);
    return uses_[n].writes.empty() || !i.unread.empty() ||
           (memory != nullptr && memory->space != Space::constant);
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

  // Whether it reads that register only as the upper word of an address or in the descriptor beside it, or as
  // that of a sum whose own upper word nobody needs.
  bool is_upper(std::size_t n, std::uint16_t place) const {
    const Instruction& i = code_.instructions[n];
    const bool described = i.text.find("desc[") != std::string::npos;
    bool upper = false;
    for (std::size_t k = uses_[n].writes.empty() ? 0 : 1; k < i.operands.size(); ++k) { // behind the result
      const CodeOperand& o = i.operands[k];
      if (o.kind == OperandKind::address) {
        const int uniform = uniform_places + o.uniform_base;
        if (o.base != zero_register && place == o.base) return false;
        if (o.uniform_base != zero_uniform && place == uniform && !described) return false;
        upper = upper || (o.pair && place == o.base + 1) ||
                (o.uniform_base != zero_uniform && (place == uniform || place == uniform + 1));
      } else if (place == place_of(o)) {
        return false;
      }
    }
    const bool wide_sum = makes_sum_of_64(n) && !made_.upper_needed[n] && place_of(i.operands.back()) >= 0 &&
                          place == place_of(i.operands.back()) + 1;
    return upper || wide_sum;
  }

  // All whose value may be in the register when it is read: going back from there, and from the end of each
  // loop around it, up to one that writes it whatever its guard says and is not jumped over.
  template <class F> void for_each_writer(std::size_t reader, std::uint16_t place, F f) const {
    const std::vector<std::size_t>& all = writers_[place];
    const auto back_from = [&](std::size_t end, std::size_t begin) {
      for (auto at = std::lower_bound(all.begin(), all.end(), end); at != all.begin() && *--at >= begin;) {
        const std::size_t n = *at;
        f(n);
        const bool jumped_over = std::any_of(jumps_.begin(), jumps_.end(), [&](const Jump& j) {
          return j.from < n && j.to > n && j.to <= end;
        });
        if (code_.instructions[n].guard.kind == OperandKind::none && !jumped_over) return;
      }
    };
    if (all.empty()) return;
    back_from(reader, 0);
    for (const Jump& loop : jumps_)
      if (loop.to <= reader && reader <= loop.from) back_from(loop.from, reader);
  }

  const KernelCode& code_;
  const std::vector<RegisterUse>& uses_;
  std::vector<Jump> jumps_;
  std::vector<std::vector<std::size_t>> writers_;           // of each place, in order
  std::vector<std::pair<std::size_t, std::uint16_t>> open_; // who reads, and where
  NarrowAddresses made_;
};

} // namespace

NarrowAddresses with_narrow_addresses(const KernelCode& code, const std::vector<RegisterUse>& uses) {
  return Needed(code, uses).all();
}

} // namespace perfmodel
