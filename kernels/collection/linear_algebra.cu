#include "themes.hpp"

namespace perfmodel::collection {
void run_linear_algebra() {}
} // namespace perfmodel::collection
