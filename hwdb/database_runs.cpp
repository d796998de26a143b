// What was measured on the GPUs of a database.
#include "database.hpp"
#include "database_files.hpp"
#include "json_tree.hpp"
#include "launches_file.hpp"
#include "measured.hpp"
#include "read_once.hpp"
#include "template_launches.hpp"
#include "text_file.hpp"

#include "models/machine/inherit.hpp"
#include "models/views/listing_functions.hpp"

#include <algorithm>
#include <utility>

namespace perfmodel::hwdb {

namespace fs = std::filesystem;

std::vector<fs::path> Database::measured_files(const std::string& gpu) const {
  const fs::path folder = root_ / "measured" / gpu;
  std::vector<fs::path> files = files_in(folder, ".json");
  for (fs::path& file : files_in(folder, launches_extension)) files.push_back(std::move(file));
  return files;
}

std::vector<fs::path> Database::runs_on(const Gpu& gpu) const {
  return is_own(gpu) ? measured_files(gpu.name) : std::vector<fs::path>{};
}

namespace {

// The database's machine code of a program of that name, if some of the launches are of it; else "".
std::string listing_of(const CapturedLaunches& captured, const fs::path& root, const std::string& program) {
  const fs::path folder = root / "kernels" / program;
  if (!fs::is_directory(folder)) return "";
  for (const fs::path& file : files_in(folder, ".sass")) {
    constexpr std::size_t most = std::size_t{1} << 28;
    const ListingFunctions functions(read_text(file, most));
    const auto has = [&](const CapturedLaunch& one) { return functions.contain(one.kernel); };
    if (std::any_of(captured.launches.begin(), captured.launches.end(), has)) return program;
  }
  return "";
}

} // namespace

Record Database::read_run(const fs::path& file) const {
  if (file.extension() != launches_extension) return hwdb::read_run(file);
  std::vector<KernelTemplate> templates;
  for (const std::string& name : template_names()) templates.push_back(kernel_template(name));
  const CapturedLaunches captured = read_launches(file);
  return run_of_launches(captured, templates, listing_of(captured, root_, file.stem().string()), file);
}

const Record& Database::run(const fs::path& file) const {
  static ReadOnce<Record> known;
  std::shared_ptr<const Record>& run = runs_[file];
  if (!run && file.extension() == launches_extension) run = std::make_shared<Record>(read_run(file));
  if (!run)
    run = known.of(read_text(file, most_result_bytes),
                   [&](const std::string& text) { return run_from(text, file); });
  return *run;
}

const Record& Database::head(const fs::path& file) const {
  static ReadOnce<Record> known;
  if (const auto whole = runs_.find(file); whole != runs_.end() && whole->second) return *whole->second;
  static const Record without_constants{.result = {.kind = Kind::measured}};
  if (file.extension() == launches_extension) return without_constants;
  std::shared_ptr<const Record>& head = heads_[file];
  if (!head)
    head = known.of(with_empty_lists(read_text(file, most_result_bytes), {"values", "sm_clock"}),
                    [&](const std::string& text) { return run_from(text, file); });
  return *head;
}

Gpu Database::completed(Gpu gpu) const {
  if (!donors_) {
    std::vector<Gpu> all;
    for (const std::string& name : names()) {
      Gpu donor = this->gpu(name);
      for (const fs::path& file : measured_files(name))
        donor = with_constants(std::move(donor), constants_of(head(file), file.filename().string()),
                               Over::readings);
      all.push_back(std::move(donor));
    }
    donors_ = std::move(all);
  }
  return with_estimates(std::move(gpu), *donors_);
}

} // namespace perfmodel::hwdb
