#include "themes.hpp"

namespace perfmodel::collection {
void run_solvers() {}
} // namespace perfmodel::collection
