#include "broadcast_said.hpp"

#include "models/access/bank_conflicts.hpp"
#include "models/access/coalescing.hpp"
#include "models/access/launch.hpp"
#include "models/core/facts.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace perfmodel::cli {

namespace {

const Axis* axis_of(const Request& request, std::string_view name) {
  const auto at = std::find_if(request.inputs.begin(), request.inputs.end(),
                               [&](const Axis& axis) { return axis.name == name; });
  return at == request.inputs.end() ? nullptr : &*at;
}

// "" where it is not given.
std::string text_of(const Request& request, std::string_view name) {
  const Axis* axis = axis_of(request, name);
  return axis == nullptr ? "" : axis->values.front().text;
}

// Whether the threads of every warp access one word, and those of some warp are several. Asked once the model
// has answered, so that all of it can be read.
bool is_of_one_word(const Request& request) {
  const bool is_sweep = std::any_of(request.inputs.begin(), request.inputs.end(),
                                    [](const Axis& axis) { return axis.values.size() > 1; });
  if (is_sweep || text_of(request, "index").empty()) return false;
  const std::string block = text_of(request, "block");
  LaunchWalk walk(block.empty() ? BankConflicts::Input{}.block : Shape::from_text(block), {},
                  Bindings::from_text(text_of(request, "let")));
  walk.guard_by(Expression::from_text(text_of(request, "if")), "--if");
  const std::size_t words = walk.add(Expression::from_text(text_of(request, "index")), "--index");
  bool one_word = true, is_shared = false;
  walk.each_warp([&](const WarpView& view) {
    std::optional<std::int64_t> first;
    for (std::size_t lane = 0; lane < warp_lanes; ++lane) {
      if ((view.active >> lane & 1u) == 0) continue;
      const std::int64_t word = view.values(words)[lane];
      one_word = one_word && (!first || *first == word);
      is_shared = is_shared || first;
      first = word;
    }
  });
  return one_word && is_shared;
}

} // namespace

void say_broadcast(const Model& model, const Request& request, Result& result) {
  if (model.info.name != BankConflicts::info.name) return;
  const Axis* strides = axis_of(request, "stride");
  const bool has_stride_0 =
      strides != nullptr && std::any_of(strides->values.begin(), strides->values.end(),
                                        [](const Value& stride) { return stride.number == 0; });
  if (!has_stride_0 && !is_of_one_word(request)) return;
  std::string of = has_stride_0 && strides->values.size() > 1 ? "With stride 0 all" : "All";
  result.verdict.push_back(
      of + (text_of(request, "access") == "store"
                ? " threads of a warp store to the same word, where one of their values stays."
                : " threads of a warp read the same word, which is broadcast to them."));
}

std::string why_above_the_pins(const Model& model, std::span<const Gpu> gpus, const std::string& drawn,
                               const Result& result) {
  if (model.info.name != Coalescing::info.name || drawn != "bandwidth") return "";
  for (const Table& table : result.tables) {
    const Column *bandwidth = table.find("bandwidth"), *gpu = table.find("gpu");
    if (bandwidth == nullptr || gpu == nullptr) continue;
    for (const Gpu& one : gpus) {
      const auto pins = one.find(facts::dram_bandwidth);
      for (std::size_t row = 0; pins && row < table.rows(); ++row)
        if (gpu->text(row) == one.name && bandwidth->number(row) > pins->value.value)
          return "More than the pins deliver: a word that several lanes share is counted for each of them.";
    }
  }
  return "";
}

} // namespace perfmodel::cli
