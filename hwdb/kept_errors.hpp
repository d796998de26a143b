// What the database keeps of how predictions fared, beside the predictions (kept_predictions.hpp): the errors
// of times and rates on each GPU, ledgers/GPU-errors.json, from which answers take their model error, and how
// many measured rows lie inside the bands, ledgers/NAME-bands.json. Both have the stamp of the predictions,
// but with another they stay of use: 90 % of many rows hardly change with one source, and bands take long to
// score.
#pragma once

#include "models/core/table.hpp"
#include "models/validation/model_error.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace perfmodel::hwdb {

struct KeptErrors {
  std::vector<GpuErrors> gpus;  // in the order of their names
  std::vector<std::string> old; // the days from which those are whose sources or facts are others today
};

// Of all GPUs whose errors are kept, whatever their stamps: 90 % of many errors hardly change with one
// source. Throws InputError: a file is not of errors.
KeptErrors kept_errors(const std::filesystem::path& database);
// Rounded to six decimals. Throws MachineError: the database cannot be written.
void keep_errors(const std::filesystem::path& database, const GpuErrors& errors, const std::string& date);

struct KeptBands {
  std::string date;
  Table bands;         // as table_of(scores) makes them
  bool is_old = false; // sources or facts are others today
};
// None where there is no such file. Throws InputError: the file is not of bands.
std::optional<KeptBands> kept_bands(const std::filesystem::path& database, const std::string& name);
void keep_bands(const std::filesystem::path& database, const std::string& name, const KeptBands& bands);

} // namespace perfmodel::hwdb
