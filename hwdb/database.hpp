// The folder of hardware descriptions. Nothing is parsed before it is asked for.
#pragma once

#include "hwdb/fact_file.hpp"
#include "hwdb/result_file.hpp"
#include "hwdb/slip_file.hpp"
#include "models/kernel/kernel_template.hpp"
#include "models/parallel/node_graph.hpp"
#include "models/validation/evidence.hpp"
#include "models/validation/series.hpp"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace perfmodel::hwdb {

// The compiled-in folder: beside the installed program when it is there, else the source tree's.
// PERFMODEL_HWDB and --hwdb are the caller's to consider.
std::filesystem::path default_folder();

class Database {
public:
  // Throws InputError when `root` has no gpus/ and architectures/.
  explicit Database(std::filesystem::path root);

  // The names of gpus/*.yaml in order of year is not ours to know: in alphabetical order.
  std::vector<std::string> names() const;

  // A name, an alias, or a path to a YAML file (it has a '/' or ends in .yaml). Resolved over its
  // architecture, with nothing measured on it yet. The database's own files are read once. Throws InputError:
  // unknown (with the nearest), or what parse_facts says.
  Gpu gpu(const std::string& name) const;
  // The same from text that is already read; `file` appears in messages.
  Gpu gpu_from(const std::string& text, const std::string& file) const;
  const Gpu& architecture(const std::string& cc) const;
  // A GPU of this database or of a user's file with estimates of the costs that it lacks, from all GPUs here
  // and what was measured on them (models/machine/inherit.hpp). Throws InputError where a file cannot be
  // read.
  Gpu completed(Gpu gpu) const;
  std::vector<std::string> architectures() const;

  // The names of nodes/*.yaml; a node by its name, an alias, or a path to a YAML file. Throw InputError as
  // those of GPUs do.
  std::vector<std::string> node_names() const;
  NodeGraph node(const std::string& name) const;

  // hwdb/published/<name>/*.yaml, the name also any_gpu, the_host, or a chip in lower case: series of a card
  // with that chip which the source does not name. And hwdb/measured/<name>/, *.json and then *.launches;
  // empty when there are none.
  std::vector<Series> published(const std::string& gpu) const;
  std::vector<std::filesystem::path> measured_files(const std::string& gpu) const;
  // A run of our probes, or of our templates by what `capture` wrote of them, in a file FILE.launches. Throws
  // InputError.
  Record read_run(const std::filesystem::path& file) const;
  // One of the database's own, read once; `head` without the cells of its tables and samples, where its
  // constants are wanted, so that of launches it has nothing. Throw InputError.
  const Record& run(const std::filesystem::path& file) const;
  const Record& head(const std::filesystem::path& file) const;

  // The names of templates/*.yaml, and one of them. Throws InputError: unknown, or what parse_template says.
  std::vector<std::string> template_names() const;
  KernelTemplate kernel_template(const std::string& name) const;

  // hwdb/evidence.yaml; nothing is known where there is no such file.
  EvidenceRecord evidence() const;

  // hwdb/slips/*.yaml, read once; none is known where there is no such folder. Throws InputError.
  const std::vector<Slip>& slips() const;

  // The same about a device of this database. A file of the user's has none, whatever name it gives itself:
  // its facts are others, so that predictions of them would be held against another device.
  std::vector<Series> published_about(const Gpu& gpu) const;
  std::vector<std::filesystem::path> runs_on(const Gpu& gpu) const;
  bool is_own(const Gpu& gpu) const;

  const std::filesystem::path& root() const { return root_; }

private:
  std::filesystem::path root_;
  std::string sources_text_;
  Sources sources_;
  mutable std::map<std::string, Gpu> gpus_, architectures_; // by name, read when first asked for
  mutable std::optional<std::vector<Gpu>> donors_;          // and these
  mutable std::map<std::filesystem::path, std::shared_ptr<const Record>> runs_, heads_;
  mutable std::optional<std::vector<Slip>> slips_;
  Gpu facts_of(const std::string& text, const std::string& file, FileKind kind) const;
  Gpu gpu_of_path(const std::filesystem::path& path) const;
  std::string shown(const std::filesystem::path& path) const;
  std::string slip_told(const std::string& mark, const std::string& file) const;
  std::optional<std::string> name_of_alias(const std::string& alias) const;
};

} // namespace perfmodel::hwdb
