#include "rsvg.hpp"

#include "models/core/error.hpp"

namespace perfmodel::plots {

namespace {
[[noreturn]] void fail(GError* error) {
  const std::string reason = error ? error->message : "no reason given";
  g_clear_error(&error);
  throw MachineError("librsvg cannot draw the picture: " + reason);
}
} // namespace

Svg load_svg(const std::string& svg) {
  GError* error = nullptr;
  const auto* bytes = reinterpret_cast<const guint8*>(svg.data());
  Svg handle(rsvg_handle_new_from_data(bytes, svg.size(), &error));
  if (!handle) fail(error);
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

} // namespace perfmodel::plots
