#include "themes.hpp"

namespace perfmodel::collection {
void run_scans() {}
} // namespace perfmodel::collection
