#include "version.hpp"

namespace perfmodel::cli {

const char* version() { return PERFMODEL_VERSION; }
const char* commit() { return PERFMODEL_COMMIT; }

} // namespace perfmodel::cli
