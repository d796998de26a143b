#include "themes.hpp"

namespace perfmodel::collection {
void run_exercises() {}
} // namespace perfmodel::collection
