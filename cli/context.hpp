// What every command is given, and the options that most of them share.
#pragma once

#include "cli/safe_stream.hpp"
#include "hwdb/database.hpp"
#include "models/core/gpu.hpp"
#include "models/core/model.hpp"
#include "models/validation/measurement.hpp"
#include "models/validation/series.hpp"

#include <filesystem>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace CLI { // NOLINT(readability-identifier-naming): the library's
class App; // its header takes longer to compile than all of ours: only the files that add options include it
}

namespace perfmodel::cli {

struct Context {
  std::ostream& out;
  SafeStream& err; // sentences, with whatever names in them
  std::string version, commit;
  std::string hwdb_folder; // --hwdb
  int exit_code = 0;       // 1 when a comparison is out of tolerance; of `capture` the program's own
  std::vector<std::string> program_words; // of `capture`: what stands behind --; run.cpp

  const hwdb::Database* open = nullptr; // of the caller

  // --hwdb, else PERFMODEL_HWDB, else the caller's, else the compiled-in folder. Throws InputError.
  const hwdb::Database& database();
  std::optional<hwdb::Database> loaded; // by database(), once

  // A run of our probes; one that says of which GPU it is must be of this one. Throws InputError.
  const Record& run_on(const Gpu& gpu, const std::filesystem::path& file);
  std::set<std::string> told;                   // on stderr, each once
  std::map<std::filesystem::path, Record> runs; // of the user, by run_on(): a command asks several times
};

// Which devices, with which facts changed.
struct HardwareOptions {
  std::string hw;
  std::vector<std::string> set;
  bool measured = false;
  std::string measured_file;

  void add_to(CLI::App& command, bool required);
};

// A device with what was measured on it: committed measurements go over readings of others, and what a fresh
// run found (--measured FILE, "" for none) over all; the committed facts that it did not look for stay. The
// same for every question, so that an answer and its score rest on the same facts. Throws InputError.
Gpu with_measurements(Context& context, Gpu gpu, const std::string& fresh_file);

// The devices of --hw, each with what was measured on it. Throws InputError.
std::vector<Gpu> devices(Context& context, const HardwareOptions& options);

// With these facts in place of its own, one value each. Throws InputError.
Gpu with_set(Gpu gpu, const std::vector<std::string>& set);

// Which of the constants that an answer rests on are those of the committed runs although a run was given, by
// probe, in a sentence; "" where none is.
std::string facts_kept(std::span<const Step> constants);

// --set NAME=VALUES as axes of a sweep. Throws InputError.
std::vector<Axis> fact_axes(const std::vector<std::string>& set);

// The GPU of the database that the driver calls `title` ("NVIDIA H100 80GB HBM3") and whose compute
// capability is `cc`; "" where none is.
std::string known_gpu(Context& context, const std::string& title, const std::string& cc);

// The measured series of a device: of --measured FILE, else of hwdb/measured/<name>. What cannot be used of
// `model` ("" for all of them) is said on stderr.
std::vector<Series> measured_series(Context& context, const Gpu& gpu, const std::string& file,
                                    std::string_view model);

} // namespace perfmodel::cli
