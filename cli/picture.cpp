#include "picture.hpp"

#include "models/core/error.hpp"

namespace perfmodel::cli {
std::string draw(const Result&, const std::vector<Result>&, std::string_view) { throw MachineError("no pictures yet"); }
std::string draw_in_terminal(const Result&, const std::vector<Result>&, std::size_t, bool) { return ""; }
} // namespace perfmodel::cli
