#include "many_gpus_said.hpp"

#include "cli/cell_text.hpp"
#include "one_bar_each.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace perfmodel::cli {

namespace {

// A cell of the answer.
struct Cell {
  const Table& table;
  const Column& column;
  std::size_t row = 0;
};

// None where its table is not held, or is of no GPU.
std::optional<Cell> cell_of(const Result& result, const NumberSaid& said) {
  for (const Table& table : result.tables) {
    if (table.title != said.table || table.of_rows > 0 || table.find("gpu") == nullptr) continue;
    const Column* column = table.find(said.column);
    if (column != nullptr && said.row < column->size()) return Cell{table, *column, said.row};
  }
  return {};
}

// Keys may be the GPU's own, such as how many blocks an SM holds.
bool is_one_row_each(const Table& table) {
  std::set<std::string> gpus;
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (!gpus.insert(table.at("gpu").text(row)).second) return false;
  return true;
}

// The rows of the same keys as this one's, of whichever GPU.
std::vector<std::size_t> rows_beside(const Cell& said) {
  const bool one_each = is_one_row_each(said.table);
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < said.table.rows(); ++row)
    if (!std::isnan(said.column.number(row)) &&
        std::all_of(said.table.columns.begin(), said.table.columns.end(), [&](const Column& key) {
          return one_each || key.role != Role::key || key.name == "gpu" ||
                 key.text(row) == key.text(said.row);
        }))
      rows.push_back(row);
  return rows;
}

// "ceiling fp32, basis spec": the keys that tell these rows from the table's others.
std::string keys_of(const Cell& said) {
  if (is_one_row_each(said.table)) return "";
  std::vector<std::string> keys;
  for (const Column& key : said.table.columns) {
    if (key.role != Role::key || key.name == "gpu") continue;
    bool differs = false;
    for (std::size_t row = 0; row < said.table.rows(); ++row)
      differs = differs || key.text(row) != key.text(said.row);
    if (differs) keys.push_back(heading(key.name) + " " + cell_text(key, said.row));
  }
  return keys.empty() ? "" : fmt::format(" ({})", fmt::join(keys, ", "));
}

std::string range_of(const Cell& said, std::size_t gpus) {
  const std::vector<std::size_t> rows = rows_beside(said);
  if (rows.size() < 2) return "";
  const auto [least, most] = std::minmax_element(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    return said.column.number(a) < said.column.number(b);
  });
  const std::vector<bool> integers = integer_rows(said.table);
  const auto text = [&](std::size_t row) { return cell_text(said.column, row, integers[row]); };
  const Column& gpu = said.table.at("gpu");
  const std::string of = heading(said.column.name) + keys_of(said);
  const std::string all = rows.size() == gpus ? "all" : fmt::format("the {} that have one", rows.size());
  if (text(*least) == text(*most)) return fmt::format("{} {} of {}", of, text(*least), all);
  return fmt::format("{} from {} ({}) to {} ({})", of, text(*least), gpu.text(*least), text(*most),
                     gpu.text(*most));
}

} // namespace

void say_many_at_once(std::span<const Gpu> gpus, Result& result) {
  if (gpus.size() <= most_beside_each_other || result.verdict.size() < gpus.size()) return;
  std::string range;
  if (result.said)
    if (const std::optional<Cell> cell = cell_of(result, *result.said)) range = range_of(*cell, gpus.size());
  std::erase_if(result.verdict, [&](const std::string& sentence) {
    return std::any_of(gpus.begin(), gpus.end(),
                       [&](const Gpu& gpu) { return sentence.starts_with(gpu.name + ": "); });
  });
  result.verdict.insert(result.verdict.begin(),
                        fmt::format("{} GPUs{}{}; --hw with one of them alone says more.", gpus.size(),
                                    range.empty() ? "" : ": ", range));
}

} // namespace perfmodel::cli
