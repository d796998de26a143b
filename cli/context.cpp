#include "context.hpp"

#include "chosen_gpus.hpp"
#include "completion/values.hpp"
#include "gpu_names.hpp"
#include "option_groups.hpp"

#include "hwdb/measured.hpp"
#include "hwdb/template_launches.hpp"
#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"
#include "models/core/what_if.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <ostream>
#include <string_view>

namespace perfmodel::cli {

const hwdb::Database& Context::database() {
  if (!loaded) {
    const char* from_environment = std::getenv("PERFMODEL_HWDB");
    if (!hwdb_folder.empty())
      loaded.emplace(hwdb_folder);
    else if (from_environment != nullptr && *from_environment != '\0')
      loaded.emplace(from_environment);
    else if (open != nullptr)
      return *open;
    else
      loaded.emplace(hwdb::default_folder());
  }
  return *loaded;
}

std::string known_gpu(Context& context, const std::string& title, const std::string& cc) {
  std::string best = gpu_of_driver(context, title, cc);
  if (!best.empty()) return best;
  const auto letters = [](const std::string& text) {
    std::string out;
    for (const char c : text)
      if (std::isalnum(static_cast<unsigned char>(c)))
        out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return out;
  };
  for (const std::string& name : context.database().names()) {
    const Gpu gpu = context.database().gpu(name);
    if (gpu.architecture == cc && letters(gpu.title).find(letters(title)) != std::string::npos &&
        (best.empty() || name.size() < best.size()))
      best = name;
  }
  return best;
}

namespace {

// Throws InputError where the run says that it was on another GPU.
const Record& checked(Context& context, const Gpu& gpu, const std::filesystem::path& file,
                      const Record& run) {
  std::string device, capability;
  for (const auto& [name, value] : run.device) {
    if (name == "name") device = value;
    if (name == "compute_capability") capability = value;
  }
  const std::string ran_on = run.gpu.empty() ? known_gpu(context, device, capability) : run.gpu;
  if (!ran_on.empty() && ran_on != gpu.name)
    throw InputError(fmt::format("{} is a run on {}, not on {}", file.string(), ran_on, gpu.name));
  if (!capability.empty() && !gpu.architecture.empty() && capability != gpu.architecture)
    throw InputError(fmt::format("{} is a run on a GPU of compute capability {}, {} has {}", file.string(),
                                 capability, gpu.name, gpu.architecture));
  return run;
}

} // namespace

const Record& Context::run_on(const Gpu& gpu, const std::filesystem::path& file) {
  const std::vector<std::filesystem::path> ours = database().runs_on(gpu);
  if (std::find(ours.begin(), ours.end(), file) != ours.end())
    return checked(*this, gpu, file, database().run(file));
  auto known = runs.find(file);
  if (known == runs.end()) known = runs.emplace(file, database().read_run(file)).first;
  return checked(*this, gpu, file, known->second);
}

void HardwareOptions::add_to(CLI::App& command, bool required) {
  command.option_defaults()->group(option_group::gpu);
  auto* option = command.add_option(
      "--hw", hw,
      "GPU: a name, an alias or a YAML file; all, or cc>=8&year>=2020&memory>=40GiB&maker=nvidia; a "
      "comma-separated list overlays several");
  option->type_name(gpus_value);
  if (required) option->required();
  command
      .add_option("--set", set,
                  "override a fact for this run, such as dram.bandwidth=125GB/s; a list or range sweeps it")
      ->type_name(fact_value)
      ->allow_extra_args(false);
}

std::vector<Series> measured_series(Context& context, const Gpu& gpu, const std::string& file,
                                    std::string_view model) {
  std::vector<std::filesystem::path> files = context.database().runs_on(gpu);
  if (!file.empty()) files = {file};
  std::vector<Series> all;
  for (const auto& path : files) {
    const Record& run = context.run_on(gpu, path);
    for (const std::string& sentence : file.empty() ? std::vector<std::string>{} : hwdb::left_out(run, model))
      context.err << fmt::format("{} of {}: {}\n", path.filename().string(), run.date, sentence);
    const std::string place = path.filename().string();
    for (Series& series : hwdb::peaks_of(run, place, gpu)) all.push_back(std::move(series));
    for (Series& series : hwdb::series_of(run, place)) {
      if (series.gpu.empty()) series.gpu = gpu.name; // the run does not know its GPU's name here
      all.push_back(std::move(series));
    }
  }
  return all;
}

namespace {

constexpr std::string_view of_committed = "committed "; // where a fact stands that a fresh run does not have

// What our probes found on a GPU, by the committed runs and by the one that was given.
struct Found {
  std::vector<Constant> committed, fresh;
};

Found constants_on(Context& context, const Gpu& gpu, const std::string& fresh_file) {
  Found found;
  if (!fresh_file.empty()) {
    const std::filesystem::path path = fresh_file;
    found.fresh = hwdb::constants_of(context.run_on(gpu, path), path.filename().string());
  }
  // Captured launches find no facts: of them none is missed.
  const bool lacks_facts =
      !fresh_file.empty() && std::filesystem::path(fresh_file).extension() != hwdb::launches_extension;
  for (const auto& path : context.database().runs_on(gpu)) {
    const std::string place = (lacks_facts ? std::string(of_committed) : "") + path.filename().string();
    for (Constant& c : hwdb::constants_of(checked(context, gpu, path, context.database().head(path)), place))
      if (std::none_of(found.fresh.begin(), found.fresh.end(),
                       [&](const Constant& f) { return f.path == c.path; }))
        found.committed.push_back(std::move(c));
  }
  return found;
}

// Which facts of the GPU's file a run that was given takes the place of, where that makes a difference; ""
// where none.
std::string overruled(const Gpu& gpu, std::span<const Constant> fresh) {
  constexpr std::size_t most = 4;
  std::vector<std::string> facts;
  for (const Constant& c : fresh) {
    const FactRecord* there = gpu.record(c.path);
    const KeyInfo* key = find_key(c.path);
    if (there == nullptr || key == nullptr || !differ(c, *there)) continue;
    const Unit unit{base_symbol(key->dimension), key->dimension};
    facts.push_back(fmt::format("{} {} (not {})", c.path, format_quantity(c.value, unit),
                                format_quantity(there->values.front(), unit)));
  }
  if (facts.empty()) return "";
  const std::size_t more = facts.size() - std::min(facts.size(), most);
  facts.resize(facts.size() - more);
  return fmt::format("the given run wins over the file of {}: {}{}", gpu.name, fmt::join(facts, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

} // namespace

Gpu with_measurements(Context& context, Gpu gpu, const std::string& fresh_file) {
  const Found found = constants_on(context, gpu, fresh_file);
  const std::string sentence = overruled(gpu, found.fresh);
  if (!sentence.empty() && context.told.insert(sentence).second) context.err << sentence << '\n';
  gpu = with_constants(std::move(gpu), found.committed, Over::readings);
  return with_constants(std::move(gpu), found.fresh, Over::everything);
}

Gpu with_set(Gpu gpu, const std::vector<std::string>& set) {
  for (const Axis& axis : fact_axes(set)) {
    if (axis.values.size() != 1)
      throw InputError(fmt::format("--set {}: one value is expected, not {}", axis.name, axis.values.size()));
    const Value& value = axis.values.front();
    gpu = find_key(axis.name)->kind == FactKind::number
              ? with_fact(std::move(gpu), axis.name, value.number)
              : with_fact(std::move(gpu), axis.name, std::string_view(value.text));
  }
  check_streams(gpu);
  return gpu;
}

std::string facts_kept(std::span<const Step> constants) {
  std::map<std::string, std::vector<std::string>> by_probe;
  for (const Step& constant : constants)
    if (constant.place.starts_with(of_committed)) by_probe[constant.probe].push_back(constant.symbol);
  std::vector<std::string> probes;
  for (const auto& [probe, paths] : by_probe)
    probes.push_back(fmt::format("{} ({})", probe, fmt::join(paths, ", ")));
  if (probes.empty()) return "";
  return fmt::format("The given run lacks these facts, which are those of the committed run: {}.",
                     fmt::join(probes, "; "));
}

std::vector<Gpu> devices(Context& context, const HardwareOptions& options) {
  std::vector<Gpu> all;
  const auto add = [&](const std::string& name, bool by_choice) {
    Gpu gpu = gpu_named(context, name);
    if (std::any_of(all.begin(), all.end(), [&](const Gpu& g) { return g.name == gpu.name; })) {
      if (by_choice || has_choice(options.hw)) return;
      throw InputError(fmt::format("{} is named twice", gpu.name));
    }
    gpu = with_measurements(context, std::move(gpu), options.measured_file);
    all.push_back(context.database().completed(std::move(gpu)));
    if (all.size() > 64) throw InputError("--hw: more than 64 devices");
  };
  for (std::size_t begin = 0; begin <= options.hw.size();) {
    const std::size_t end = std::min(options.hw.find(',', begin), options.hw.size());
    const std::string name = options.hw.substr(begin, end - begin);
    begin = end + 1;
    if (name.empty())
      throw InputError("a GPU's name is missing between commas; 'perfmodel hw list' shows all");
    if (!is_choice(name)) {
      add(name, false);
      continue;
    }
    for (const std::string& chosen : chosen_gpus(context, name)) add(chosen, true);
  }
  return all;
}

} // namespace perfmodel::cli
