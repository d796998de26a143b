// What blocks before one have left for it.
#include "run_block.hpp"

#include <algorithm>
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

const std::vector<LeftWord>& KernelRunner::left_by_first(LoadedData data) const {
  if (first_left_) return *first_left_;
  std::vector<LeftWord> left;
  BlockState block = begun(0, data);
  block.left = &left;
  run(
      block, data, [](const Executed&) {}, most_instructions, nullptr);
  const std::vector<CommonWord> common = common_words(code_);
  std::erase_if(left, [&](const LeftWord& one) {
    const auto at = std::find_if(code_.instructions.begin(), code_.instructions.end(),
                                 [&](const Instruction& i) { return i.address == one.instruction; });
    return at == code_.instructions.end() ||
           common[static_cast<std::size_t>(at - code_.instructions.begin())] != CommonWord::settling;
  });
  first_left_ = std::make_shared<const std::vector<LeftWord>>(std::move(left));
  return *first_left_;
}

} // namespace perfmodel
