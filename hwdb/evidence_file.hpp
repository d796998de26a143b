// hwdb/evidence.yaml: how models and measurements came about, which decides how much a row says.
#pragma once

#include "models/validation/evidence.hpp"

#include <string>

namespace perfmodel::hwdb {

// Throws InputError with file, line and key: what is missing, unknown or the name of no model, and a constant
// that names both a probe and a symbol, or neither.
EvidenceRecord parse_evidence(const std::string& text, const std::string& file);

} // namespace perfmodel::hwdb
