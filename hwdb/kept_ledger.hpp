// The ledgers that the database keeps, ledgers/NAME.json: what `validate --summary` says of a GPU, which
// takes minutes to compute. Each has a stamp of the program and of the facts and measurements it was computed
// from; with any other stamp it is as good as absent.
#pragma once

#include "models/validation/measurement.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace perfmodel::hwdb {

// Of the sources that predictions come from: models/, hwdb/, and the data of hwdb/ that is compiled in.
std::string_view sources_stamp();

// Of these sources and of all facts, measurements and published results of a database. Throws InputError or
// MachineError: a file cannot be read.
std::string ledger_stamp(const std::filesystem::path& database);

// The ledger of that name, "h200"; none where there is no such file or its stamp is another. Throws
// InputError: the file is no result.
std::optional<Record> kept_ledger(const std::filesystem::path& database, const std::string& name);

// Keeps it, whole or not at all, with the stamp that is right now. Throws MachineError: the database cannot
// be written.
void keep_ledger(const std::filesystem::path& database, const std::string& name, Record ledger);

} // namespace perfmodel::hwdb
