#include "template_launches.hpp"

#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"
#include "models/kernel/captured_arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
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

void add_launch(Table& table, const CapturedLaunch& launch, bool serial, const KernelTemplate& of,
                const Inputs& inputs) {
  add(table, "listing", Role::key, of.listing);
  add(table, "kernel", Role::key, value_of(inputs, "kernel"));
  add(table, "grid", Role::key, launch.grid.text());
  add(table, "block", Role::key, launch.block.text());
  if (!value_of(inputs, "shared").empty())
    add(table, "shared", Role::key, static_cast<double>(launch.dynamic_shared), unit_of<Bytes>());
  add(table, "arg", Role::key, arguments_of(launch, arguments_in(value_of(inputs, "arg"))));
  for (const char* assumed : {"index", "unknown"})
    if (const std::string word = value_of(inputs, assumed); !word.empty())
      add(table, assumed, Role::key, word);
  add(table, "cache", Role::key, std::string("warm"));
  add(table, "timed", Role::key, std::string(serial ? "serial" : "trace"));
  constexpr double nanosecond = 1e-9;
  add(table, "time", Role::measured, nanosecond * static_cast<double>(launch.times->median),
      unit_of<Seconds>());
}

Measurement measurement_of(const KernelTemplate& of, const CapturedLaunches& captured) {
  const Inputs inputs = inputs_of(of, of.sizes);
  const std::string kernel = value_of(inputs, "kernel");
  const std::size_t arguments = arguments_in(value_of(inputs, "arg")).size();
  Measurement m{.probe = "templates",
                .model = "kernel",
                .measures = fmt::format("{}: {}", of.name, of.title),
                .table = {.title = of.name},
                .verified = true}; // by the program, which ends where an answer is wrong
  for (const CapturedLaunch& launch : captured.launches)
    if (launch.kernel.find(kernel) != std::string::npos && launch.times && launch.times->median > 0 &&
        launch.arguments_known && launch.arguments.size() == arguments)
      add_launch(m.table, launch, captured.serial, of, inputs);
  return m;
}

} // namespace

Record run_of_launches(const CapturedLaunches& captured, std::span<const KernelTemplate> templates,
                       const std::filesystem::path& file) {
  if (captured.gpus.size() != 1)
    throw InputError(fmt::format("{}: launches of one GPU are expected, these are of {}", file.string(),
                                 captured.gpus.size()));
  const CapturedGpu& gpu = captured.gpus.front();
  Record run{.date = captured.date,
             .device = {{"name", gpu.name}, {"compute_capability", gpu.capability}},
             .environment = {{"driver", gpu.driver}},
             .result = {.kind = Kind::measured}};
  for (const KernelTemplate& one : templates) {
    Measurement m = measurement_of(one, captured);
    if (m.table.rows() == 0) continue;
    if (gpu.clock > 0)
      m.conditions = {
          {"sm_clock", format_quantity(static_cast<double>(gpu.clock), unit_of<Hertz>(), Prefix::si, 5)}};
    run.measurements.push_back(std::move(m));
  }
  if (run.measurements.empty())
    throw InputError(fmt::format("{}: no launch in it is of a template; of other kernels: 'perfmodel kernel "
                                 "LISTING --launches FILE'",
                                 file.string()));
  return run;
}

} // namespace perfmodel::hwdb
