#include "theme.hpp"

#include "models/core/error.hpp"
#include "models/core/model.hpp" // suggestion

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

namespace perfmodel::plots {

namespace {

// Yellow is left out, it vanishes on a projector. As text darker colours of the same hue.
constexpr Theme light{.name = "light",
                      .ground = "#ffffff",
                      .grid = "#dddddd",
                      .axis = "#444444",
                      .leader = "#888888",
                      .ink = {"#222222", "#222222", "#f2f2f2"},
                      .grey = {"#767676", "#555555", "#f2f2f2"},
                      .alarm = {"#B30000", "#B30000", "#fdeaea"},
                      .hues = {{{"#0072B2", "#0072B2", "#e8f3fa"},
                                {"#D55E00", "#A84300", "#fdf0e6"},
                                {"#009E73", "#00704F", "#e6f5f0"},
                                {"#CC79A7", "#9C4A77", "#f9eff5"},
                                {"#E69F00", "#8A5A00", "#fdf5e3"},
                                {"#56B4E9", "#222222", "#eaf6fd"}}}};

// The light blue takes the place of the dark one, and yellow comes in: here it is the dark ones that vanish.
constexpr Theme dark{.name = "dark",
                     .ground = "#15181c",
                     .grid = "#33383f",
                     .axis = "#a8adb4",
                     .leader = "#8a9098",
                     .ink = {"#f0f0f0", "#f0f0f0", "#272b31"},
                     .grey = {"#a0a6ad", "#b8bdc4", "#22262b"},
                     .alarm = {"#ff6b6b", "#ff8080", "#3d2023"},
                     .hues = {{{"#56B4E9", "#7cc4ee", "#172733"},
                               {"#E8772E", "#f29457", "#2b2018"},
                               {"#00B886", "#2fcf9f", "#152a25"},
                               {"#D98DB8", "#e3a5c7", "#2a1f28"},
                               {"#E69F00", "#efb53a", "#2a2416"},
                               {"#F0E442", "#F0E442", "#29281a"}}}};

// Neighbours take turns in black and grey: five dashes and two of these tell ten series apart.
constexpr Theme print{.name = "print",
                      .ground = "#ffffff",
                      .grid = "#d0d0d0",
                      .axis = "#000000",
                      .leader = "#707070",
                      .ink = {"#000000", "#000000", "#e6e6e6"},
                      .grey = {"#6a6a6a", "#444444", "#f0f0f0"},
                      .alarm = {"#000000", "#000000", "#e6e6e6"},
                      .hues = {{{"#000000", "#000000", "#e6e6e6"},
                                {"#6a6a6a", "#444444", "#ffffff"},
                                {"#000000", "#000000", "#e6e6e6"},
                                {"#6a6a6a", "#444444", "#ffffff"},
                                {"#000000", "#000000", "#e6e6e6"},
                                {"#6a6a6a", "#444444", "#ffffff"}}},
                      .monochrome = true};

constexpr std::array themes{&light, &dark, &print};

int byte_at(std::string_view colour, std::size_t at) {
  const auto digit = [&](std::size_t i) {
    const char c = colour[i];
    return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
  };
  return 16 * digit(at) + digit(at + 1);
}

} // namespace

const Hue& Theme::hue(int slot) const {
  if (slot == plots::ink) return ink;
  if (slot == plots::alarm) return alarm;
  if (slot < 0) return grey;
  return hues[static_cast<std::size_t>(slot % colour_count)];
}

std::string Theme::shade(int slot, double strength) const {
  std::string out = "#";
  for (std::size_t at = 1; at < 7; at += 2) {
    const int none = byte_at(ground, at), full = byte_at(line(slot), at);
    const auto value = static_cast<std::size_t>(none - std::lround(strength * (none - full)));
    out += "0123456789abcdef"[value / 16], out += "0123456789abcdef"[value % 16];
  }
  return out;
}

const Theme& light_theme() { return light; }

const Theme& theme_named(std::string_view name) {
  for (const Theme* theme : themes)
    if (theme->name == name) return *theme;
  const std::vector<std::string> known(theme_names.begin(), theme_names.end());
  throw InputError(fmt::format("unknown theme '{}'{}; one of {} is expected", name.substr(0, 40),
                               suggestion(std::string(name), known), fmt::join(known, ", ")));
}

} // namespace perfmodel::plots
