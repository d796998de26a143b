// Which option an error is about.
#pragma once

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <string_view>

namespace perfmodel::cli {

// What `read` gives; what it throws as an InputError begins with the option's name.
template <class Read> auto of_option(std::string_view option, Read read) {
  try {
    return read();
  } catch (const InputError& e) {
    throw InputError(fmt::format("{}: {}", option, e.what()));
  }
}

} // namespace perfmodel::cli
