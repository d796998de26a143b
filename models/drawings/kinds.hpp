// One function for each drawing; drawings.cpp lists them with their names.
#pragma once

#include "drawing.hpp"

#include "models/core/model.hpp"

namespace perfmodel {

struct Reduction;
struct Pi;
struct SuffixSums;
struct Transpose;
struct Matmul;

Drawing draw_tree(const Gpu& gpu, const Request& request);
Drawing draw_segments(const Gpu& gpu, const Request& request);
Drawing draw_banks(const Gpu& gpu, const Request& request);
Drawing draw_lanes(const Gpu& gpu, const Request& request);
Drawing draw_boundary_blocks(const Gpu& gpu, const Request& request);
Drawing draw_partition_map(const Gpu& gpu, const Request& request);
Drawing draw_timeline(const Gpu& gpu, const Request& request);
// Of the first launch of a ladder's version.
template <class Ladder> Drawing draw_rung_timeline(const Gpu& gpu, const Request& request);
Drawing draw_staircase(const Gpu& gpu, const Request& request);
Drawing draw_messages(const Gpu& gpu, const Request& request);

} // namespace perfmodel
