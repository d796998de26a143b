#include "kept.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

namespace perfmodel::cli {

namespace {

template <class Read> auto whole_or_none(Context& context, const char* instead, const Read& read) {
  try {
    return read(context.database().root());
  } catch (const InputError& e) {
    context.err << fmt::format("{}; {}\n", e.what(), instead);
    return decltype(read(context.database().root())){};
  }
}

} // namespace

std::optional<hwdb::KeptPredictions> kept_predictions(Context& context, const std::string& name) {
  return whole_or_none(context, "its predictions are computed again",
                       [&](const auto& root) { return hwdb::kept_predictions(root, name); });
}

std::optional<hwdb::KeptBands> kept_bands(Context& context, const std::string& name) {
  return whole_or_none(context, "the bands are drawn again",
                       [&](const auto& root) { return hwdb::kept_bands(root, name); });
}

hwdb::KeptErrors kept_errors(Context& context) {
  return whole_or_none(context, "errors of earlier predictions are left out",
                       [](const auto& root) { return hwdb::kept_errors(root); });
}

} // namespace perfmodel::cli
