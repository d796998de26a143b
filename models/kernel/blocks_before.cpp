// What blocks before one have left for it.
#include "run_block.hpp"

#include "models/core/error.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace perfmodel {

const EarlierBlocks& KernelRunner::earlier_blocks(LoadedData data) const {
  if (earlier_) return *earlier_;
  const auto earlier = std::make_shared<EarlierBlocks>();
  std::vector<std::uint64_t> asked;
  std::uint64_t most = most_instructions; // of all of them
  const auto unseen = [](const Executed&) {};
  for (std::int64_t n = 0; n < std::min(EarlierBlocks::in_order, launch_.grid.count()); ++n) {
    std::vector<LeftWord> left;
    asked.clear();
    BlockState block = begun(n, data);
    block.in_order = true;
    block.global = GlobalBytes(launch_.arguments.memory, *earlier, n);
    block.left = &left;
    block.asked = &asked;
    most -= run(block, data, unseen, most, nullptr).instructions;
    earlier->add(left);
  }
  earlier->complete(asked, data.together);
  earlier_ = earlier;
  return *earlier_;
}

const KernelRunner::SettledWords& KernelRunner::left_by_first(LoadedData data) const {
  if (first_left_) return *first_left_;
  SettledWords left;
  try {
    std::set<std::uint64_t> words;
    BlockState block = begun(0, data);
    block.settling = &words;
    run(
        block, data, [](const Executed&) {}, most_instructions, nullptr);
    for (const std::uint64_t word : words)
      if (const auto value = block.global.read(4 * word, 4))
        left.emplace_back(word, static_cast<std::uint32_t>(*value));
  } catch (const InputError&) { // others may find their way
  }
  first_left_ = std::make_shared<const SettledWords>(std::move(left));
  return *first_left_;
}

} // namespace perfmodel
