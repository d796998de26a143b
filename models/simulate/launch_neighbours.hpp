// The blocks around a typical one that show what each block of a launch adds to what the others have touched.
#pragma once

#include "footprint.hpp"

#include "models/core/shape.hpp"

#include <array>
#include <cstdint>
#include <functional>

namespace perfmodel {

using FootprintAt = std::function<const BlockFootprint&(std::int64_t x, std::int64_t y, std::int64_t z)>;

// Several on each side, for these often share what is read at once; at the grid's end those in front. And a
// row of them, where they are quick to run. `effort` is what a block takes to run, in instructions: of long
// ones fewer are run.
Neighbours neighbours_of(const Shape& grid, const std::array<std::int64_t, 3>& place, std::uint64_t effort,
                         const FootprintAt& at);

// Where the blocks next to one another read the same of an allocation: the nearest of blocks 8, 16, 32, ...
// away along x that reads mostly something else, or the furthest there is; fewer away where blocks take long
// to run, and none where they take very long.
Further further_of(const Shape& grid, const std::array<std::int64_t, 3>& place, std::size_t allocation,
                   std::uint64_t effort, const FootprintAt& at);

// The blocks at the corners of the grid, or up to two blocks inside of them where those have nothing to do;
// none where one of these has nothing to do, either, or blocks take long to run. Throws InputError: what one
// of them does is not known.
std::vector<const BlockFootprint*> corners_of(const Shape& grid, std::uint64_t effort, const FootprintAt& at);

enum class Touch : std::uint8_t { loads, stores };

// The distance along x, beyond those neighbours and up to `most`, at which blocks read again what this one
// reads of an allocation, or store to its sectors again, as where each reads a part of a column of a matrix
// and columns lie side by side in its lines; with the blocks at multiples of it. `effort` says how many
// blocks may be run for it.
Recurrence recurrence_of(const Shape& grid, const std::array<std::int64_t, 3>& place, std::size_t allocation,
                         Touch touch, std::uint64_t effort, double most, const FootprintAt& at);

} // namespace perfmodel
