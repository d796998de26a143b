#include "unit_text.hpp"

#include "error.hpp"
#include "quantity_text.hpp"

#include <array>

namespace perfmodel {

namespace {

struct UnitName {
  std::string_view name;
  Dimension dimension;
  double factor;
  bool prefixes;
};

// Every spelling that is read. The longest name that fits wins; case matters only where it tells units apart.
constexpr std::array unit_names = std::to_array<UnitName>({
    {"B", dimension_of<Bytes>, 1, true},
    {"byte", dimension_of<Bytes>, 1, true},
    {"bytes", dimension_of<Bytes>, 1, true},
    {"bit", dimension_of<Bytes>, 1.0 / 8, true},
    {"bits", dimension_of<Bytes>, 1.0 / 8, true},
    {"flop", dimension_of<Flops>, 1, true},
    {"flops", dimension_of<Flops>, 1, true},
    {"FLOP", dimension_of<Flops>, 1, true},
    {"Flop", dimension_of<Flops>, 1, true},
    {"op", dimension_of<Flops>, 1, true},
    {"ops", dimension_of<Flops>, 1, true},
    {"OP", dimension_of<Flops>, 1, true},
    {"FLOPS", dimension_of<FlopsPerSecond>, 1, true},
    {"FLOPs", dimension_of<Flops>, 1, true},
    {"OPS", dimension_of<FlopsPerSecond>, 1, true},
    {"cycle", dimension_of<Cycles>, 1, true},
    {"cycles", dimension_of<Cycles>, 1, true},
    {"cy", dimension_of<Cycles>, 1, true},
    {"clk", dimension_of<Cycles>, 1, true},
    {"Hz", dimension_of<Hertz>, 1, true},
    {"s", dimension_of<Seconds>, 1, true},
    {"sec", dimension_of<Seconds>, 1, true},
    {"J", dimension_of<Joules>, 1, true},
    {"W", dimension_of<Watts>, 1, true},
    {"word", dimension_of<Bytes>, 4, true}, // a 32-bit word, as lectures count
    {"words", dimension_of<Bytes>, 4, true},
    {"thread", {}, 1, false},
    {"threads", {}, 1, false},
    {"warp", {}, 1, false},
    {"warps", {}, 1, false},
    {"block", {}, 1, false},
    {"blocks", {}, 1, false},
});

struct PrefixName {
  std::string_view name;
  double factor;
  bool binary;
};
constexpr std::array prefix_names = std::to_array<PrefixName>({
    {"", 1, false},
    {"k", 1e3, false},
    {"K", 1e3, false},
    {"M", 1e6, false},
    {"G", 1e9, false},
    {"T", 1e12, false},
    {"P", 1e15, false},
    {"E", 1e18, false},
    {"m", 1e-3, false},
    {"u", 1e-6, false},
    {"µ", 1e-6, false},
    {"μ", 1e-6, false},
    {"n", 1e-9, false},
    {"p", 1e-12, false},
    {"Ki", 1024.0, true},
    {"Mi", 1048576.0, true},
    {"Gi", 1073741824.0, true},
    {"Ti", 1099511627776.0, true},
    {"Pi", 1125899906842624.0, true},
});

// "Gb": bits to those who write of networks, and bytes to others.
bool is_of_bits(std::string_view name) {
  return name.ends_with('b') && unit_factor(std::string(name.substr(0, name.size() - 1)) + "bit").factor != 0;
}

} // namespace

UnitFactor unit_factor(std::string_view text) {
  if (text == "1") return {{}, 1};
  for (const UnitName& unit : unit_names) {
    if (text.size() < unit.name.size() || text.substr(text.size() - unit.name.size()) != unit.name) continue;
    const std::string_view prefix = text.substr(0, text.size() - unit.name.size());
    for (const PrefixName& p : prefix_names) {
      if (p.name != prefix || (!unit.prefixes && !prefix.empty())) continue;
      // "ms" is a millisecond and "Gs" is nobody's; "mB" would be a millibyte: a slip for MB.
      const bool whole = unit.dimension == dimension_of<Bytes> || unit.dimension == dimension_of<Flops>;
      if (whole && p.factor < 1) continue;
      if (p.binary && unit.dimension != dimension_of<Bytes>) continue;
      return {unit.dimension, unit.factor * p.factor};
    }
  }
  for (const PrefixName& p : prefix_names) // "16Mi", "2k": a bare count
    if (!text.empty() && p.name == text && p.factor > 1) return {{}, p.factor};
  return {};
}

UnitFactor parse_unit(std::string_view text, std::string_view whole) {
  UnitFactor product{{}, 1};
  bool divide = !text.empty() && text.front() == '/'; // "32/cycle"
  if (divide) text.remove_prefix(1);
  while (true) {
    const std::size_t at = text.find_first_of("/*");
    const std::string_view name = trimmed(text.substr(0, at));
    const UnitFactor f = unit_factor(name);
    if (f.factor == 0)
      throw InputError(quoted(whole) + " has an unknown unit " + quoted(name) +
                       (is_of_bits(name) ? ": bits are written bit, as in Gbit/s" : ""));
    for (std::size_t i = 0; i < product.dimension.exponents.size(); ++i) {
      const int sum = product.dimension.exponents[i] + (divide ? -1 : 1) * f.dimension.exponents[i];
      if (sum < -8 || sum > 8) throw InputError(quoted(whole) + " has an unknown unit");
      product.dimension.exponents[i] = static_cast<signed char>(sum);
    }
    product.factor *= divide ? 1 / f.factor : f.factor;
    if (at == std::string_view::npos) return product;
    divide = text[at] == '/';
    text.remove_prefix(at + 1);
  }
}

} // namespace perfmodel
