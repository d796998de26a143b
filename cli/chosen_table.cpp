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
std::string plain(std::string_view written) {
  std::string text(written);
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) {
    return c == '-' || c == '_' ? ' ' : static_cast<char>(std::tolower(c));
  });
  return text;
}

constexpr std::size_t most_listed = 12;

// "1 'compute ceilings', 2 'bandwidth ceilings'": an answer may have two tables of one title. Of many those
// alone whose title has `name` in it, or else the first, and how many more there are.
std::string listed(const Result& result, const std::string& name) {
  std::vector<std::string> all, near;
  for (const Table& table : result.tables) {
    all.push_back(fmt::format("{} '{}'", all.size() + 1, table.title));
    if (plain(table.title).find(plain(name)) != std::string::npos) near.push_back(all.back());
  }
  if (all.size() <= most_listed) return fmt::format("{}", fmt::join(all, ", "));
  std::vector<std::string>& said = near.empty() ? all : near;
  const std::size_t total = all.size();
  said.resize(std::min(said.size(), most_listed));
  return fmt::format("{} and {} more, by their titles or by numbers up to {}", fmt::join(said, ", "),
                     total - said.size(), total);
}

// Its place, from 0 on, where `name` is a number of one among so many.
std::optional<std::size_t> numbered(const std::string& name, std::size_t tables) {
  std::size_t number = 0;
  const char* const end = name.data() + name.size();
  const auto read = std::from_chars(name.data(), end, number);
  if (read.ec != std::errc() || read.ptr != end || number < 1 || number > tables) return std::nullopt;
  return number - 1;
}

// Those that `name` means.
std::vector<std::size_t> called(const Result& result, const std::string& name) {
  if (const std::optional<std::size_t> place = numbered(name, result.tables.size())) return {*place};
  std::vector<std::size_t> same, begin;
  for (std::size_t i = 0; i < result.tables.size(); ++i) {
    if (plain(result.tables[i].title) == plain(name)) same.push_back(i);
    if (begins_with(result.tables[i].title, name)) begin.push_back(i);
  }
  return same.empty() ? begin : same;
}

} // namespace

bool begins_with(std::string_view title, std::string_view name) {
  return plain(title).starts_with(plain(name));
}

void require_title(const std::vector<std::string>& titles, const std::string& name) {
  const auto is_called = [&](const std::string& title) { return begins_with(title, name); };
  if (numbered(name, titles.size()) || std::any_of(titles.begin(), titles.end(), is_called)) return;
  std::vector<std::string> near, plain_titles;
  for (const std::string& title : titles) {
    plain_titles.push_back(plain(title));
    if (plain_titles.back().find(plain(name)) != std::string::npos) near.push_back(title);
  }
  const std::vector<std::string>& said = near.empty() ? titles : near;
  const std::size_t shown = std::min(said.size(), most_listed), total = titles.size();
  throw InputError(
      fmt::format("--table: there is no table '{}'{}; the tables are '{}'{}", name.substr(0, 60),
                  suggestion(plain(name), plain_titles),
                  fmt::join(said.begin(), said.begin() + static_cast<std::ptrdiff_t>(shown), "', '"),
                  shown < total ? fmt::format(" and {} more", total - shown) : ""));
}

std::optional<std::size_t> only_table(const Result& result, const std::string& name) {
  const std::vector<std::size_t> found = called(result, name);
  return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

std::size_t chosen_table(const Result& result, const std::string& name) {
  const std::vector<std::size_t> found = called(result, name);
  if (found.size() == 1) return found.front();
  std::vector<std::string> titles;
  for (const Table& table : result.tables) titles.push_back(plain(table.title));
  throw InputError(fmt::format("--table: {} '{}'{}; the tables are {}",
                               found.empty() ? "there is no table" : "several tables are called",
                               name.substr(0, 60), found.empty() ? suggestion(plain(name), titles) : "",
                               listed(result, name)));
}

} // namespace perfmodel::cli
