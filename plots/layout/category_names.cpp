#include "category_names.hpp"

#include "font.hpp"
#include "frame.hpp"
#include "narrow.hpp"
#include "text_box.hpp"
#include "wrap.hpp"

#include <algorithm>
#include <cmath>

namespace perfmodel::plots {

namespace {
constexpr double least_slot = 40;          // px that a category's name needs, if it has so many letters
constexpr std::size_t most_name_lines = 3; // of a category's name
constexpr double longest_aslant = 185;     // px
constexpr double slant = -35;              // degrees, of names that are wider than their slots
constexpr double steep = -60;              // of names that slanted so would leave the picture on the left
constexpr double straight_up = -90;        // of names so many that aslant some would go without
constexpr double tightest = 0.85;          // of a text's size, where names stand so
constexpr double apart_upright = 1.08;     // of one's size: from tall letters to the tails of the next

std::size_t shown_at(double degrees, double slot) {
  const double apart = slot * -std::sin(radians(degrees)); // of two lines of text
  const double needed = degrees == straight_up ? tightest * tick_size : tick_size;
  return apart >= needed ? 1 : static_cast<std::size_t>(needed / apart) + 1;
}

// Names that stand upright side by side are set smaller, where they would touch.
double name_size(double degrees, double slot) {
  return degrees == straight_up ? rounded(std::min(tick_size, slot / apart_upright)) : tick_size;
}

double slot_of(const ChartAxis& axis, double width) { return width / std::max(1.0, axis.high - axis.low); }

// The left end of a name that ends below its tick. The y axis takes at least 54 px.
bool leaves_at_left(const ChartAxis& axis, double width, double degrees) {
  constexpr double left_of_plot = 54;
  const double slot = slot_of(axis, width);
  for (std::size_t i = 0; i < axis.categories.size(); ++i) {
    const double tick = left_of_plot + slot * (static_cast<double>(i) + 0.5);
    const double long_name = std::min(text_width(axis.categories[i], tick_size), longest_aslant);
    if (long_name * std::cos(radians(degrees)) > tick) return true;
  }
  return false;
}

double slant_of(const ChartAxis& axis, double width) {
  for (const double degrees : {slant, steep})
    if (shown_at(degrees, slot_of(axis, width)) == 1 && !leaves_at_left(axis, width, degrees)) return degrees;
  return straight_up;
}
} // namespace

std::size_t shown_category(const ChartAxis& axis, double width) {
  const double slot = slot_of(axis, width);
  double widest = 0;
  for (const std::string& name : axis.categories) widest = std::max(widest, text_width(name, tick_size));
  const double needed = std::min(least_slot, widest + tick_gap);
  return slot >= needed ? 1 : static_cast<std::size_t>(needed / slot) + 1;
}

std::size_t shown_aslant(const ChartAxis& axis, double width) {
  return shown_at(slant_of(axis, width), slot_of(axis, width));
}

namespace {

bool is_cut(const std::vector<std::string>& lines) {
  return std::any_of(lines.begin(), lines.end(),
                     [](const std::string& l) { return l.find("…") != std::string::npos; });
}

// "unrolled-" above "warp" and "fmaheavy+" above "fmalite", where the whole is too wide.
std::vector<std::string> broken_at_signs(std::string text, double width) {
  constexpr std::string_view signs = "-+";
  for (std::size_t at = 0; (at = text.find_first_of(signs, at)) != std::string::npos; at += 2)
    text.insert(at + 1, " ");
  std::vector<std::string> lines = wrapped(text, width, tick_size);
  for (std::string& line : lines)
    for (const char* broken : {"- ", "+ "})
      for (std::size_t at; (at = line.find(broken)) != std::string::npos;) line.erase(at + 1, 1);
  return lines;
}

bool cuts_a_name(const ChartAxis& axis, double width, std::size_t every) {
  for (std::size_t i = 0; i < axis.categories.size(); i += every)
    if (is_cut(tick_lines(axis, axis.categories[i], width)) && !is_cut({axis.categories[i]})) return true;
  return false;
}

} // namespace

std::vector<std::string> tick_lines(const ChartAxis& axis, const std::string& text, double width) {
  if (axis.scale != Scale::category) return {text};
  const double slot = slot_of(axis, width) * static_cast<double>(shown_category(axis, width));
  std::vector<std::string> lines = wrapped(text, slot - tick_gap, tick_size);
  if (is_cut(lines) && !text.starts_with('-')) lines = broken_at_signs(text, slot - tick_gap);
  if (lines.size() > most_name_lines) lines.resize(most_name_lines), lines.back() += "…";
  return lines;
}

bool stand_aslant(const ChartAxis& axis, int picture, double width) {
  if (axis.scale != Scale::category) return false;
  const std::size_t every = shown_category(axis, width);
  if (picture >= narrow_width) { // where that names all of them
    const double slot = slot_of(axis, width);
    return shown_aslant(axis, width) == 1 && slot >= tick_size * line_height &&
           (every > 1 || cuts_a_name(axis, width, every));
  }
  return shown_aslant(axis, width) < every || cuts_a_name(axis, width, every);
}

Text aslant(const PlacedTick& tick, double bottom, const ChartAxis& axis, double width) {
  Text t;
  const double degrees = slant_of(axis, width);
  const double slot = slot_of(axis, width);
  const double size = name_size(degrees, slot * static_cast<double>(shown_aslant(axis, width)));
  const double across = std::cos(radians(degrees)); // none of a straight name
  const double room = across < 0.1 ? longest_aslant : std::min(longest_aslant, (tick.at - 4) / across);
  t.text = cut_to_width(tick.text, room, size);
  t.at = rounded(degrees == straight_up ? Point{tick.at + size / 3, bottom + 8}
                                        : Point{tick.at + 5, bottom + 16});
  t.size = size, t.anchor = Anchor::end, t.angle = degrees;
  measure(t);
  return t;
}

double names_height(const ChartAxis& axis, double width, bool are_aslant) {
  if (are_aslant) {
    double widest = 0;
    for (const std::string& name : axis.categories) widest = std::max(widest, text_width(name, tick_size));
    const double degrees = slant_of(axis, width);
    const double higher =
        degrees == straight_up ? tick_size : tick_size / 2; // than a line begins what is aslant
    return std::max(0.0, -std::sin(radians(degrees)) * std::min(widest, longest_aslant) - higher);
  }
  std::size_t extra = 0;
  for (std::size_t i = 0; i < axis.categories.size(); i += shown_category(axis, width))
    extra = std::max(extra, tick_lines(axis, axis.categories[i], width).size() - 1);
  return static_cast<double>(extra) * tick_size * line_height;
}

} // namespace perfmodel::plots
