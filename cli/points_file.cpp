#include "points_file.hpp"

#include "hwdb/result_file.hpp"
#include "hwdb/text_file.hpp"
#include "models/bounds/points.hpp"
#include "models/core/error.hpp"

#include <string_view>

namespace perfmodel::cli {

namespace {

constexpr std::size_t most_csv = 100u << 20;

bool is_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos &&
         (text[first] == '{' || text[first] == '['); // no column's name begins so
}

} // namespace

std::string points_csv(const std::string& file) {
  std::string text = hwdb::read_text(file, hwdb::most_result_bytes);
  if (!is_json(text) && text.size() > most_csv) throw InputError(file + " is larger than 100 MiB");
  if (!is_json(text)) return text;
  const Record record = hwdb::record_from_json(text, file);
  if (!record.measurements.empty())
    throw InputError(file + " is a run of our probes: --measured draws those, --points takes predictions");
  try {
    return RooflinePoints::from_result(record.result).to_csv();
  } catch (const InputError& e) { // "points: ..."
    throw InputError(file + std::string(e.what()).substr(std::string_view("points").size()));
  }
}

} // namespace perfmodel::cli
