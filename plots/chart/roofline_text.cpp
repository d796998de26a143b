#include "roofline_text.hpp"

#include "models/core/quantity_text.hpp"

namespace perfmodel::plots {

std::string rate_text(double v) { return format_quantity(v, unit_of<FlopsPerSecond>()); }
std::string bandwidth_text(double v) { return format_quantity(v, unit_of<BytesPerSecond>()); }
std::string intensity_text(double v) { return format_quantity(v, unit_of<FlopsPerByte>()); }

namespace {
Unit told(const std::string& ceiling, Unit unit) {
  return counts_integers(ceiling) ? as_operations(std::move(unit)) : unit;
}
} // namespace
std::string rate_text(const std::string& ceiling, double v) {
  return format_quantity(v, told(ceiling, unit_of<FlopsPerSecond>()));
}
std::string intensity_text(const std::string& ceiling, double v) {
  return format_quantity(v, told(ceiling, unit_of<FlopsPerByte>()));
}

std::string level_text(const std::string& level) {
  if (level == "dram") return "DRAM";
  if (level == "l2") return "L2";
  if (level == "l1") return "L1";
  return level == "shared" ? "shared memory" : level;
}

std::string joined_names(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::size_t space = names[i].find(' ');
    const std::string tail = space == std::string::npos ? "" : names[i].substr(space);
    const bool shared = i + 1 < names.size() && !tail.empty() && names[i + 1].size() > tail.size() &&
                        names[i + 1].compare(names[i + 1].size() - tail.size(), tail.size(), tail) == 0 &&
                        names[i + 1].find(' ') == names[i + 1].size() - tail.size();
    out += (i ? ", " : "") + (shared ? names[i].substr(0, space) : names[i]);
  }
  return out;
}

std::string range_text(double low, double high) {
  const Unit unit = unit_of<BytesPerSecond>();
  std::string from = format_quantity(low, unit, Prefix::si, 3),
              to = format_quantity(high, unit, Prefix::si, 3);
  const std::size_t space = from.find(' ');
  if (space != std::string::npos && to.size() > from.size() - space &&
      to.compare(to.size() - (from.size() - space), std::string::npos, from, space) == 0)
    from.resize(space);
  return from + " to " + to;
}

} // namespace perfmodel::plots
