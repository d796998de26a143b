// The banks in which L1 looks lines up: one line of each in a cycle. `bits` as in AccessRules: for each bit
// of a bank's number the bits of a line's number whose parity it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace perfmodel {

// Cycles in which L1 looks up the lines of these sectors, ascending: as many as lie in its fullest bank.
// Where nothing says which those are, and of no more than four, four lines are looked up in a cycle.
std::size_t line_turns(const std::vector<std::uint64_t>& sectors, const std::vector<std::uint64_t>& bits);

// Two to four lines meet at some places and not at others: what they take on top of so many turns, in the
// mean over all places, so that blocks that do the same elsewhere stay alike. Lines of two rows of a matrix
// keep their place among four rows, since it decides. With rows of 128 lines, row 6 and row 7 differ in one
// bit of a line's number, which is always another bank; from row 7 to row 8 four change,
// whose parities may come out equal. Answers are remembered.
class MeetingLines {
public:
  explicit MeetingLines(std::vector<std::uint64_t> bits) : bits_(std::move(bits)) {}
  // In 64ths of a turn.
  std::uint8_t beyond(std::size_t turns, const std::vector<std::uint64_t>& sectors);

private:
  std::vector<std::uint64_t> bits_;
  std::unordered_map<std::uint64_t, std::uint8_t> known_; // by what they are asked by, in one number
};

} // namespace perfmodel
