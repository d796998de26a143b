#include "drawing_looks.hpp"

#include "plots/chart/palette.hpp"

#include <array>

namespace perfmodel::plots {

namespace {

// In black and grey: how dark, and which stripes. Neighbours differ in both, and all in one by far.
constexpr std::array print_looks = std::to_array<CellLook>({{ink, 0.18, Fill::pale},
                                                            {ink, 0.45, Fill::pale},
                                                            {ink, 0.01, Fill::rising},
                                                            {ink, 0.12, Fill::level},
                                                            {ink, 0.32, Fill::falling},
                                                            {ink, 0.01, Fill::upright},
                                                            {ink, 0.42, Fill::level},
                                                            {ink, 0.32, Fill::rising}});

} // namespace

std::vector<CellLook> looks_of(const DrawingFigure& f) {
  constexpr Fill more[] = {Fill::pale, Fill::rising, Fill::falling, Fill::crossed};
  std::vector<CellLook> looks;
  std::size_t n = 0;
  for (const Drawing::Kind& kind : f.drawing.kinds) {
    if (kind.tone == Drawing::Tone::quiet)
      looks.push_back({grey, 0, Fill::pale});
    else if (kind.tone == Drawing::Tone::alarm)
      looks.push_back({alarm, f.monochrome ? 0.01 : 0.3, f.monochrome ? Fill::crossed : Fill::pale});
    else if (f.monochrome)
      looks.push_back(print_looks[n++ % print_looks.size()]);
    else
      looks.push_back({series_colour(n), 0.3, more[n / colour_count % 4]}), ++n;
  }
  return looks;
}

} // namespace perfmodel::plots
