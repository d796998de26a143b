// Upper words of products of 64 bits whose factors both go by data. A division of 64 bits looks whether the
// upper words of both numbers are zero, and then divides 32 bits, else calls a function: such a product is
// too long for the short way. Words are followed through sums, moves and logic to the predicate of a branch.
#pragma once

#include "lane_step.hpp"
#include "listing.hpp"
#include "register_use.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace perfmodel {

// What an instruction does with such words.
struct ProductStep {
  enum class Does : std::uint8_t { overwrites, makes, passes } does = Does::overwrites;
  RegisterUse use;
};

// Of each instruction.
std::vector<ProductStep> product_steps(const KernelCode& code);

// The instruction that converts the divisor, where the short way of a division of 64 bits begins at `from`;
// beyond the end where none does.
std::size_t short_division(const KernelCode& code, std::size_t from);

// Of one warp.
class LongProducts {
public:
  // An instruction that is about to be executed.
  void follow(const ProductStep& what, const LaneStep& step);
  // Lanes whose predicate goes by such a word.
  std::uint32_t decide(std::uint8_t predicate) const { return lanes_[predicate_places + predicate]; }

private:
  std::array<std::uint32_t, register_places> lanes_{}; // by place
};

} // namespace perfmodel
