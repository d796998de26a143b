#include "template_launches.hpp"

#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"
#include "models/kernel/captured_arguments.hpp"
#include "models/kernel/mangled_name.hpp"
#include "models/views/same_kernel.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace perfmodel::hwdb {

namespace {

using Inputs = std::vector<std::pair<std::string, std::string>>; // options of `kernel`

std::string value_of(const Inputs& inputs, std::string_view option) {
  for (const auto& [name, value] : inputs)
    if (name == option) return value;
  return "";
}

// "y" and "4MiB", "n" and "1024" of "y=4MiB,n=1024".
Inputs arguments_in(const std::string& text) {
  Inputs all;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t equals = text.find('=', at), end = std::min(text.find(',', at), text.size());
    all.emplace_back(text.substr(at, equals - at), text.substr(equals + 1, end - equals - 1));
    at = end + 1;
  }
  return all;
}

// As --arg takes it. Bytes do not say what number they are: a real one, or one of eight bytes, is what the
// template has in that place.
std::string argument_text(const CapturedLaunch& launch, const CapturedArgument& argument,
                          const std::string& of_template) {
  CapturedLaunch one = launch;
  one.arguments = {argument};
  std::string text = arguments_text(one);
  if (of_template.find('.') != std::string::npos && text.find_first_of(".en") == std::string::npos)
    text += ".0";
  if (of_template.ends_with('d') || of_template.ends_with('l')) text += of_template.back();
  return text;
}

std::string arguments_of(const CapturedLaunch& launch, const Inputs& of_template) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < of_template.size(); ++i)
    all.push_back(of_template[i].first + "=" +
                  argument_text(launch, launch.arguments[i], of_template[i].second));
  return fmt::format("{}", fmt::join(all, ","));
}

// In the column of that name, which the first row makes.
template <class Cell> void add(Table& table, const char* name, Role role, Cell value, const Unit& unit = {}) {
  auto column = std::find_if(table.columns.begin(), table.columns.end(),
                             [&](const Column& c) { return c.name == name; });
  if (column == table.columns.end())
    column = table.columns.insert(column,
                                  {.name = name, .unit = unit, .role = role, .cells = std::vector<Cell>{}});
  append(*column, std::move(value));
}

// `asked`: listing, kernel and arg as the model takes them, shared where launches have it, and what a capture
// does not say.
void add_launch(Table& table, const CapturedLaunch& launch, bool serial, const Inputs& asked) {
  add(table, "listing", Role::key, value_of(asked, "listing"));
  add(table, "kernel", Role::key, value_of(asked, "kernel"));
  add(table, "grid", Role::key, launch.grid.text());
  add(table, "block", Role::key, launch.block.text());
  if (!value_of(asked, "shared").empty())
    add(table, "shared", Role::key, static_cast<double>(launch.dynamic_shared), unit_of<Bytes>());
  add(table, "arg", Role::key, value_of(asked, "arg"));
  for (const char* assumed : {"index", "unknown"})
    if (const std::string word = value_of(asked, assumed); !word.empty())
      add(table, assumed, Role::key, word);
  add(table, "cache", Role::key, std::string("warm"));
  add(table, "timed", Role::key, std::string(serial ? "serial" : "trace"));
  constexpr double nanosecond = 1e-9;
  add(table, "time", Role::measured, nanosecond * static_cast<double>(launch.times->median),
      unit_of<Seconds>());
}

bool is_timed(const CapturedLaunch& launch) {
  return launch.times && launch.times->median > 0 && launch.arguments_known;
}

bool is_of(const KernelTemplate& one, const CapturedLaunch& launch) {
  return launch.kernel.find(value_of(one.inputs, "kernel")) != std::string::npos;
}

Measurement measurement_of(const KernelTemplate& of, const CapturedLaunches& captured) {
  const Inputs inputs = inputs_of(of, of.sizes);
  const Inputs arguments = arguments_in(value_of(inputs, "arg"));
  Measurement m{.probe = "templates",
                .model = "kernel",
                .measures = fmt::format("{}: {}", of.name, of.title),
                .table = {.title = of.name},
                .verified = true}; // by the program, which ends where an answer is wrong
  for (const CapturedLaunch& launch : captured.launches) {
    if (!is_of(of, launch) || !is_timed(launch) || launch.arguments.size() != arguments.size()) continue;
    Inputs asked{{"listing", of.listing}, {"arg", arguments_of(launch, arguments)}};
    for (const char* option : {"kernel", "shared", "index", "unknown"})
      asked.emplace_back(option, value_of(inputs, option));
    add_launch(m.table, launch, captured.serial, asked);
  }
  return m;
}

// As people write it, "tiled"; of a template, what the mangled name has from there on, "tiledILi16EEvPfi", by
// which --kernel tells it from its other instances.
std::string name_of(const CapturedLaunch& launch) {
  const std::string name = written_name(launch.kernel);
  const std::size_t at = launch.kernel.find(name + "I");
  return at == std::string::npos ? name : launch.kernel.substr(at);
}

template <class T> T value_of(const CapturedArgument& argument) {
  T value{};
  std::memcpy(&value, argument.bytes.data(), sizeof value);
  return value;
}

// With a point, as --arg knows a real number by: "1.0e-05". "": it is not finite.
template <class Real> std::string real_text(const CapturedArgument& argument, const char* suffix) {
  const Real value = value_of<Real>(argument);
  if (!std::isfinite(value)) return "";
  std::string text = fmt::format("{}", value);
  if (text.find('.') == std::string::npos) text.insert(std::min(text.find('e'), text.size()), ".0");
  return text + suffix;
}

// As --arg takes one: what is no pointer is of the type that the mangled name says, else a whole number. "":
// it cannot be written so, as a struct or a byte.
std::string typed_text(const CapturedLaunch& launch, const CapturedArgument& argument,
                       const std::string& type) {
  const std::size_t size = argument.bytes.size();
  if (size != 4 && size != 8) return "";
  if (!argument.pointers.empty()) return argument_text(launch, argument, "");
  if (size == 4)
    return type == "float" ? real_text<float>(argument, "")
                           : fmt::format("{}", value_of<std::int32_t>(argument));
  return type == "double" ? real_text<double>(argument, "d")
                          : fmt::format("{}l", value_of<std::int64_t>(argument));
}

// "a0=4MiB,a1=1024"; "": some of them cannot be written.
std::string arguments_by_type(const CapturedLaunch& launch) {
  const std::vector<std::string> types = argument_types(launch.kernel);
  std::vector<std::string> all;
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    const bool known = types.size() == launch.arguments.size();
    const std::string text = typed_text(launch, launch.arguments[i], known ? types[i] : "");
    if (text.empty()) return "";
    all.push_back(fmt::format("a{}={}", i, text));
  }
  return fmt::format("{}", fmt::join(all, ","));
}

// A measurement for each kernel that no template has, in the order in which they were launched first.
std::vector<Measurement> measurements_of_others(const CapturedLaunches& captured,
                                                std::span<const KernelTemplate> templates,
                                                const std::string& listing) {
  std::vector<Measurement> all;
  for (const CapturedLaunch& launch : captured.launches) {
    const auto has_it = [&](const KernelTemplate& one) { return is_of(one, launch); };
    if (!is_timed(launch) || launch.managed || launch.of_host ||
        std::any_of(templates.begin(), templates.end(), has_it))
      continue;
    const std::string name = name_of(launch), arguments = arguments_by_type(launch);
    if (arguments.empty() && !launch.arguments.empty()) continue;
    auto of = std::find_if(all.begin(), all.end(), [&](const auto& m) { return m.table.title == name; });
    if (of == all.end())
      of = all.insert(of, {.probe = listing,
                           .model = "kernel",
                           .measures = fmt::format("{}: {}", listing, name),
                           .table = {.title = name},
                           .verified = true});
    add_launch(of->table, launch, captured.serial,
               {{"listing", listing}, {"kernel", name}, {"shared", "as launched"}, {"arg", arguments}});
  }
  return all;
}

} // namespace

Record run_of_launches(const CapturedLaunches& captured, std::span<const KernelTemplate> templates,
                       const std::string& listing, const std::filesystem::path& file) {
  if (captured.gpus.size() != 1)
    throw InputError(fmt::format("{}: launches of one GPU are expected, these are of {}", file.string(),
                                 captured.gpus.size()));
  const CapturedGpu& gpu = captured.gpus.front();
  Record run{.date = captured.date,
             .device = {{"name", gpu.name}, {"compute_capability", gpu.capability}},
             .environment = {{"driver", gpu.driver}},
             .result = {.kind = Kind::measured}};
  std::vector<KernelTemplate> of_listing;
  for (const KernelTemplate& one : templates)
    if (listing.empty() || one.listing == listing) of_listing.push_back(one);
  for (const KernelTemplate& one : of_listing)
    if (Measurement m = measurement_of(one, captured); m.table.rows() > 0)
      run.measurements.push_back(std::move(m));
  if (!listing.empty())
    for (Measurement& m : measurements_of_others(captured, of_listing, listing))
      run.measurements.push_back(std::move(m));
  if (run.measurements.empty())
    throw InputError(fmt::format("{}: no launch in it is of a template; of other kernels: 'perfmodel kernel "
                                 "LISTING --launches FILE'",
                                 file.string()));
  if (gpu.clock > 0)
    for (Measurement& m : run.measurements)
      m.conditions = {
          {"sm_clock", format_quantity(static_cast<double>(gpu.clock), unit_of<Hertz>(), Prefix::si, 5)}};
  return run;
}

} // namespace perfmodel::hwdb
