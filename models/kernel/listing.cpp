#include "listing.hpp"

#include "elf_text.hpp"
#include "function_text.hpp"

#include "models/core/error.hpp"
#include "models/core/model.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace perfmodel {

namespace {

// The name of the function that begins here.
std::optional<std::string_view> function_of(std::string_view line) {
  constexpr std::string_view cuobjdump = "Function : ", nvdisasm = ".text.";
  if (const std::size_t at = line.find(cuobjdump); at != line.npos)
    return trimmed(line.substr(at + cuobjdump.size()));
  const std::string_view word = trimmed(line);
  if (word.starts_with(nvdisasm) && word.back() == ':')
    return word.substr(nvdisasm.size(), word.size() - nvdisasm.size() - 1);
  return std::nullopt;
}

struct Found {
  std::string_view name, body; // what stands between it and the next
  std::size_t line = 0;        // of the body's first
  int capability = 0;
  std::string_view before; // comments in front of it
};

std::vector<Found> all_functions(std::string_view listing) {
  std::vector<Found> found;
  ListingLines lines{listing};
  int capability = 0;
  for (const char* start = listing.data(); const auto line = lines.next(); start = lines.rest.data()) {
    if (line->find("code for sm_") != line->npos || line->find("arch = sm_") != line->npos ||
        line->find(".target") != line->npos || line->find("// target:") != line->npos ||
        line->find("EF_CUDA_SM") != line->npos) {
      if (const int known = capability_of(*line); known > 0) {
        capability = known;
        if (!found.empty() && line->find("// target:") != line->npos) found.back().capability = known;
      }
    }
    const auto name = function_of(*line);
    if (!name || name->empty()) continue;
    if (!found.empty())
      found.back().body =
          found.back().body.substr(0, static_cast<std::size_t>(start - found.back().body.data()));
    found.push_back({*name, lines.rest, lines.number, capability, {}});
  }
  return found;
}

} // namespace

std::size_t KernelCode::at(std::int64_t address, const Instruction& from) const {
  const auto found = std::lower_bound(instructions.begin(), instructions.end(), address,
                                      [](const Instruction& i, std::int64_t a) { return i.address < a; });
  if (found == instructions.end() || found->address != address)
    throw InputError(
        fmt::format("line {}: {}: no instruction is at {:#x}", from.line, quoted(from.text), address));
  return static_cast<std::size_t>(found - instructions.begin());
}

std::vector<std::string> functions_of(std::string_view listing) {
  std::vector<std::string> names;
  for (const Found& one : all_functions(listing)) names.emplace_back(one.name);
  return names;
}

namespace {

// What the listing says of the ELF file that has this function. Of a name that several have only what stands
// in front of the function, behind the heading of its file: as of programs that are compiled while they run,
// each kernel for itself, put one behind the other.
std::string_view text_of_file(std::string_view listing, const std::vector<Found>& all, const Found& one) {
  const auto namesakes =
      std::count_if(all.begin(), all.end(), [&](const Found& other) { return other.name == one.name; });
  if (namesakes < 2) return listing;
  const std::string_view before =
      listing.substr(0, static_cast<std::size_t>(one.body.data() - listing.data()));
  return before.substr(begin_of_last_file(before));
}

KernelCode read_found(std::string_view listing, const std::vector<Found>& all, const Found& one) {
  KernelCode code{.name = std::string(one.name), .capability = one.capability};
  read_function(code, {one.body, one.line});
  add_elf_facts(code, text_of_file(listing, all, one));
  if (code.instructions.empty())
    throw InputError(fmt::format("function {} of this listing has no instructions", quoted(code.name)));
  return code;
}

// A function is listed once for each architecture.
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 3;
  const std::set<std::string> all(names.begin(), names.end());
  std::vector<std::string> some;
  for (const std::string& name : all)
    if (some.size() < shown) some.push_back(quoted(name));
  const std::size_t more = all.size() - some.size();
  return fmt::format("{}{}", fmt::join(some, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

} // namespace

std::vector<KernelCode> read_namesakes(std::string_view listing, std::string_view name) {
  const std::vector<Found> all = all_functions(listing);
  int newest = 0;
  for (const Found& one : all)
    if (one.name == name) newest = std::max(newest, one.capability);
  std::vector<KernelCode> read;
  for (const Found& one : all)
    if (one.name == name && one.capability == newest) read.push_back(read_found(listing, all, one));
  return read;
}

KernelCode read_listing(std::string_view listing, std::string_view name) {
  const std::vector<Found> all = all_functions(listing);
  if (all.empty())
    throw InputError(
        "no function is in this listing: 'Function : NAME' of cuobjdump -sass, or '.text.NAME:' of nvdisasm");
  std::vector<Found> chosen;
  for (const Found& one : all)
    if (one.name == name) chosen.push_back(one);
  if (chosen.empty())
    for (const Found& one : all)
      if (one.name.find(name) != one.name.npos) chosen.push_back(one);
  std::vector<std::string> names;
  for (const Found& one : all) names.emplace_back(one.name);
  if (chosen.empty())
    throw InputError(fmt::format("--kernel: no function of this listing is named {}{}; it has {}",
                                 quoted(name), suggestion(name, names), some_of(names)));
  // The same function for several architectures: the newest.
  std::stable_sort(chosen.begin(), chosen.end(),
                   [](const Found& a, const Found& b) { return a.capability > b.capability; });
  for (const Found& one : chosen)
    if (one.name != chosen.front().name)
      throw InputError(
          fmt::format("several functions of this listing match {}: {} and {}; give more of the name",
                      quoted(name), quoted(chosen.front().name), quoted(one.name)));
  return read_found(listing, all, chosen.front());
}

} // namespace perfmodel
