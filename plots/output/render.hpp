// Bytes of a picture from its SVG, through librsvg; the fonts are the machine's (Debian: fonts-dejavu-core).
// Throws MachineError with one sentence where librsvg is missing or fails, InputError for a size that makes
// no sense.
#pragma once

#include <string>

namespace perfmodel::plots {

// The height follows from the picture's shape.
std::string to_png(const std::string& svg, int width_px = 1600);
std::string to_pdf(const std::string& svg);

} // namespace perfmodel::plots
