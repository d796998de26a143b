// What the database keeps of earlier answers. All of it can be worked out again from the rest of the
// database: where a file of it is torn, a sentence on stderr says so, and the answer is made without.
#pragma once

#include "context.hpp"

#include "hwdb/kept_errors.hpp"
#include "hwdb/kept_predictions.hpp"

#include <optional>
#include <string>

namespace perfmodel::cli {

std::optional<hwdb::KeptPredictions> kept_predictions(Context& context, const std::string& name);
hwdb::KeptErrors kept_errors(Context& context);
std::optional<hwdb::KeptBands> kept_bands(Context& context, const std::string& name);

} // namespace perfmodel::cli
