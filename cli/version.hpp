// Which perfmodel this is.
#pragma once

namespace perfmodel::cli {

const char* version(); // "0.1.0"
const char* commit();  // what `git describe` says; "unknown" outside a checkout

} // namespace perfmodel::cli
