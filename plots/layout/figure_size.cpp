#include "figure_size.hpp"

#include "frame.hpp" // label_size

#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace perfmodel::plots {

namespace {

struct LengthUnit {
  std::string_view name;
  double points;
};
constexpr std::array<LengthUnit, 4> length_units{{{"mm", 72 / 25.4}, {"pt", 1}, {"px", 0.75}, {"in", 72}}};

constexpr double slide_width = 960, slide_height = 540; // pt
constexpr double slide_font = 18, least_font = 7;       // pt
constexpr double print_dpi = 300, screen_dpi = 96, slide_dpi = 144;
constexpr double longest_side = 72 * 60; // pt: a PNG of it is 18 000 pixels wide
constexpr std::size_t most_digits = 60;  // of a number that is read, to be told too large

[[noreturn]] void refuse_size(std::string_view text) {
  throw InputError(fmt::format("{} is no size of a figure: slide, column, or width x height such as "
                               "85mmx60mm, 3.5inx2.5in, 1280x720",
                               quoted(text)));
}

// A length that says no unit has that of the other one, px where neither does.
std::optional<Length> length_of(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (text[end] == '.' || (text[end] >= '0' && text[end] <= '9'))) ++end;
  if (end == 0 || end > most_digits) return std::nullopt;
  const std::string_view unit = trimmed(text.substr(end));
  const auto known = [&](const LengthUnit& u) { return u.name == unit; };
  if (!unit.empty() && std::none_of(length_units.begin(), length_units.end(), known)) return std::nullopt;
  try {
    return Length{parse_quantity(text.substr(0, end)).value, std::string(unit)};
  } catch (const InputError&) { // "1.2.3"
    return std::nullopt;
  }
}

// Of labels, in proportion to a slide's.
double font_of(double width, double height) {
  return std::max(least_font, slide_font * std::min(width / slide_width, height / slide_height));
}

// The x between the lengths, not that of px; npos where there is none.
std::size_t by_in(std::string_view text) {
  std::size_t at = text.find('x');
  while (at != std::string_view::npos && at > 0 && text[at - 1] == 'p') at = text.find('x', at + 1);
  return at;
}

FigureSize given_size(std::string_view text) {
  const std::size_t by = by_in(text);
  if (by == std::string_view::npos) refuse_size(text);
  std::optional<Length> width = length_of(trimmed(text.substr(0, by))),
                        height = length_of(trimmed(text.substr(by + 1)));
  if (!width || !height) refuse_size(text);
  if (width->unit.empty()) width->unit = height->unit.empty() ? "px" : height->unit;
  if (height->unit.empty()) height->unit = width->unit;
  FigureSize size{*width, *height};
  size.font = font_of(width->points(), height->points());
  size.dpi = width->unit == "px" ? screen_dpi : print_dpi;
  return size;
}

void check_size(std::string_view text, const FigureSize& size) {
  if (size.width.points() > longest_side || size.height.points() > longest_side)
    throw InputError(fmt::format("{} is too large: at most {:.0f}mmx{:.0f}mm is expected", quoted(text),
                                 std::floor(longest_side / 72 * 25.4), std::floor(longest_side / 72 * 25.4)));
  constexpr double least_width = 320, least_height = 200; // px of a layout
  const double px = least_font / label_size;
  if (const Size s = size.layout(); s.width < least_width || s.height < least_height)
    throw InputError(fmt::format("{} is too small for text of {} pt: at least {:.0f}mmx{:.0f}mm is expected",
                                 quoted(text), least_font, std::ceil(least_width * px * 25.4 / 72),
                                 std::ceil(least_height * px * 25.4 / 72)));
}

} // namespace

double Length::points() const {
  const auto known = std::find_if(length_units.begin(), length_units.end(),
                                  [&](const LengthUnit& u) { return u.name == unit; });
  return known == length_units.end() ? value : value * known->points;
}

std::string Length::text() const { return format_exact(value) + unit; }

Size FigureSize::layout() const {
  const double px = font / label_size; // pt
  const auto whole = [&](const Length& length) {
    return static_cast<int>(std::lround(std::min(length.points(), longest_side * 2) / px));
  };
  return {whole(width), whole(height)};
}

FigureSize FigureSize::with_layout_height(int px) const {
  FigureSize size = *this;
  const double points = px * font / label_size;
  size.height = {std::round(10 * points / 72 * 25.4) / 10, "mm"};
  return size;
}

int FigureSize::png_width() const { return static_cast<int>(std::lround(width.points() / 72 * dpi)); }

FigureSize figure_size(std::string_view text) {
  FigureSize size;
  if (text == "slide")
    size = {{slide_width, "pt"}, {slide_height, "pt"}, slide_font, slide_dpi, true};
  else if (text == "column")
    size = {{85, "mm"}, {70, "mm"}, least_font, print_dpi, true, true};
  else
    size = given_size(text);
  check_size(text, size);
  return size;
}

} // namespace perfmodel::plots
