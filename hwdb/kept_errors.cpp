#include "kept_errors.hpp"

#include "kept_predictions.hpp"
#include "result_file.hpp"
#include "text_file.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

namespace perfmodel::hwdb {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view errors_end = "-errors.json", bands_end = "-bands.json";
constexpr double decimals = 1e6;

fs::path folder_of(const fs::path& database) { return database / "ledgers"; }

std::vector<fs::path> error_files(const fs::path& database) {
  std::vector<fs::path> files;
  std::error_code none; // no such folder: none are kept
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_of(database), none))
    if (entry.path().filename().string().ends_with(errors_end)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

Record read(const fs::path& file) {
  return record_from_json(read_text(file, most_result_bytes), file.string());
}

void write(const fs::path& database, const std::string& name, const std::string& date, Result result) {
  std::error_code why;
  fs::create_directories(folder_of(database), why);
  if (why) throw MachineError(fmt::format("{}: {}", folder_of(database).string(), why.message()));
  write_whole(folder_of(database) / name,
              to_json({.date = date, .stamp = predictions_stamp(database), .result = std::move(result)}));
}

Result tables_of(const GpuErrors& errors) {
  const auto column = [](const char* name, Role role, auto cells) {
    return Column{.name = name, .role = role, .cells = std::move(cells)};
  };
  Table lines{.title = "lines",
              .columns = {column("model", Role::key, std::vector<std::string>{}),
                          column("quantity", Role::key, std::vector<std::string>{}),
                          column("rows", Role::note, std::vector<std::int64_t>{})}};
  Table all{.title = "errors", .columns = {column("error", Role::note, std::vector<double>{})}};
  for (const auto& [of, some] : errors.errors) {
    append(lines.columns[0], of.first);
    append(lines.columns[1], of.second);
    append(lines.columns[2], some.size());
    for (const double error : some) append(all.columns[0], std::round(decimals * error) / decimals);
  }
  return {.kind = Kind::comparison,
          .model = "validate",
          .title = "errors of times and rates on " + errors.gpu,
          .tables = {std::move(lines), std::move(all)}};
}

TimedErrors errors_from(const Result& result) {
  if (result.tables.size() != 2 || result.tables[0].title != "lines" || result.tables[1].title != "errors")
    throw InputError("these are not the tables 'lines' and 'errors'");
  const Table& lines = result.tables[0];
  const Column &rows = lines.at("rows"), &all = result.tables[1].at("error");
  TimedErrors errors;
  std::size_t next = 0;
  for (std::size_t line = 0; line < lines.rows(); ++line) {
    std::vector<double>& some = errors[{lines.at("model").text(line), lines.at("quantity").text(line)}];
    for (double left = rows.number(line); left >= 1; --left) {
      if (next == all.size()) throw InputError("there are fewer errors than rows");
      some.push_back(all.number(next++));
    }
  }
  if (next != all.size()) throw InputError("there are more errors than rows");
  return errors;
}

} // namespace

KeptErrors kept_errors(const fs::path& database) {
  KeptErrors kept;
  const std::vector<fs::path> files = error_files(database);
  if (files.empty()) return kept;
  const std::string today = predictions_stamp(database);
  for (const fs::path& file : files) {
    const Record record = read(file);
    std::string name = file.filename().string();
    name.resize(name.size() - errors_end.size());
    try {
      kept.gpus.push_back({.gpu = std::move(name), .errors = errors_from(record.result)});
    } catch (const InputError& e) {
      throw InputError(fmt::format("{}: {}", file.string(), e.what()));
    }
    if (record.stamp != today && std::find(kept.old.begin(), kept.old.end(), record.date) == kept.old.end())
      kept.old.push_back(record.date);
  }
  return kept;
}

void keep_errors(const fs::path& database, const GpuErrors& errors, const std::string& date) {
  write(database, errors.gpu + std::string(errors_end), date, tables_of(errors));
}

std::optional<KeptBands> kept_bands(const fs::path& database, const std::string& name) {
  const fs::path file = folder_of(database) / (name + std::string(bands_end));
  if (!fs::is_regular_file(file)) return std::nullopt;
  Record record = read(file);
  if (record.result.tables.size() != 1)
    throw InputError(fmt::format("{}: this is not one table of bands", file.string()));
  return KeptBands{.date = std::move(record.date),
                   .bands = std::move(record.result.tables.front()),
                   .is_old = record.stamp != predictions_stamp(database)};
}

void keep_bands(const fs::path& database, const std::string& name, const KeptBands& bands) {
  write(database, name + std::string(bands_end), bands.date,
        {.kind = Kind::comparison,
         .model = "validate",
         .title = "rows inside of bands",
         .tables = {bands.bands}});
}

} // namespace perfmodel::hwdb
