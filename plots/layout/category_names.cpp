#include "category_names.hpp"

#include "font.hpp"
#include "frame.hpp"
#include "narrow.hpp"
#include "text_box.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel::plots {

namespace {
constexpr double least_slot = 40;          // px that a category's name needs
constexpr std::size_t most_name_lines = 3; // of a category's name
constexpr double longest_aslant = 130;     // px
constexpr double slant = -35;              // degrees, of names that are wider than their slots
constexpr double slope = slant * 3.14159265358979323846 / 180;
} // namespace

std::size_t shown_category(const ChartAxis& axis, double width) {
  const double slot = width / std::max(1.0, axis.high - axis.low);
  return slot >= least_slot ? 1 : static_cast<std::size_t>(least_slot / slot) + 1;
}

std::size_t shown_aslant(const ChartAxis& axis, double width) {
  const double apart = width / std::max(1.0, axis.high - axis.low) * -std::sin(slope); // of two lines of text
  return apart >= tick_size ? 1 : static_cast<std::size_t>(tick_size / apart) + 1;
}

std::vector<std::string> tick_lines(const ChartAxis& axis, const std::string& text, double width) {
  if (axis.scale != Scale::category) return {text};
  const double slot =
      width / std::max(1.0, axis.high - axis.low) * static_cast<double>(shown_category(axis, width));
  std::vector<std::string> lines = wrapped(text, slot - tick_gap, tick_size);
  if (lines.size() > most_name_lines) lines.resize(most_name_lines), lines.back() += "…";
  return lines;
}

bool stand_aslant(const ChartAxis& axis, int picture, double width) {
  if (axis.scale != Scale::category || picture >= narrow_width) return false;
  const std::size_t every = shown_category(axis, width);
  if (shown_aslant(axis, width) < every) return true;
  for (std::size_t i = 0; i < axis.categories.size(); i += every)
    for (const std::string& line : tick_lines(axis, axis.categories[i], width))
      if (line.find("…") != std::string::npos && axis.categories[i].find("…") == std::string::npos)
        return true;
  return false;
}

Text aslant(const PlacedTick& tick, double bottom) {
  Text t;
  const double room = std::min(longest_aslant, (tick.at - 4) / std::cos(slope));
  t.text = cut_to_width(tick.text, room, tick_size), t.at = rounded(Point{tick.at + 5, bottom + 16});
  t.size = tick_size, t.anchor = Anchor::end, t.angle = slant;
  measure(t);
  return t;
}

double names_height(const ChartAxis& axis, double width, bool are_aslant) {
  if (are_aslant) {
    double widest = 0;
    for (const std::string& name : axis.categories) widest = std::max(widest, text_width(name, tick_size));
    return std::max(0.0, -std::sin(slope) * std::min(widest, longest_aslant) - tick_size);
  }
  std::size_t extra = 0;
  for (std::size_t i = 0; i < axis.categories.size(); i += shown_category(axis, width))
    extra = std::max(extra, tick_lines(axis, axis.categories[i], width).size() - 1);
  return static_cast<double>(extra) * tick_size * line_height;
}

} // namespace perfmodel::plots
