// perfmodel hw: the hardware database, looked at, checked, compared, and written for the GPU in this machine.
#include "commands.hpp"

#include "cli/answer.hpp"
#include "hwdb/measured.hpp"
#include "hwdb/text_file.hpp"
#include "kernels/core/probe.hpp"
#include "models/bounds/peak.hpp"
#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace perfmodel::cli {

namespace {

struct Options {
  AnswerOptions answer;
  std::string name, other, measured_file;
  bool all = false;
};

Column text_column(const char* name, Role role = Role::note) {
  return {.name = name, .role = role, .cells = std::vector<std::string>{}};
}
Column number_column(const char* name, const Unit& unit) {
  return {.name = name, .unit = unit, .cells = std::vector<double>{}};
}

// Buses and pins are counted in bits by everybody.
std::string value_text(const KeyInfo& key, const FactRecord& fact) {
  if (key.kind == FactKind::text) return fact.text;
  if (key.path == facts::dram_data_rate.path) return fmt::format("{:.4g} Gbit/s", 8e-9 * fact.values.front());
  if (key.path == facts::dram_bus.path || key.path == facts::dram_partition_width.path)
    return fmt::format("{} bit", 8 * fact.values.front());
  const Unit unit{base_symbol(key.dimension), key.dimension};
  // Sizes that are whole numbers of KiB are meant so.
  const bool binary = unit.symbol == "B" && std::all_of(fact.values.begin(), fact.values.end(),
                                                        [](double v) { return std::fmod(v, 1024) == 0; });
  std::string text;
  for (const double value : fact.values)
    text += (text.empty() ? "" : ", ") + format_quantity(value, unit, binary ? Prefix::binary : Prefix::si);
  return text;
}

// Sources by number, in the order in which they are first named.
class SourceList {
public:
  // "[1, 4]" for "A; B".
  std::string cite(const std::string& sources) {
    std::string numbers;
    for (std::size_t begin = 0; begin < sources.size();) {
      const std::size_t end = std::min(sources.find("; ", begin), sources.size());
      numbers +=
          (numbers.empty() ? "" : ", ") + std::to_string(number_of(sources.substr(begin, end - begin)));
      begin = end + 2;
    }
    return "[" + numbers + "]";
  }
  Table table() const {
    Table table{.title = "sources"};
    table.columns = {text_column("number", Role::key), text_column("source")};
    for (std::size_t i = 0; i < all_.size(); ++i) {
      append(table.columns[0], fmt::format("[{}]", i + 1));
      append(table.columns[1], all_[i]);
    }
    return table;
  }

private:
  std::vector<std::string> all_;
  std::size_t number_of(const std::string& source) {
    const auto at = std::find(all_.begin(), all_.end(), source);
    if (at != all_.end()) return static_cast<std::size_t>(at - all_.begin()) + 1;
    all_.push_back(source);
    return all_.size();
  }
};

std::string rivals_text(const KeyInfo& key, const FactRecord& fact, SourceList& sources) {
  const Unit unit{base_symbol(key.dimension), key.dimension};
  std::string text;
  for (const Rival& r : fact.rivals) {
    text += text.empty() ? "; elsewhere " : ", ";
    text += format_quantity(r.low, unit);
    if (r.high != r.low) text += " to " + format_quantity(r.high, unit);
    text += fmt::format(" ({} {})", name_of(r.status), sources.cite(r.source));
  }
  return text;
}

Gpu with_measurements(Context& context, Gpu gpu, const std::string& file) {
  std::vector<std::filesystem::path> files = context.database().measured_files(gpu.name);
  if (!file.empty()) files = {file};
  for (const auto& path : files)
    gpu = with_constants(std::move(gpu), hwdb::constants_of(hwdb::read_run(path), path.filename().string()),
                         false);
  return gpu;
}

void list(Context& context, const Options& options) {
  options.answer.check();
  Table table{.title = "GPUs"};
  const Unit rate = unit_of<FlopsPerSecond>(), bandwidth = unit_of<BytesPerSecond>();
  table.columns = {text_column("name", Role::key),
                   text_column("cc"),
                   number_column("fp32", rate),
                   number_column("fp64", rate),
                   number_column("DRAM", bandwidth),
                   text_column("title"),
                   text_column("aliases")};
  for (const std::string& name : context.database().names()) {
    const Gpu gpu = context.database().gpu(name);
    Plain plain;
    const auto rate_of = [&](Precision p) {
      for (const ArithmeticUnit& unit : arithmetic_units())
        if (unit.precision == p &&
            (gpu.record(unit.peak.path) != nullptr || gpu.record(unit.throughput.path) != nullptr))
          return base_value(peak(gpu, unit, plain));
      return absent;
    };
    const auto pin = gpu.find(facts::dram_bandwidth);
    append(table.columns[0], gpu.name);
    append(table.columns[1], gpu.architecture);
    append(table.columns[2], rate_of(Precision::fp32));
    append(table.columns[3], rate_of(Precision::fp64));
    append(table.columns[4], pin ? base_value(pin->value) : absent);
    append(table.columns[5], gpu.title);
    append(table.columns[6], fmt::format("{}", fmt::join(gpu.aliases, " ")));
  }
  give(context, options.answer, {.tables = {std::move(table)}});
}

void show(Context& context, const Options& options) {
  options.answer.check();
  const Gpu gpu = with_measurements(context, context.database().gpu(options.name), options.measured_file);
  Table table{.title = fmt::format("{}: {}, {} cc {}", gpu.name, gpu.title, gpu.chip, gpu.architecture)};
  table.columns = {text_column("fact", Role::key), text_column("value"), text_column("status"),
                   text_column("source")};
  std::size_t unverified = 0;
  SourceList sources;
  for (const KeyInfo& key : all_keys()) {
    const FactRecord* fact = gpu.record(key.path);
    if (fact == nullptr) continue;
    const bool doubtful = fact->status == Status::unverified;
    unverified += doubtful ? 1 : 0;
    std::string source = sources.cite(fact->source);
    if (fact->layer == Layer::architecture) source += " cc " + gpu.architecture;
    if (!fact->note.empty()) source += " " + fact->note;
    append(table.columns[0], std::string(key.path));
    append(table.columns[1], value_text(key, *fact));
    append(table.columns[2], (doubtful ? "! " : "") + std::string(name_of(fact->status)));
    append(table.columns[3], source + rivals_text(key, *fact, sources));
  }
  table.notes.push_back(
      fmt::format("{} facts, {} of them unverified (marked !): somebody's memory, not to be relied on.",
                  table.rows(), unverified));
  give(context, options.answer, {.tables = {std::move(table), sources.table()}});
}

void diff(Context& context, const Options& options) {
  options.answer.check();
  const Gpu a = with_measurements(context, context.database().gpu(options.name), ""),
            b = with_measurements(context, context.database().gpu(options.other), "");
  Table table{.title = a.name + " and " + b.name};
  table.columns = {text_column("fact", Role::key), text_column(a.name.c_str()), text_column(b.name.c_str()),
                   number_column("ratio", {})};
  for (const KeyInfo& key : all_keys()) {
    const FactRecord *x = a.record(key.path), *y = b.record(key.path);
    if (x == nullptr && y == nullptr) continue;
    const std::string left = x != nullptr ? value_text(key, *x) : "",
                      right = y != nullptr ? value_text(key, *y) : "";
    if (!options.all && left == right) continue;
    append(table.columns[0], std::string(key.path));
    append(table.columns[1], left);
    append(table.columns[2], right);
    const bool numbers = x != nullptr && y != nullptr && key.kind == FactKind::number && x->values[0] != 0;
    append(table.columns[3], numbers ? y->values[0] / x->values[0] : absent);
  }
  if (table.rows() == 0) table.notes.push_back("no fact differs");
  give(context, options.answer, {.tables = {std::move(table)}});
}

void check(Context& context, const Options& options) {
  const Gpu gpu = context.database().gpu_from(hwdb::read_text(options.name, 1 << 20), options.name);
  const auto slips = hwdb::inconsistencies(gpu);
  if (!slips.empty()) {
    context.err << fmt::format("{}\n", fmt::join(slips, "\n"));
    context.exit_code = 2;
    return;
  }
  const auto doubtful = std::count_if(gpu.facts.begin(), gpu.facts.end(),
                                      [](const auto& f) { return f.second.status == Status::unverified; });
  context.out << fmt::format("{}: {} facts, {} unverified; consistent\n", options.name, gpu.facts.size(),
                             doubtful);
}

void keys(Context& context, const Options& options) {
  options.answer.check();
  Table table{.title = "facts that a GPU's or an architecture's file may hold, and --set may give"};
  table.columns = {text_column("fact", Role::key), text_column("unit"), text_column("meaning")};
  for (const KeyInfo& key : all_keys()) {
    append(table.columns[0], std::string(key.path));
    append(table.columns[1], key.kind == FactKind::text ? "word"
                                                        : base_symbol(key.dimension) +
                                                              (key.kind == FactKind::list ? " (list)" : ""));
    append(table.columns[2], std::string(key.meaning));
  }
  give(context, options.answer, {.tables = {std::move(table)}});
}

void detect(Context& context, const Options& options) {
  const kernels::DetectedDevice device = kernels::detect();
  std::string name;
  for (const char c : device.title)
    if (std::isalnum(static_cast<unsigned char>(c)))
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!name.empty() && name.back() != '-')
      name += '-';
  Gpu gpu{.name = name, .title = device.title, .architecture = device.compute_capability, .file = "detected"};
  for (const kernels::DetectedFact& f : device.facts) {
    FactRecord fact{.text = f.text, .status = Status::measured, .source = std::string(f.source)};
    if (f.text.empty()) fact.values = {f.value};
    gpu.facts[std::string(f.path)] = std::move(fact);
  }
  if (!options.measured_file.empty())
    gpu = with_constants(std::move(gpu),
                         hwdb::constants_of(hwdb::read_run(options.measured_file), options.measured_file),
                         true);
  const std::string yaml = hwdb::to_yaml(gpu);
  context.database().gpu_from(yaml, "the detected GPU"); // what is written can be read
  if (options.answer.file.empty())
    context.out << yaml;
  else
    hwdb::write_whole(options.answer.file, yaml);
}

} // namespace

void add_hw_command(CLI::App& program, Context& context) {
  CLI::App* hw = program.add_subcommand("hw", "the hardware database: list, show, check, compare, detect");
  hw->require_subcommand(1);
  const auto add = [&](const char* name, const char* help, void (*action)(Context&, const Options&)) {
    auto options = std::make_shared<Options>();
    CLI::App* command = hw->add_subcommand(name, help);
    command->callback([&context, options, action] { action(context, *options); });
    return std::pair{command, options};
  };
  const auto with_answer = [](auto added) {
    added.second->answer.add_to(*added.first, false);
    return added;
  };
  with_answer(add("list", "every GPU with its peaks", list));
  with_answer(add("keys", "every fact there is, with unit and meaning", keys));
  auto [show_command, show_options] = with_answer(add("show", "every fact of a GPU with its source", show));
  show_command->add_option("gpu", show_options->name, "name, alias or YAML file")->required();
  auto [check_command, check_options] = add("check", "check a GPU's YAML file", check);
  check_command->add_option("file", check_options->name, "YAML file")->required();
  auto [diff_command, diff_options] = with_answer(add("diff", "facts in which two GPUs differ", diff));
  diff_command->add_option("first", diff_options->name, "name, alias or YAML file")->required();
  diff_command->add_option("second", diff_options->other, "name, alias or YAML file")->required();
  diff_command->add_flag("--all", diff_options->all, "equal facts as well");
  auto [detect_command, detect_options] =
      add("detect", "write a YAML file of the GPU in this machine", detect);
  detect_command->add_option("-o,--output", detect_options->answer.file, "file to write (default: stdout)");
  detect_command->add_option("--measured", detect_options->measured_file,
                             "take measured figures from this run of 'perfmodel measure'");
}

} // namespace perfmodel::cli
