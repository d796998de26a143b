#include "themes.hpp"

namespace perfmodel::collection {
void run_quantised() {}
} // namespace perfmodel::collection
