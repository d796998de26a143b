#include "given_share.hpp"

#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

namespace perfmodel::cli {

double given_share(const char* option, const std::string& text) {
  double share = -1;
  try {
    share = parse_quantity_as(text, {"fraction", {}});
  } catch (const InputError&) { // said below, of the option
  }
  if (!(share >= 0 && share < 1e6))
    throw InputError(fmt::format("{}: a share such as 3% or 0.03 is expected, not '{}'", option, text));
  if (share > 1 && text.find('%') == std::string::npos)
    throw InputError(fmt::format("{}: {} would be {:g} %; is {}% meant?", option, text, 100 * share, text));
  return share;
}

} // namespace perfmodel::cli
