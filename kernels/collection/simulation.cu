#include "themes.hpp"

namespace perfmodel::collection {
void run_simulation() {}
} // namespace perfmodel::collection
