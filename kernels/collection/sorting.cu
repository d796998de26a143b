#include "themes.hpp"

namespace perfmodel::collection {
void run_sorting() {}
} // namespace perfmodel::collection
