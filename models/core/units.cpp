#include "units.hpp"

namespace perfmodel {

namespace {
constexpr const char* base_names[] = {"B", "flop", "cycle", "s", "J"};

struct NamedUnit {
  Dimension dimension;
  const char* symbol;
};
// Dimensions that people call by another name than their exponents.
constexpr NamedUnit named[] = {{dimension_of<Hertz>, "Hz"}, {dimension_of<Watts>, "W"}};
} // namespace

std::string base_symbol(const Dimension& dimension) {
  for (const NamedUnit& n : named)
    if (n.dimension == dimension) return n.symbol;
  std::string above, below;
  for (std::size_t i = 0; i < dimension.exponents.size(); ++i) {
    const int e = dimension.exponents[i];
    std::string& side = e > 0 ? above : below;
    for (int k = 0; k < (e > 0 ? e : -e); ++k) side += (side.empty() ? "" : "*") + std::string(base_names[i]);
  }
  // "flop/B" reads better than "1/B*flop": positive exponents first, whatever their place in the list.
  if (below.empty()) return above;
  return (above.empty() ? "1" : above) + "/" + below;
}

} // namespace perfmodel
