#include "themes.hpp"

namespace perfmodel::collection {
void run_signals() {}
} // namespace perfmodel::collection
