#include "many_gpus_said.hpp"

#include "cli/cell_text.hpp"
#include "one_bar_each.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

namespace perfmodel::cli {

namespace {

// Where a whole number with its unit stands in a sentence; npos where it does not.
std::size_t place_in(std::string_view sentence, std::string_view number) {
  const auto joins = [&](std::size_t at) {
    return at < sentence.size() && (std::isalnum(static_cast<unsigned char>(sentence[at])) != 0);
  };
  for (std::size_t at = sentence.find(number); at != sentence.npos; at = sentence.find(number, at + 1)) {
    const bool begins = at == 0 || (!joins(at - 1) && sentence[at - 1] != '.' && sentence[at - 1] != '-');
    const std::size_t end = at + number.size();
    const bool goes_on = end < sentence.size() && sentence[end] == '.' && joins(end + 1);
    if (begins && !joins(end) && !goes_on) return at;
  }
  return sentence.npos;
}

struct NumberSaid {
  const Table* table = nullptr;
  const Column* column = nullptr;
  std::size_t row = 0;
};

// The cell of this GPU that its sentence names first, in the column `name` or, of "", in any.
std::optional<NumberSaid> first_number_of(const Result& result, const std::string& gpu,
                                          std::string_view sentence, std::string_view name) {
  std::optional<NumberSaid> first;
  std::size_t at = sentence.npos;
  for (const Table& table : result.tables) {
    const Column* device = table.find("gpu");
    if (device == nullptr || table.of_rows > 0) continue;
    const std::vector<bool> integers = integer_rows(table);
    for (std::size_t row = 0; row < table.rows(); ++row)
      for (const Column& column : table.columns) {
        if (device->text(row) != gpu || column.role != Role::predicted || column.is_text() ||
            std::isnan(column.number(row)) || (!name.empty() && column.name != name))
          continue;
        const std::size_t place = place_in(sentence, cell_text(column, row, integers[row]));
        if (place >= at) continue;
        at = place;
        first = NumberSaid{&table, &column, row};
      }
  }
  return first;
}

// The rows of the same keys as this one's, of whichever GPU.
std::vector<std::size_t> rows_beside(const NumberSaid& said) {
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < said.table->rows(); ++row)
    if (!std::isnan(said.column->number(row)) &&
        std::all_of(said.table->columns.begin(), said.table->columns.end(), [&](const Column& key) {
          return key.role != Role::key || key.name == "gpu" || key.text(row) == key.text(said.row);
        }))
      rows.push_back(row);
  return rows;
}

// "ceiling fp32, basis spec": the keys that tell these rows from the table's others.
std::string keys_of(const NumberSaid& said) {
  std::vector<std::string> keys;
  for (const Column& key : said.table->columns) {
    if (key.role != Role::key || key.name == "gpu") continue;
    bool differs = false;
    for (std::size_t row = 0; row < said.table->rows(); ++row)
      differs = differs || key.text(row) != key.text(said.row);
    if (differs) keys.push_back(heading(key.name) + " " + cell_text(key, said.row));
  }
  return keys.empty() ? "" : fmt::format(" ({})", fmt::join(keys, ", "));
}

std::string range_of(const NumberSaid& said, std::size_t gpus) {
  const std::vector<std::size_t> rows = rows_beside(said);
  if (rows.size() < 2) return "";
  const auto [least, most] = std::minmax_element(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    return said.column->number(a) < said.column->number(b);
  });
  const std::vector<bool> integers = integer_rows(*said.table);
  const auto text = [&](std::size_t row) { return cell_text(*said.column, row, integers[row]); };
  const Column& gpu = said.table->at("gpu");
  const std::string of = heading(said.column->name) + keys_of(said);
  const std::string all = rows.size() == gpus ? "all" : fmt::format("the {} that have one", rows.size());
  if (text(*least) == text(*most)) return fmt::format("{} {} of {}", of, text(*least), all);
  return fmt::format("{} from {} ({}) to {} ({})", of, text(*least), gpu.text(*least), text(*most),
                     gpu.text(*most));
}

} // namespace

void say_many_at_once(std::span<const Gpu> gpus, Result& result) {
  if (gpus.size() <= most_beside_each_other || result.verdict.size() < gpus.size()) return;
  const std::string lead = gpus.front().name + ": ";
  const auto own = std::find_if(result.verdict.begin(), result.verdict.end(),
                                [&](const std::string& sentence) { return sentence.starts_with(lead); });
  std::string range;
  if (own != result.verdict.end()) {
    const std::string_view sentence = std::string_view(*own).substr(lead.size());
    const std::string& name = gpus.front().name;
    std::optional<NumberSaid> said = first_number_of(result, name, sentence, result.chart.y);
    if (!said) said = first_number_of(result, name, sentence, "");
    if (said) range = range_of(*said, gpus.size());
  }
  std::erase_if(result.verdict, [&](const std::string& sentence) {
    return std::any_of(gpus.begin(), gpus.end(),
                       [&](const Gpu& gpu) { return sentence.starts_with(gpu.name + ": "); });
  });
  result.verdict.insert(result.verdict.begin(),
                        fmt::format("{} GPUs{}{}; --hw with one of them alone says more.", gpus.size(),
                                    range.empty() ? "" : ": ", range));
}

} // namespace perfmodel::cli
