#include "view_said.hpp"

#include "cli/glossary.hpp"
#include "models/core/quantity_text.hpp"
#include "models/views/kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace perfmodel::cli {

namespace {

const Table* table_titled(const Result& result, std::string_view title) {
  const auto at = std::find_if(result.tables.begin(), result.tables.end(),
                               [&](const Table& table) { return table.title == title; });
  return at == result.tables.end() ? nullptr : &*at;
}

// The row of this GPU with the greatest share; none where it has no row.
std::optional<std::size_t> row_with_most(const Table& table, const Column& share, const Gpu& gpu) {
  const Column* device = table.find("gpu");
  std::optional<std::size_t> most;
  for (std::size_t row = 0; row < table.rows(); ++row)
    if ((device == nullptr || device->text(row) == gpu.name) &&
        (!most || share.number(row) > share.number(*most)))
      most = row;
  return most;
}

// ": the warp waits for data ...", as the glossary has it; "" of what it has not.
std::string meaning_of_stall(const std::string& stall) {
  constexpr std::string_view is_stall = "stall: ";
  for (const Term* term : terms_called(stall))
    if (term->meaning.rfind(is_stall, 0) == 0) return ": " + term->meaning.substr(is_stall.size());
  return "";
}

std::string sentence(const Table& table, const Gpu& gpu, bool are_stalls) {
  const Column &reason = table.at(are_stalls ? "stall" : "unit"),
               &share = table.at(are_stalls ? "share" : "busy");
  const std::optional<std::size_t> row = row_with_most(table, share, gpu);
  if (!row) return "";
  const std::string what = reason.text(*row), of_time = format_quantity(share.number(*row), share.unit);
  return are_stalls ? fmt::format("Most of the time of resident warps, {}, is {}{}.", of_time, what,
                                  meaning_of_stall(what))
                    : fmt::format("The busiest unit is {}, {} of the time.", what, of_time);
}

} // namespace

void say_view(const Model& model, const Request& request, std::span<const Gpu> gpus, Result& result) {
  if (model.info.name != KernelModel::info.name) return;
  const auto asks = [&](std::string_view view) {
    return std::any_of(request.inputs.begin(), request.inputs.end(), [&](const Axis& axis) {
      return axis.name == "view" && axis.values.size() == 1 && axis.values.front().text == view;
    });
  };
  const bool are_stalls = asks("stalls");
  if (!are_stalls && !asks("pipes")) return;
  const Table* launches = table_titled(result, KernelModel::Summary::title);
  const Table* view =
      table_titled(result, are_stalls ? KernelModel::StallRow::title : KernelModel::Pipe::title);
  if (launches == nullptr || view == nullptr || launches->rows() != gpus.size()) return;
  for (const Gpu& gpu : gpus)
    if (const std::string said = sentence(*view, gpu, are_stalls); !said.empty())
      result.verdict.push_back(gpus.size() > 1 ? gpu.name + ": " + said : said);
}

void name_gpus_once(std::span<const Gpu> gpus, Result& result) {
  for (std::string& sentence : result.verdict)
    for (const Gpu& gpu : gpus) {
      const std::string again = " on " + gpu.name + ",";
      const bool leads = sentence.rfind(gpu.name + ": ", 0) == 0 || sentence.rfind(gpu.name + ", ", 0) == 0;
      if (const std::size_t at = sentence.find(again); leads && at != sentence.npos)
        sentence.erase(at, again.size() - 1);
    }
}

} // namespace perfmodel::cli
