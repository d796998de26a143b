// Compiled instead of render.cpp where librsvg was not found.
#include "render.hpp"

#include "models/core/error.hpp"

namespace perfmodel::plots {

std::string to_png(const std::string&, int) {
  throw MachineError(
      "this build has no librsvg, which PNG needs: install librsvg2-dev and build again, or write SVG");
}

std::string to_pdf(const std::string&) {
  throw MachineError(
      "this build has no librsvg, which PDF needs: install librsvg2-dev and build again, or write SVG");
}

} // namespace perfmodel::plots
