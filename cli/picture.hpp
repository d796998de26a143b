// A result as a picture: which chart suits it, and in which format.
#pragma once

#include "cli/figure.hpp"
#include "models/core/result.hpp"
#include "models/drawings/drawing.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel::cli {

// Bytes of the picture; format is svg, png, pdf or html. Throws InputError when no chart suits the result
// or has no room at the size asked for,
// MachineError when the format needs a library that this build lacks.
std::string draw(Result result, const std::vector<Result>& measured, std::string_view format,
                 const Figure& figure = {});

// The same of a drawing.
std::string draw(const Drawing& drawing, std::string_view format, const Figure& figure = {});

// In ASCII alone where the environment's locale is not one of UTF-8.
std::string draw_in_terminal(Result result, const std::vector<Result>& measured, std::size_t columns,
                             bool colour);

} // namespace perfmodel::cli
