// librsvg's and cairo's objects, freed when they go out of scope. Only png.cpp and pdf.cpp see them.
#pragma once

#include <cairo.h>
#include <librsvg/rsvg.h>

#include <memory>
#include <string>

namespace perfmodel::plots {

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

// Throw MachineError.
Svg load_svg(const std::string& svg);
Extent extent_of(const Svg& svg);
void render(const Svg& svg, const Surface& surface, Extent to);

// A cairo_write_func_t that appends to the std::string at `out`.
cairo_status_t append_bytes(void* out, const unsigned char* bytes, unsigned int count);

} // namespace perfmodel::plots
