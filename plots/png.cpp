#include "render.hpp"
#include "rsvg.hpp"

#include "models/core/error.hpp"

#include <cmath>

namespace perfmodel::plots {

std::string to_png(const std::string& svg, int width_px) {
  if (width_px < 16 || width_px > 20000)
    throw InputError("a PNG is 16 to 20000 pixels wide, not " + std::to_string(width_px));
  const Svg picture = load_svg(svg);
  const Extent size = extent_of(picture);
  const int height_px = static_cast<int>(std::lround(width_px * size.height / size.width));
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width_px, height_px));
  render(picture, surface, {static_cast<double>(width_px), static_cast<double>(height_px)});
  std::string bytes;
  if (const cairo_status_t status = cairo_surface_write_to_png_stream(surface.get(), append_bytes, &bytes))
    throw MachineError(std::string("cairo cannot write the PNG: ") + cairo_status_to_string(status));
  return bytes;
}

} // namespace perfmodel::plots
