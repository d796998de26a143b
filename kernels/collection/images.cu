#include "themes.hpp"

namespace perfmodel::collection {
void run_images() {}
} // namespace perfmodel::collection
