#include "kept_predictions.hpp"

#include "prediction_tables.hpp"
#include "result_file.hpp"
#include "text_file.hpp"

#include "models/core/error.hpp"
#include "models/core/stamp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

namespace perfmodel::hwdb {

namespace {

namespace fs = std::filesystem;

// What predictions and what they are held against are read from.
constexpr std::string_view read_from[] = {"architectures", "evidence.yaml", "gpus",
                                          "measured",      "nodes",         "published",
                                          "slips",         "sources.yaml",  "templates"};

std::vector<fs::path> files_of(const fs::path& database) {
  std::vector<fs::path> files;
  for (const std::string_view name : read_from) {
    const fs::path path = database / name;
    if (fs::is_regular_file(path)) files.push_back(path);
    if (!fs::is_directory(path)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path))
      if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

fs::path file_of(const fs::path& database, const std::string& name) {
  return database / "ledgers" / (name + ".json");
}

} // namespace

std::string predictions_stamp(const fs::path& database) {
  Stamp stamp;
  try {
    for (const fs::path& file : files_of(database)) {
      stamp.add(fs::relative(file, database).generic_string());
      stamp.add(read_text(file, most_result_bytes));
    }
  } catch (const fs::filesystem_error& e) {
    throw MachineError(fmt::format("{}: {}", e.path1().string(), e.code().message()));
  }
  return fmt::format("{}-{:016x}", sources_stamp(), stamp.value());
}

std::optional<KeptPredictions> kept_predictions(const fs::path& database, const std::string& name) {
  const fs::path file = file_of(database, name);
  if (!fs::is_regular_file(file)) return std::nullopt;
  Record record = record_from_json(read_text(file, most_result_bytes), file.string());
  if (record.stamp != predictions_stamp(database)) return std::nullopt;
  try {
    return KeptPredictions{.version = std::move(record.version),
                           .commit = std::move(record.commit),
                           .date = std::move(record.date),
                           .store = store_from(record.result)};
  } catch (const InputError& e) {
    throw InputError(fmt::format("{}: {}", file.string(), e.what()));
  }
}

void keep_predictions(const fs::path& database, const std::string& name, const KeptPredictions& predictions) {
  const fs::path file = file_of(database, name);
  std::error_code why;
  fs::create_directories(file.parent_path(), why);
  if (why) throw MachineError(fmt::format("{}: {}", file.parent_path().string(), why.message()));
  write_whole(file, to_json({.version = predictions.version,
                             .commit = predictions.commit,
                             .date = predictions.date,
                             .stamp = predictions_stamp(database),
                             .result = tables_of(predictions.store)}));
}

} // namespace perfmodel::hwdb
