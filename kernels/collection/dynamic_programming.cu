#include "themes.hpp"

namespace perfmodel::collection {
void run_dynamic_programming() {}
} // namespace perfmodel::collection
