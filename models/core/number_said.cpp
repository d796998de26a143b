#include "number_said.hpp"

#include "chart_choice.hpp"

#include <cmath>

namespace perfmodel::detail {

std::optional<NumberSaid> usual_number(const Model& model, const Result& result) {
  for (const std::string& name : columns_named(model.info.y))
    for (const Table& table : result.tables) {
      const Column* column = table.find(name);
      if (column == nullptr || column->is_text()) continue;
      for (std::size_t row = 0; row < column->size(); ++row)
        if (!std::isnan(column->number(row))) return NumberSaid{table.title, name, row};
    }
  return {};
}

} // namespace perfmodel::detail
