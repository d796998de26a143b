#include "palette.hpp"

#include <array>

namespace perfmodel::plots {

namespace {
constexpr std::array<int, colour_count> terminal_hues{32, 166, 36, 175, 178, 74};
} // namespace

int terminal_colour(int slot) {
  if (slot == ink) return 15;
  if (slot == alarm) return 160;
  if (slot < 0) return 8;
  return terminal_hues[static_cast<std::size_t>(slot % colour_count)];
}

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

Fill series_fill(std::size_t n) { return static_cast<Fill>((n / colour_count) % 5); }

// With seven shapes the three repeat after 210.
Shape series_shape(std::size_t n) { return static_cast<Shape>(n % 7); }

} // namespace perfmodel::plots
