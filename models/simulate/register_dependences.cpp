#include "register_dependences.hpp"

#include <algorithm>

namespace perfmodel {

namespace {
constexpr std::uint16_t nobody = 0xffff;
}

RegisterDependences::RegisterDependences(const KernelCode& code) {
  for (const Instruction& i : code.instructions) uses_.push_back(register_use(i));
}

void RegisterDependences::begin_block(std::size_t warps) {
  owner_.resize(warps);
  for (auto& owner : owner_) owner.fill(nobody);
}

void RegisterDependences::add(const Executed& executed, TracedStep& step) {
  auto& owner = owner_[executed.warp];
  const RegisterUse& use = uses_[executed.instruction];
  const auto wait = [&](std::uint16_t place) {
    const std::uint16_t from = owner[place];
    if (from == nobody || step.waits == step.waits_for.size()) return;
    const auto* const end = step.waits_for.begin() + step.waits;
    if (std::find(step.waits_for.cbegin(), static_cast<decltype(step.waits_for.cbegin())>(end), from) == end)
      step.waits_for[step.waits++] = from;
  };
  for (const std::uint16_t place : use.reads) wait(place);
  for (const std::uint16_t place : use.writes)
    wait(place); // in order: a result that is not there yet is not overtaken
  if (use.writes.empty()) return;
  step.result = use.writes.front();
  for (const std::uint16_t place : use.writes) owner[place] = step.result;
}

void RegisterDependences::forget(const Executed& executed) {
  if (executed.warp >= owner_.size()) return;
  for (const std::uint16_t place : uses_[executed.instruction].writes) owner_[executed.warp][place] = nobody;
}

} // namespace perfmodel
