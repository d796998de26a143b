#include "listing_functions.hpp"

#include "models/core/error.hpp"
#include "models/kernel/captured_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

namespace perfmodel {

namespace {

bool may_be_of(const KernelCode& code, const CapturedLaunch& launch) {
  const auto differ = [](const auto& said, const auto& has) { return said && has && *said != *has; };
  return !differ(code.registers, launch.registers) && !differ(code.shared, launch.fixed_shared) &&
         (!code.threads || *code.threads == launch.block.count());
}

bool same_text(const KernelCode& a, const KernelCode& b) {
  return std::equal(a.instructions.begin(), a.instructions.end(), b.instructions.begin(),
                    b.instructions.end(),
                    [](const Instruction& x, const Instruction& y) { return x.text == y.text; });
}

// "_ZN44_GLOBAL__N__--------_11_stencils_cu_--------4blurEPf" of
// "_ZN44_GLOBAL__N__fe3aaf5b_11_stencils_cu_..": what stands for the file's contents in the name of its
// anonymous namespace is left away.
std::string without_hashes(std::string name) {
  constexpr std::string_view space = "_GLOBAL__N__", source = "_cu_";
  constexpr std::size_t hash = 8;
  for (std::size_t at = name.find(space); at != name.npos; at = name.find(space, at)) {
    at += space.size();
    const std::size_t end = name.find(source, at);
    if (end == name.npos || end + source.size() + hash > name.size()) break;
    name.replace(at, hash, hash, '-');
    name.replace(end + source.size(), hash, hash, '-');
  }
  return name;
}

} // namespace

std::string ListingFunctions::listed_name(const std::string& kernel) const {
  if (names_.contains(kernel)) return kernel;
  const std::string wanted = without_hashes(kernel);
  if (wanted == kernel) return "";
  std::string found;
  for (const std::string& name : names_) {
    if (without_hashes(name) != wanted) continue;
    if (!found.empty()) return "";
    found = name;
  }
  return found;
}

ListingFunctions::ListingFunctions(const std::string& listing) : listing_(listing) {
  for (std::string& name : functions_of(listing)) names_.insert(std::move(name));
}

const KernelCode& ListingFunctions::of(const CapturedLaunch& launch) {
  auto found = read_.find(launch.kernel);
  if (found == read_.end())
    found = read_.emplace(launch.kernel, read_namesakes(listing_, listed_name(launch.kernel))).first;
  const std::vector<KernelCode>& all = found->second;
  if (all.size() == 1) return all.front();
  const KernelCode* chosen = nullptr;
  for (const KernelCode& code : all) {
    if (!may_be_of(code, launch) || (chosen != nullptr && same_text(*chosen, code))) continue;
    if (chosen != nullptr)
      throw InputError(fmt::format("the listing has {} functions of this name, and registers, shared "
                                   "memory and threads of the launch do not tell them apart",
                                   all.size()));
    chosen = &code;
  }
  if (chosen == nullptr)
    throw InputError(fmt::format("of the {} functions of this name in the listing none has the launch's "
                                 "registers, shared memory and threads",
                                 all.size()));
  return *chosen;
}

std::shared_ptr<const KernelCode> ListingFunctions::launched(const CapturedLaunch& launch) {
  Said said{.kernel = launch.kernel,
            .registers = launch.registers,
            .shared = launch.fixed_shared,
            .threads = launch.block.count()};
  for (const CapturedArgument& argument : launch.arguments)
    said.parameters.emplace_back(argument.offset, argument.bytes.size());
  std::shared_ptr<const KernelCode>& code = launched_[said];
  if (!code) code = std::make_shared<KernelCode>(with_captured(of(launch), launch));
  return code;
}

ListingFunctions& functions_read(const std::string& listing) {
  thread_local std::unique_ptr<ListingFunctions> last;
  if (!last || !last->are_of(listing)) last = std::make_unique<ListingFunctions>(listing);
  return *last;
}

} // namespace perfmodel
