#include "transpose.hpp"

#include "models/core/in_words.hpp"
#include "models/kernel/known_kernels.hpp"
#include "models/machine/caches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

bool is_transpose(const Transpose::Rung& rung) {
  return rung.version != "copy" && rung.version != "tile-copy" && rung.version != "strided-both";
}

} // namespace

std::vector<FastestTranspose> fastest_of(const std::vector<Transpose::Rung>& rungs) {
  std::vector<const Transpose::Rung*> ranked;
  for (const Transpose::Rung& rung : rungs)
    if (is_transpose(rung)) ranked.push_back(&rung);
  if (ranked.size() < 2) return {};
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto* a, const auto* b) { return a->time < b->time; });
  return {{.version = ranked[0]->version,
           .time = ranked[0]->time,
           .of_roof = ranked[0]->of_roof,
           .next = ranked[1]->version,
           .ahead = ranked[1]->time / ranked[0]->time,
           .bound = ranked[0]->bound}};
}

std::string Transpose::pick(const Tables& rows) {
  constexpr double told_apart = 1.05; // as docs/models/transpose.md has it of measured ones
  const auto& fastest = std::get<std::vector<FastestTranspose>>(rows);
  if (fastest.empty()) return "";
  const FastestTranspose& best = fastest.front();
  if (best.ahead >= told_apart) return best.version;
  return std::min(best.version, best.next) + " or " + std::max(best.version, best.next);
}

namespace {
// Of the transposes, where there are any; nullptr where nothing runs.
const Transpose::Rung* fastest_transpose(const std::vector<Transpose::Rung>& rungs) {
  const Transpose::Rung* best = nullptr;
  const auto rank = [](const Transpose::Rung& rung) { return std::pair(!is_transpose(rung), rung.time); };
  for (const Transpose::Rung& rung : rungs)
    if (best == nullptr || rank(rung) < rank(*best)) best = &rung;
  return best;
}
} // namespace

const void* Transpose::said(const Input&, const Tables& rows) {
  const Rung* best = fastest_transpose(std::get<0>(rows));
  return best == nullptr ? nullptr : &best->time;
}

std::string Transpose::verdict(const Gpu& gpu, const Input& in, const Tables& rows) {
  const std::vector<Rung>& rungs = std::get<0>(rows);
  const Rung* best = fastest_transpose(rungs);
  if (best == nullptr) return "No version runs there.";
  const std::string roof = std::isnan(best->dram_bytes.value)
                               ? "what L2 can read and write, where both matrices stay"
                               : "a copy's bandwidth";
  std::string text =
      fmt::format("{} takes {} for {} x {}: {}, {} of {}, bound by {}", best->version, in_words(best->time),
                  in_words(best->n), in_words(best->n), in_words(best->bandwidth), in_percent(best->of_roof),
                  roof, binding(best->bound));
  if (in.pitch && *in.pitch > in.n)
    text += fmt::format(", in {} more memory", in_percent(*in.pitch / in.n - 1));
  // Without an L2 no time is the code's.
  const std::string foreign = has_l2(gpu) ? foreign_code("transpose", gpu.capability()) : "";
  const std::string code = foreign.empty() ? "" : " in " + foreign;
  if (rungs.size() == 1) return text + (code.empty() ? "." : "," + code + ".");
  text = fmt::format("Fastest{}: {}", code.empty() ? " transpose" : code, text);
  std::vector<std::string> by_tensor; // whose time is that of the copies of tiles
  for (const Rung& rung : rungs)
    if (rung.version == "tensor-copy") by_tensor.push_back(rung.version);
  if (const std::string lacks = not_viewed(in.view, by_tensor); !lacks.empty()) return text + "." + lacks;
  if (!std::isnan(best->total_gain) && best->version != "naive")
    text += fmt::format(". That is {} times as fast as naive{}", in_words(best->total_gain),
                        left_in_words(std::get<std::vector<LeftByLink>>(rows), best->version));
  return text + ".";
}

} // namespace perfmodel
