// The predictions that the database keeps, ledgers/NAME.json: what the models say of each row that `validate`
// judges on a GPU, which takes minutes to compute. Each file has a stamp of the program and of the facts and
// measurements that it was computed from; with any other stamp it is as good as absent.
#pragma once

#include "models/validation/prediction_store.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace perfmodel::hwdb {

// Of the sources that predictions come from: models/, hwdb/, the data of hwdb/ that is compiled in, and where
// the command line sets together what is known of a GPU.
std::string_view sources_stamp();

// Of these sources and of all facts, measurements and published results of a database. Throws InputError or
// MachineError: a file cannot be read.
std::string predictions_stamp(const std::filesystem::path& database);

struct KeptPredictions {
  std::string version, commit, date; // of the program that made them, and the day
  PredictionStore store;
};

// Those of that name, "h200"; none where there is no such file or its stamp is another. Throws InputError:
// the file is no result, or not of predictions.
std::optional<KeptPredictions> kept_predictions(const std::filesystem::path& database,
                                                const std::string& name);

// Keeps them, whole or not at all, with the stamp that is right now. Throws MachineError: the database cannot
// be written.
void keep_predictions(const std::filesystem::path& database, const std::string& name,
                      const KeptPredictions& predictions);

} // namespace perfmodel::hwdb
