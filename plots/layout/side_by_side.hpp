// Which of many arrows side by side are drawn, so that each can be followed by eye.
#pragma once

#include "geometry.hpp"

#include <vector>

namespace perfmodel::plots {

// px between two arrows of one direction; nearer than that they are a grey area.
inline constexpr double least_apart = 3.5;

// By arrow, whether it is drawn. Arrows from one height by the same way are a row; of a row that is too dense
// the first and the last are drawn, and as many between them, evenly, as there is room for.
std::vector<bool> followed_by_eye(const std::vector<Segment>& arrows);

} // namespace perfmodel::plots
