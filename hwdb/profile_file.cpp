#include "profile_file.hpp"

#include "profile_unit.hpp"

#include "models/bounds/csv_record.hpp"
#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>

#include <cxxabi.h>

namespace perfmodel::hwdb {

namespace {

using Cells = std::vector<std::string>;

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

// A header of either layout names the kernel, and metrics or the column of their names.
bool is_header(std::string_view line) {
  return line.find("Kernel Name") != std::string_view::npos &&
         (line.find("Metric Name") != std::string_view::npos || line.find("__") != std::string_view::npos);
}

bool is_of_ncu(std::string_view line) { return line.substr(0, 2) == "=="; }

// Metrics that ncu's sections print by a label.
std::string metric_of(std::string name) {
  if (name == "Duration") return "gpu__time_duration.sum";
  if (name == "Executed Instructions") return "smsp__inst_executed.sum";
  return name;
}

// "1,234,567.8", also with the values of its instances behind it: "12 (3; 4; 5)". Nothing for a word, such as
// "n/a". Throws InputError: digits that are no number.
std::optional<double> number_of(std::string_view cell) {
  cell = cell.substr(0, cell.find(" ("));
  if (cell.empty() || cell.find_first_not_of("0123456789.,+-eE") != std::string_view::npos ||
      cell.find_first_of("0123456789") == std::string_view::npos)
    return std::nullopt;
  std::string digits;
  std::size_t since_comma = 0;
  bool grouped = false, whole = true, good = true;
  for (const char c : cell) {
    const bool digit = c >= '0' && c <= '9';
    if (c == ',') good = good && whole && (grouped ? since_comma == 3 : since_comma >= 1 && since_comma <= 3);
    if (whole && !digit && c != ',' && c != '-' && c != '+') {
      good = good && (!grouped || since_comma == 3);
      whole = false;
    }
    if (c == ',') grouped = true, since_comma = 0;
    if (digit) ++since_comma;
    if (c != ',' && !(c == '+' && digits.empty())) digits += c;
  }
  if (whole && grouped) good = good && since_comma == 3;
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (!good || error != std::errc() || end != digits.data() + digits.size())
    throw InputError(fmt::format("{} is no number; where the decimal sign is a comma, run ncu with LC_ALL=C",
                                 perfmodel::quoted(std::string(cell))));
  return value;
}

std::optional<Shape> shape_of(std::string_view cell) { // "(256, 1, 1)"
  std::string sides;
  for (const char c : cell)
    if (c >= '0' && c <= '9')
      sides += c;
    else if (c == ',' || c == 'x')
      sides += 'x';
  try {
    return Shape::from_text(sides);
  } catch (const InputError&) { // told by no other column: the kernel goes without
    return std::nullopt;
  }
}

// As the compiler's own names are printed: "void axpy<float>(int, float*)" of "_Z4axpyIfEviPT_".
std::string readable_name(const std::string& name) {
  if (name.rfind("_Z", 0) != 0) return name;
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return text ? std::string(text.get()) : name;
}

class ProfileReader {
public:
  explicit ProfileReader(const std::string& file) : limits_{file, 100'000, 20'000} {}

  void read(std::string_view text) {
    if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3); // a byte-order mark
    while (!text.empty()) {
      const std::string_view row = first_line(text);
      if (header_.empty() ? !is_header(row) : is_of_ncu(row)) {
        text.remove_prefix(std::min(row.size() + 1, text.size()));
        ++line_;
        continue;
      }
      at_ = line_;
      Cells cells = take_record(text, line_, limits_);
      if (cells.size() == 1 && cells.front().empty()) continue;
      if (is_header(row) && std::find(cells.begin(), cells.end(), "Kernel Name") != cells.end())
        begin(std::move(cells)); // profiles that were written one behind the other have several
      else if (!header_.empty())
        add(std::move(cells));
    }
  }
  bool any_header() const { return !header_.empty(); }
  std::vector<ProfiledLaunch> launches;

private:
  void begin(Cells header) {
    header_ = std::move(header);
    units_.clear();
    open_.clear();
    id_ = find("ID"), process_ = find("Process ID"), kernel_ = find("Kernel Name"), grid_ = find("Grid Size");
    block_ = find("Block Size"), capability_ = find("CC");
    metric_ = find("Metric Name"), unit_ = find("Metric Unit"), value_ = find("Metric Value");
    if (find("Invocations") && !value_)
      refuse("a summary of ncu's holds no single launch: leave out --print-summary");
    if (!id_) refuse("the header lacks the column 'ID'");
    if (metric_ && !(unit_ && value_))
      refuse(fmt::format("the header lacks the column '{}'", value_ ? "Metric Unit" : "Metric Value"));
  }

  void add(Cells cells) {
    if (metric_ && *value_ < cells.size() && cells.size() < header_.size())
      cells.resize(header_.size()); // ncu leaves out the columns of rules behind a metric that has none
    if (cells.size() != header_.size())
      refuse(fmt::format("{} cells where the header has {}; a program that prints between the rows is kept "
                         "out of them by --log-file",
                         cells.size(), header_.size()));
    if (metric_)
      add_metric(cells);
    else if (cells[*id_].empty())
      units_ = cells;
    else
      add_launch(cells);
  }

  void add_metric(const Cells& cells) {
    const std::string& name = cells[*metric_];
    const std::string key = cells[*id_] + '\n' + text(cells, process_);
    const auto [at, is_new] = open_.try_emplace(key, launches.size());
    if (is_new) launches.push_back(launch_of(cells));
    if (!name.empty()) // else a rule's advice
      set(launches[at->second], name, cells[*value_], cells[*unit_]);
  }

  void add_launch(const Cells& cells) {
    launches.push_back(launch_of(cells));
    for (std::size_t i = 0; i < cells.size(); ++i)
      if (header_[i].find("__") != std::string::npos)
        set(launches.back(), header_[i], cells[i], units_.empty() ? "" : units_[i]);
  }

  void set(ProfiledLaunch& launch, const std::string& name, const std::string& cell,
           const std::string& unit_text) {
    std::optional<double> number;
    try {
      number = number_of(cell);
    } catch (const InputError& e) {
      refuse(fmt::format("{}: {}", perfmodel::quoted(name), e.what()));
    }
    if (!number) return;
    ProfileUnit unit = profile_unit(unit_text);
    const double value = *number * unit.factor;
    if (!std::isfinite(value))
      refuse(fmt::format("{}: {} is too large", perfmodel::quoted(name), perfmodel::quoted(cell)));
    launch.counters.try_emplace(metric_of(name), Counter{value, std::move(unit.base)});
  }

  ProfiledLaunch launch_of(const Cells& cells) const {
    if (cells[*kernel_].empty()) refuse("the kernel has no name");
    ProfiledLaunch launch;
    launch.kernel = readable_name(cells[*kernel_]);
    launch.grid = shape_of(text(cells, grid_)), launch.block = shape_of(text(cells, block_));
    launch.capability = text(cells, capability_);
    return launch;
  }

  std::optional<std::size_t> find(std::string_view name) const {
    const auto at = std::find(header_.begin(), header_.end(), name);
    if (at == header_.end()) return std::nullopt;
    return static_cast<std::size_t>(at - header_.begin());
  }
  static std::string text(const Cells& cells, std::optional<std::size_t> column) {
    return column ? cells[*column] : "";
  }
  [[noreturn]] void refuse(std::string_view what) const { perfmodel::refuse(at_, what, limits_.file); }

  CsvLimits limits_;
  std::size_t line_ = 1, at_ = 1;
  Cells header_, units_;
  std::optional<std::size_t> id_, process_, kernel_, grid_, block_, capability_, metric_, unit_, value_;
  std::map<std::string, std::size_t> open_; // launches of the long layout
};

} // namespace

bool is_profile(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = first_line(text);
    if (is_header(line) || line.rfind("==PROF==", 0) == 0 || line.rfind("==ERROR==", 0) == 0) return true;
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return false;
}

std::vector<ProfiledLaunch> parse_profile(std::string_view text, const std::string& file) {
  ProfileReader reader(file);
  reader.read(text);
  if (!reader.any_header())
    throw InputError(
        text.find("ERR_NVGPUCTRPERM") != std::string_view::npos
            ? file + ": ncu had no permission to read the GPU's counters (ERR_NVGPUCTRPERM), and counted none"
        : text.find_first_not_of(" \t\r\n") == text.npos
            ? file + ": the file is empty; a profile that `ncu --csv` wrote is expected"
            : file + ": no header with the column 'Kernel Name', as `ncu --csv` writes it");
  if (reader.launches.empty()) throw InputError(file + ": a header, but no kernel was profiled");
  return std::move(reader.launches);
}

} // namespace perfmodel::hwdb
