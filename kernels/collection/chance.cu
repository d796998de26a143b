#include "themes.hpp"

namespace perfmodel::collection {
void run_chance() {}
} // namespace perfmodel::collection
