#include "compared_listings.hpp"

#include "models/core/error.hpp"
#include "models/core/in_words.hpp"
#include "models/views/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>

namespace perfmodel::cli {

namespace {

const Table& launches_of(const Result& result) {
  for (const Table& table : result.tables)
    if (table.title == KernelModel::Summary::title) return table;
  throw InputError("kernel: no launch was answered");
}

// What of a launch stands beside the others, as far as the answer has it.
constexpr auto columns_shown = std::to_array<std::string_view>(
    {"gpu", "listing", "time", "gain", "bound", "dram_read", "dram_written", "grade"});

void append_cell(Column& to, const Column& from, std::size_t row) {
  if (from.is_text())
    append(to, from.text(row));
  else
    append(to, from.number(row));
}

struct Row {
  std::string gpu, listing, arguments;
  double time = 0, gain = absent;
};

// "in=4KiB,n=1024" and "x=4KiB,n=1024" are alike: names are the listing's own.
std::string without_names(const std::string& arguments) {
  std::string values;
  for (std::size_t begin = 0; begin < arguments.size();) {
    const std::size_t end = std::min(arguments.find(',', begin), arguments.size());
    const std::string one = arguments.substr(begin, end - begin);
    values += one.substr(std::min(one.find('='), one.size())) + ',';
    begin = end + 1;
  }
  return values;
}

// Kernels that are given the same arrays and numbers are taken to do the same work.
bool do_the_same(const std::vector<Row>& rows) {
  return std::all_of(rows.begin(), rows.end(), [&](const Row& row) {
    return without_names(row.arguments) == without_names(rows.front().arguments);
  });
}

std::string times_in_words(const std::vector<Row>& rows, const std::string& gpu, bool names_gpu) {
  std::string text = names_gpu && !gpu.empty() ? gpu + ": " : "";
  std::string_view between;
  for (const Row& row : rows) {
    if (row.gpu != gpu) continue;
    text += fmt::format("{}{} takes {}", between, row.listing, in_words(Seconds(row.time)));
    between = ", ";
  }
  return text + "; their arguments differ, so they do different work.";
}

std::string fastest_in_words(const std::vector<Row>& rows, const std::string& gpu, bool names_gpu) {
  if (!do_the_same(rows)) return times_in_words(rows, gpu, names_gpu);
  const Row *first = nullptr, *best = nullptr;
  for (const Row& row : rows) {
    if (row.gpu != gpu) continue;
    if (first == nullptr) first = &row;
    if (best == nullptr || row.time < best->time) best = &row;
  }
  std::string text = names_gpu && !gpu.empty() ? gpu + ": " : "";
  if (first == nullptr || best == nullptr) return text; // there is no GPU without a row
  if (best == first)
    return text + fmt::format("Fastest is {}, with {}.", best->listing, in_words(Seconds(best->time)));
  return text + fmt::format("Fastest is {}, with {}: {} times as fast as {}.", best->listing,
                            in_words(Seconds(best->time)), in_words(best->gain), first->listing);
}

} // namespace

std::vector<std::string> several_listings(const std::string& listing) {
  std::error_code none;
  if (listing.find(',') == std::string::npos || std::filesystem::exists(listing, none)) return {};
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= listing.size();) {
    const std::size_t end = std::min(listing.find(',', begin), listing.size());
    const std::string name = listing.substr(begin, end - begin);
    if (name.empty()) throw InputError("listing: a name is missing between commas");
    if (std::find(names.begin(), names.end(), name) != names.end())
      throw InputError(fmt::format("listing: {} is named twice", name.substr(0, 60)));
    names.push_back(name);
    begin = end + 1;
  }
  return names;
}

Result compared_listings(std::vector<std::pair<std::string, Result>> answers) {
  Table table{.title = "listings side by side"};
  for (const std::string_view name : columns_shown) {
    Column column{.name = std::string(name)};
    if (name == "listing" || name == "gpu") column.role = Role::key;
    if (const Column* of = launches_of(answers.front().second).find(name); of != nullptr)
      column.unit = of->unit, column.role = of->role;
    if (name == "gain") column.role = Role::predicted;
    table.columns.push_back(std::move(column));
  }
  std::vector<Row> rows;
  std::vector<std::string> gpus;
  std::map<std::string, double> first; // time, by GPU
  for (const auto& [listing, result] : answers) {
    const Table& launches = launches_of(result);
    for (std::size_t i = 0; i < launches.rows(); ++i) {
      Row row{.gpu = launches.find("gpu") != nullptr ? launches.at("gpu").text(i) : "",
              .listing = listing,
              .arguments = launches.find("arg") != nullptr ? launches.at("arg").text(i) : "",
              .time = launches.at("time").number(i)};
      if (std::find(gpus.begin(), gpus.end(), row.gpu) == gpus.end()) gpus.push_back(row.gpu);
      const auto [base, is_first] = first.emplace(row.gpu, row.time);
      if (!is_first) row.gain = base->second / row.time;
      for (Column& column : table.columns)
        if (column.name == "listing")
          append(column, row.listing);
        else if (column.name == "gain")
          append(column, row.gain);
        else if (const Column* from = launches.find(column.name); from != nullptr)
          append_cell(column, *from, i);
      rows.push_back(std::move(row));
    }
  }
  std::erase_if(table.columns, [](const Column& column) { return column.size() == 0; });
  table.notes.push_back(
      fmt::format("gain is over {}; 'perfmodel kernel LISTING' has all of one.", answers.front().first));
  Result compared = std::move(answers.front().second);
  compared.tables = {std::move(table)};
  std::vector<std::string> verdict;
  for (const std::string& gpu : gpus) verdict.push_back(fastest_in_words(rows, gpu, gpus.size() > 1));
  verdict.insert(verdict.end(), compared.verdict.begin(), compared.verdict.end());
  for (auto other = std::next(answers.begin()); other != answers.end(); ++other) {
    Result& result = other->second;
    verdict.insert(verdict.end(), result.verdict.begin(), result.verdict.end());
    compared.grade = std::max(compared.grade, result.grade);
    std::move(result.derivations.begin(), result.derivations.end(), std::back_inserter(compared.derivations));
    for (Step& step : result.constants)
      if (std::ranges::none_of(compared.constants,
                               [&](const Step& known) { return same_constant(known, step); }))
        compared.constants.push_back(std::move(step));
    for (std::string& note : result.notes)
      if (std::find(compared.notes.begin(), compared.notes.end(), note) == compared.notes.end())
        compared.notes.push_back(std::move(note));
  }
  compared.verdict = std::move(verdict);
  compared.chart.x = "listing";
  return compared;
}

} // namespace perfmodel::cli
