#include "themes.hpp"

namespace perfmodel::collection {
void run_stencils() {}
} // namespace perfmodel::collection
