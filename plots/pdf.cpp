#include "render.hpp"
#include "rsvg.hpp"

#include "models/core/error.hpp"

#include <cairo-pdf.h>

namespace perfmodel::plots {

std::string to_pdf(const std::string& svg) {
  const Svg picture = load_svg(svg);
  const Extent px = extent_of(picture);
  const Extent points{px.width * 0.75, px.height * 0.75}; // 96 px and 72 points to the inch
  std::string bytes;
  const Surface surface(
      cairo_pdf_surface_create_for_stream(append_bytes, &bytes, points.width, points.height));
  // The same bytes from every run, as far as cairo allows.
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "2026-01-01T00:00:00Z");
  render(picture, surface, points);
  cairo_surface_finish(surface.get());
  if (const cairo_status_t status = cairo_surface_status(surface.get()))
    throw MachineError(std::string("cairo cannot write the PDF: ") + cairo_status_to_string(status));
  return bytes;
}

} // namespace perfmodel::plots
