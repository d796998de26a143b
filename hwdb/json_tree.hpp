// A JSON text as a tree whose long lists are kept apart. A node of the tree takes as much memory as two
// cells, and a sweep of ten million points has hundreds of millions of cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

namespace perfmodel::hwdb {

using Json = nlohmann::ordered_json;

// As a column has them: whole numbers, else numbers (null is one that is absent, NaN), else texts.
using CellList = std::variant<std::vector<double>, std::vector<std::int64_t>, std::vector<std::string>>;

// NOLINTNEXTLINE(bugprone-exception-escape): what moves a Json is declared to throw, and does not
struct JsonTree {
  Json root;
  std::vector<CellList> lists;

  // The list that stands in the place of `node`; nullptr where no list stands.
  CellList* list(const Json& node);
};

// Every list that is the value of a key "values" is kept apart. Throws InputError: nested too deeply, such a
// list of two kinds of value, or of others than numbers and texts; nlohmann's exceptions for what is no JSON.
JsonTree parse_json(std::string_view text);

// What nlohmann's exception says, as a sentence: that a text is empty, is something else than JSON, or is
// torn or wrong and where; of a member that is missing, or of another kind, which.
std::string in_a_sentence(std::string_view text, const nlohmann::json::exception& error);

// The text with every list of numbers or texts emptied that is the value of one of these keys, so that it is
// read in a fraction of the time. Brackets in texts are no brackets; a list that does not end is left as it
// is.
std::string with_empty_lists(std::string_view text, std::initializer_list<std::string_view> keys);

} // namespace perfmodel::hwdb
