#include "palette.hpp"

#include <array>
#include <cmath>

namespace perfmodel::plots {

namespace {
struct Hue {
  std::string_view line, text, tint;
  int terminal;
};
constexpr Hue alarm_hue{"#B30000", "#B30000", "#fdeaea", 160};
constexpr Hue ink_hue{"#222222", "#222222", "#f2f2f2", 15}, grey_hue{"#767676", "#555555", "#f2f2f2", 8};
constexpr std::array<Hue, colour_count> hues{{{"#0072B2", "#0072B2", "#e8f3fa", 32},
                                              {"#D55E00", "#A84300", "#fdf0e6", 166},
                                              {"#009E73", "#00704F", "#e6f5f0", 36},
                                              {"#CC79A7", "#9C4A77", "#f9eff5", 175},
                                              {"#E69F00", "#8A5A00", "#fdf5e3", 178},
                                              {"#56B4E9", "#222222", "#eaf6fd", 74}}};
const Hue& hue(int slot) {
  if (slot == ink) return ink_hue;
  if (slot == alarm) return alarm_hue;
  if (slot < 0) return grey_hue;
  return hues[static_cast<std::size_t>(slot % colour_count)];
}
} // namespace

std::string_view line_colour(int slot) { return hue(slot).line; }
std::string_view text_colour(int slot) { return hue(slot).text; }
std::string_view tint_colour(int slot) { return hue(slot).tint; }
std::string shade_colour(int slot, double strength) {
  std::string out = "#";
  for (std::size_t at = 1; at < 7; at += 2) {
    const auto digit = [&](std::size_t i) {
      const char c = line_colour(slot)[i];
      return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    };
    const int full = 16 * digit(at) + digit(at + 1);
    const auto value = static_cast<std::size_t>(255 - std::lround(strength * (255 - full)));
    out += "0123456789abcdef"[value / 16], out += "0123456789abcdef"[value % 16];
  }
  return out;
}
int terminal_colour(int slot) { return hue(slot).terminal; }

std::string_view dash_array(Dash dash) {
  constexpr std::string_view arrays[] = {"", "7 4", "1.5 3", "8 3 1.5 3", "14 4"};
  return arrays[static_cast<int>(dash)];
}

int series_colour(std::size_t n) { return static_cast<int>(n % colour_count); }

// Five dashes and six hues share no factor: the pair repeats after 30 series. Like ones are far apart.
Dash series_dash(std::size_t n) {
  constexpr Dash order[] = {Dash::solid, Dash::long_dash, Dash::dash_dot, Dash::dashed, Dash::dotted};
  return order[n % 5];
}

Dash roof_dash(std::size_t n) { return static_cast<Dash>((n / colour_count) % 5); }

Fill series_fill(std::size_t n) { return static_cast<Fill>((n / colour_count) % 5); }

// With seven shapes the three repeat after 210.
Shape series_shape(std::size_t n) { return static_cast<Shape>(n % 7); }

} // namespace perfmodel::plots
