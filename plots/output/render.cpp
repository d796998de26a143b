#include "render.hpp"

#include "models/core/error.hpp"

#include <cairo-pdf.h>
#include <cairo.h>
#include <librsvg/rsvg.h>

#include <cmath>
#include <memory>

namespace perfmodel::plots {

namespace {
struct Free {
  void operator()(RsvgHandle* p) const { g_object_unref(p); }
  void operator()(cairo_surface_t* p) const { cairo_surface_destroy(p); }
  void operator()(cairo_t* p) const { cairo_destroy(p); }
};
using Svg = std::unique_ptr<RsvgHandle, Free>;
using Surface = std::unique_ptr<cairo_surface_t, Free>;
using Canvas = std::unique_ptr<cairo_t, Free>;

struct Extent {
  double width, height; // px
};

[[noreturn]] void fail(GError* error) {
  const std::string reason = error ? error->message : "no reason given";
  g_clear_error(&error);
  throw MachineError("librsvg cannot draw the picture: " + reason);
}

Svg load_svg(const std::string& svg) {
  GError* error = nullptr;
  const auto* bytes = reinterpret_cast<const guint8*>(svg.data());
  Svg handle(rsvg_handle_new_from_data(bytes, svg.size(), &error));
  if (!handle) fail(error);
  rsvg_handle_set_dpi(handle.get(), 96); // as CSS says: mm and pt are of the inch that has 96 px
  return handle;
}

Extent extent_of(const Svg& svg) {
  Extent extent{};
  if (!rsvg_handle_get_intrinsic_size_in_pixels(svg.get(), &extent.width, &extent.height) ||
      extent.width <= 0 || extent.height <= 0)
    throw MachineError("librsvg cannot draw the picture: it has no size");
  return extent;
}

void render(const Svg& svg, const Surface& surface, Extent to) {
  const Canvas canvas(cairo_create(surface.get()));
  const RsvgRectangle viewport{0, 0, to.width, to.height};
  GError* error = nullptr;
  if (!rsvg_handle_render_document(svg.get(), canvas.get(), &viewport, &error)) fail(error);
}

cairo_status_t append_bytes(void* out, const unsigned char* bytes, unsigned int count) {
  static_cast<std::string*>(out)->append(reinterpret_cast<const char*>(bytes), count);
  return CAIRO_STATUS_SUCCESS;
}
} // namespace

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

std::string to_pdf(const std::string& svg) {
  const Svg picture = load_svg(svg);
  const Extent px = extent_of(picture);
  const Extent points{px.width * 0.75, px.height * 0.75}; // 96 px and 72 points to the inch
  std::string bytes;
  const Surface surface(
      cairo_pdf_surface_create_for_stream(append_bytes, &bytes, points.width, points.height));
  // Objects as text, which later versions compress: what a page holds can be read.
  cairo_pdf_surface_restrict_to_version(surface.get(), CAIRO_PDF_VERSION_1_4);
  // The same bytes from every run, as far as cairo allows.
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "2026-01-01T00:00:00Z");
  render(picture, surface, points);
  cairo_surface_finish(surface.get());
  if (const cairo_status_t status = cairo_surface_status(surface.get()))
    throw MachineError(std::string("cairo cannot write the PDF: ") + cairo_status_to_string(status));
  return bytes;
}

} // namespace perfmodel::plots
