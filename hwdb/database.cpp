#include "database.hpp"

#include "database_files.hpp"
#include "evidence_file.hpp"
#include "node_file.hpp"
#include "read_once.hpp"
#include "series_file.hpp"
#include "template_file.hpp"
#include "text_file.hpp"

#include "models/core/error.hpp"
#include "models/core/model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <system_error>

namespace perfmodel::hwdb {

namespace fs = std::filesystem;

fs::path default_folder() {
  std::error_code failed;
  const fs::path self = fs::read_symlink("/proc/self/exe", failed);
  const fs::path beside =
      self.parent_path().parent_path() / "share/perfmodel/hwdb"; // an installed tree that was moved
  if (!failed && fs::exists(beside / "gpus", failed)) return beside;
  if (fs::exists(fs::path(PERFMODEL_HWDB_SOURCE) / "gpus", failed)) return PERFMODEL_HWDB_SOURCE;
  return PERFMODEL_HWDB_INSTALLED;
}

Database::Database(fs::path root) : root_(std::move(root)) {
  for (const char* folder : {"gpus", "architectures"}) {
    std::error_code failed;
    if (fs::is_directory(root_ / folder, failed)) continue;
    refuse_unreadable(root_ / folder, failed);
    throw InputError(root_.string() +
                     " is no hardware database: it has no folders 'gpus' and 'architectures'");
  }
  const fs::path sources = root_ / "sources.yaml";
  sources_text_ = read_text(sources, most_yaml);
  sources_ = parse_sources(sources_text_, shown(sources));
}

std::string Database::shown(const fs::path& path) const {
  return (fs::path("hwdb") / path.lexically_relative(root_)).string();
}

std::vector<std::string> Database::names() const { return stems_in(root_ / "gpus"); }
std::vector<std::string> Database::node_names() const { return stems_in(root_ / "nodes"); }
std::vector<std::string> Database::template_names() const { return stems_in(root_ / "templates"); }
std::vector<std::string> Database::architectures() const { return stems_in(root_ / "architectures"); }

std::optional<std::string> Database::name_of_alias(const std::string& alias) const {
  for (const fs::path& file : files_in(root_ / "gpus", ".yaml")) {
    const auto aliases = aliases_in(read_text(file, most_yaml));
    if (std::find(aliases.begin(), aliases.end(), alias) != aliases.end()) return file.stem().string();
  }
  return std::nullopt;
}

Gpu Database::gpu(const std::string& name) const {
  if (is_path(name)) return gpu_of_path(name);
  const std::string folded = in_small_letters(name);
  if (is_plain_name(folded)) {
    if (const auto known = gpus_.find(folded); known != gpus_.end()) return known->second;
    std::error_code failed;
    fs::path file = root_ / "gpus" / (folded + ".yaml");
    if (!fs::exists(file, failed))
      if (const auto real = name_of_alias(folded)) file = root_ / "gpus" / (*real + ".yaml");
    if (fs::exists(file, failed))
      return gpus_.emplace(folded, gpu_from(read_text(file, most_yaml), shown(file))).first->second;
  }
  std::vector<std::string> known = names();
  for (const fs::path& file : files_in(root_ / "gpus", ".yaml"))
    for (std::string& alias : aliases_in(read_text(file, most_yaml))) known.push_back(std::move(alias));
  throw InputError(fmt::format("unknown GPU '{}'{}; 'perfmodel hw list' shows all", name.substr(0, 60),
                               suggestion(name, known)));
}

NodeGraph Database::node(const std::string& name) const {
  if (is_path(name)) return parse_node(read_text(name, most_yaml), name, sources_).node;
  const std::string folded = in_small_letters(name);
  std::vector<std::string> known;
  for (const fs::path& file : files_in(root_ / "nodes", ".yaml")) {
    const std::string text = read_text(file, most_yaml);
    std::vector<std::string> names = aliases_in(text);
    names.insert(names.begin(), file.stem().string());
    if (std::find(names.begin(), names.end(), folded) != names.end())
      return parse_node(text, shown(file), sources_).node;
    known.insert(known.end(), names.begin(), names.end());
  }
  throw InputError(fmt::format("unknown node '{}'{}; one of {} or a YAML file is expected",
                               name.substr(0, 60), suggestion(name, known), fmt::join(known, ", ")));
}

// The database's own file keeps what was measured, whatever it is called; another file never gets it, though
// it lies in a folder that is called the same.
Gpu Database::gpu_of_path(const fs::path& path) const {
  const fs::path own = root_ / "gpus" / path.filename();
  std::error_code failed;
  std::string file = path.string();
  if (fs::equivalent(path, own, failed))
    file = shown(own);
  else if (file == shown(own))
    file = "./" + file;
  return gpu_from(read_text(path, most_yaml), file);
}

bool Database::is_own(const Gpu& gpu) const {
  return is_plain_name(gpu.name) && gpu.file == shown(root_ / "gpus" / (gpu.name + ".yaml"));
}

std::vector<Series> Database::published_about(const Gpu& gpu) const {
  return is_own(gpu) ? published(gpu.name) : std::vector<Series>{};
}

Gpu Database::facts_of(const std::string& text, const std::string& file, FileKind kind) const {
  static ReadOnce<Gpu> known;
  const char* const of = kind == FileKind::gpu ? "GPU" : "architecture";
  return *known.of(fmt::format("{}\n{}\n{}\n{}", of, file, sources_text_, text),
                   [&](const std::string&) { return parse_facts(text, file, kind, sources_); });
}

Gpu Database::gpu_from(const std::string& text, const std::string& file) const {
  Gpu device = facts_of(text, file, FileKind::gpu);
  const auto known = architectures();
  if (std::find(known.begin(), known.end(), device.architecture) == known.end())
    throw InputError(fmt::format("{}: unknown architecture '{}'{}; one of {} is expected", file,
                                 device.architecture.substr(0, 60), suggestion(device.architecture, known),
                                 fmt::join(known, ", ")));
  const Gpu& below = architecture(device.architecture);
  return resolve(std::move(device), below);
}

const Gpu& Database::architecture(const std::string& cc) const {
  if (const auto known = architectures_.find(cc); known != architectures_.end()) return known->second;
  const fs::path file = root_ / "architectures" / (cc + ".yaml");
  Gpu read = facts_of(read_text(file, most_yaml), shown(file), FileKind::architecture);
  return architectures_.emplace(cc, std::move(read)).first->second;
}

std::vector<Series> Database::published(const std::string& gpu) const {
  std::vector<Series> all;
  for (const fs::path& file : files_in(root_ / "published" / gpu, ".yaml"))
    for (Series& series : parse_series(read_text(file, most_yaml), shown(file), sources_)) {
      for (RowMarks& marks : series.marks) marks.slip = slip_told(marks.slip, shown(file));
      all.push_back(std::move(series));
    }
  return all;
}

// A row's mark is an entry of the register, or a sentence of its own in a database that has none.
std::string Database::slip_told(const std::string& mark, const std::string& file) const {
  if (!is_plain_name(mark)) return mark;
  std::vector<std::string> known;
  for (const Slip& slip : slips()) {
    if (slip.id == mark) return fmt::format("{}: {}", slip.right, slip.why);
    known.push_back(slip.id);
  }
  throw InputError(fmt::format("{}: unknown slip '{}'{}", file, mark, suggestion(mark, known)));
}

const std::vector<Slip>& Database::slips() const {
  if (slips_) return *slips_;
  std::vector<Slip> all;
  for (const fs::path& file : files_in(root_ / "slips", ".yaml"))
    for (Slip& slip : parse_slips(read_text(file, most_yaml), shown(file), sources_)) {
      if (std::any_of(all.begin(), all.end(), [&](const Slip& other) { return other.id == slip.id; }))
        throw InputError(
            fmt::format("{}: the id '{}' is that of a slip in another file", shown(file), slip.id));
      all.push_back(std::move(slip));
    }
  slips_ = std::move(all);
  return *slips_;
}

KernelTemplate Database::kernel_template(const std::string& name) const {
  const std::vector<std::string> known = template_names();
  if (std::find(known.begin(), known.end(), name) == known.end())
    throw InputError(fmt::format("unknown template '{}'{}; one of {} is expected", name.substr(0, 60),
                                 suggestion(name, known), fmt::join(known, ", ")));
  const fs::path file = root_ / "templates" / (name + ".yaml");
  return parse_template(read_text(file, most_yaml), shown(file), name);
}

EvidenceRecord Database::evidence() const {
  const fs::path file = root_ / "evidence.yaml";
  std::error_code failed;
  if (!fs::exists(file, failed)) return {};
  return parse_evidence(read_text(file, most_yaml), shown(file));
}

} // namespace perfmodel::hwdb
