#include "kernel_launches.hpp"

#include "models/core/error.hpp"
#include "models/views/kernel.hpp"
#include "models/views/same_kernel.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace perfmodel::cli {

namespace {

bool is_given(const std::map<std::string, std::string>& inputs, const char* name) {
  const auto found = inputs.find(name);
  return found != inputs.end() && !found->second.empty();
}

// The kernels of the launches that have no prediction, each once.
std::vector<std::string> kernels_missing(const Result& result, bool& not_listed) {
  std::vector<std::string> names;
  for (const Table& table : result.tables) {
    if (table.title != KernelModel::Missing::title) continue;
    const Column &kernels = table.at("kernel"), &why = table.at("why");
    for (std::size_t row = 0; row < kernels.size(); ++row) {
      not_listed = not_listed || why.text(row) == KernelModel::Missing::not_listed;
      if (std::string name = written_name(kernels.text(row));
          std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(std::move(name));
    }
  }
  return names;
}

} // namespace

void check_launches_alone(const std::map<std::string, std::string>& inputs) {
  if (!is_given(inputs, "launches")) return;
  for (const char* name : {"grid", "block", "arg", "shared"})
    if (is_given(inputs, name))
      throw InputError(fmt::format("--{} does not go with --launches, which says it of each launch", name));
}

void note_launches(Result& result, const std::string& text) {
  const CapturedLaunches captured = CapturedLaunches::from_text(text);
  for (const CapturedGpu& gpu : captured.gpus) {
    std::string note = "captured on " + gpu.name;
    if (gpu.clock > 0) note += fmt::format(" at {} MHz", gpu.clock / 1'000'000);
    if (!gpu.driver.empty()) note += ", driver " + gpu.driver;
    result.notes.push_back(note);
  }
  bool not_listed = false;
  if (const auto names = kernels_missing(result, not_listed); !names.empty())
    result.notes.push_back(fmt::format("not predicted: {}", fmt::join(names, ", ")));
  if (not_listed) result.notes.push_back(std::string(KernelModel::Missing::of_a_library) + '.');
  if (captured.left_out > 0)
    result.notes.push_back(
        fmt::format("{} more launches were not kept when they were captured", captured.left_out));
  if (!captured.complete)
    result.notes.push_back("a process was ended from outside while it was captured: launches may be missing");
  result.notes.insert(result.notes.end(), captured.notes.begin(), captured.notes.end());
}

} // namespace perfmodel::cli
