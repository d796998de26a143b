#include "themes.hpp"

namespace perfmodel::collection {
void run_codes() {}
} // namespace perfmodel::collection
