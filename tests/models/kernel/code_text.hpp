// Code from instructions of a line each.
#pragma once

#include "models/kernel/listing.hpp"

#include <string>

namespace perfmodel {

inline KernelCode code_from(std::string_view lines) {
  std::string text = ".text.test:\n";
  for (unsigned address = 0; !lines.empty(); address += 16) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    text += fmt::format("/*{:04x}*/ {} ;\n", address, lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  return read_listing(text, "");
}

} // namespace perfmodel
