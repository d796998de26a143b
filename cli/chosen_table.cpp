#include "chosen_table.hpp"

#include "models/core/error.hpp"
#include "models/core/model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <vector>

namespace perfmodel::cli {

namespace {

// As it is compared: in small letters, blanks for what stands for them.
std::string plain(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return c == '-' || c == '_' ? ' ' : static_cast<char>(std::tolower(c));
  });
  return text;
}

// "1 'compute ceilings', 2 'bandwidth ceilings'": an answer may have two tables of one title.
std::string listed(const Result& result) {
  std::vector<std::string> all;
  for (const Table& table : result.tables) all.push_back(fmt::format("{} '{}'", all.size() + 1, table.title));
  return fmt::format("{}", fmt::join(all, ", "));
}

} // namespace

std::size_t chosen_table(const Result& result, const std::string& name) {
  std::size_t number = 0;
  const char* const end = name.data() + name.size();
  if (const auto read = std::from_chars(name.data(), end, number); read.ec == std::errc() && read.ptr == end)
    if (number >= 1 && number <= result.tables.size()) return number - 1;
  const std::string wanted = plain(name);
  std::vector<std::size_t> same, begin;
  std::vector<std::string> titles;
  for (std::size_t i = 0; i < result.tables.size(); ++i) {
    const std::string title = titles.emplace_back(plain(result.tables[i].title));
    if (title == wanted) same.push_back(i);
    if (title.rfind(wanted, 0) == 0) begin.push_back(i);
  }
  const std::vector<std::size_t>& found = same.empty() ? begin : same;
  if (found.size() == 1) return found.front();
  throw InputError(fmt::format("--table: {} '{}'{}; the tables are {}",
                               found.empty() ? "there is no table" : "several tables are called",
                               name.substr(0, 60), found.empty() ? suggestion(wanted, titles) : "",
                               listed(result)));
}

} // namespace perfmodel::cli
