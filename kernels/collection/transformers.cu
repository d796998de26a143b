#include "themes.hpp"

namespace perfmodel::collection {
void run_transformers() {}
} // namespace perfmodel::collection
