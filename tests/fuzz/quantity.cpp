// Quantity text: one value, and the lists and ranges of an option.
#include "target.hpp"

#include "models/core/quantity_text.hpp"

#include <cmath>

using namespace perfmodel;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of(data, size);
  fuzz::read_or_refuse([&] {
    const ParsedQuantity q = parse_quantity(text);
    fuzz::promise(std::isfinite(q.value), "a value is finite");
    const Unit unit{q.dimension ? base_symbol(*q.dimension) : "", q.dimension.value_or(Dimension{})};
    fuzz::promise(parse_quantity_as(text, unit) == q.value, "the value in its own unit is the value");
    const std::string exact = format_exact(q.value) + (unit.symbol.empty() ? "" : " " + unit.symbol);
    fuzz::promise(parse_quantity_as(exact, unit) == q.value, "exact text reads back as the same double");
    for (const Prefix prefix : {Prefix::si, Prefix::binary, Prefix::none})
      fuzz::promise(!format_quantity(q.value, unit, prefix).empty(), "every value has a text");
  });
  for (const Unit& unit : {Unit{}, unit_of<Bytes>(), unit_of<BytesPerSecond>(), unit_of<FlopsPerByte>()})
    fuzz::read_or_refuse([&] {
      const std::vector<double> values = parse_quantities(text, unit);
      fuzz::promise(!values.empty() && values.size() <= sweep_limit, "a list has values, and not too many");
      for (const double v : values) fuzz::promise(std::isfinite(v), "every value of a list is finite");
    });
  return 0;
}
