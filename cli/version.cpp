#include "version.hpp"

#include "generated/commit.hpp"

namespace perfmodel::cli {

const char* version() { return PERFMODEL_VERSION; }
const char* commit() { return commit_of_build; }

} // namespace perfmodel::cli
