#include "themes.hpp"

namespace perfmodel::collection {
void run_features() {}
} // namespace perfmodel::collection
