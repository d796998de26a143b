// perfmodel-result/1: the one JSON format for predictions, measurements and comparisons, written and read
// here.
#pragma once

#include "models/validation/measurement.hpp"

#include <string>
#include <string_view>

namespace perfmodel::hwdb {

inline constexpr std::string_view result_schema = "perfmodel-result/1";
// What the longest sweeps of the widest models take, and what a text in memory may take.
inline constexpr std::size_t most_result_bytes = std::size_t{4} << 30;

// Numbers in base units, absent numbers as null, samples rounded to 7 significant digits, ends with a line
// break.
std::string to_json(const Record& record);
// The cells of a column as to_json writes them, each after `lead` and with a comma between, for tables that
// come in blocks. One cell may stand for all of the `rows`.
std::string json_cells(const Column& column, std::size_t rows, std::string_view lead);

// Throws InputError: not JSON, another schema, columns of unequal length, a wrong type; `file` appears in the
// message.
Record record_from_json(const std::string& text, const std::string& file);

} // namespace perfmodel::hwdb
