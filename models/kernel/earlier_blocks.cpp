#include "earlier_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace perfmodel {

namespace {

std::int64_t remainder_of(std::int64_t word, std::int64_t step) {
  const std::int64_t size = std::abs(step), rest = word % size;
  return rest < 0 ? rest + size : rest;
}

} // namespace

void EarlierBlocks::add(const std::vector<LeftWord>& left) {
  Block block;
  std::map<std::tuple<std::size_t, std::size_t, unsigned>, std::size_t> runs;
  for (const LeftWord& one : left) {
    const std::size_t n = runs[{one.instruction, one.warp, one.lane}]++;
    block[{one.instruction, one.warp, one.lane, n}] = {block.size(), one.word, one.value};
    std::vector<Left>& words = left_[one.word];
    if (words.empty() || words.back().block != blocks_) words.push_back({blocks_, one.value, one.value});
    words.back().last = one.value;
  }
  if (blocks_ == in_order / 2) middle_ = block, middle_at_ = blocks_;
  before_ = std::exchange(last_, std::move(block));
  ++blocks_;
}

void EarlierBlocks::complete(const std::vector<std::uint64_t>& asked, std::int64_t together) {
  together_ = together;
  std::set<std::int64_t> looked_at;
  for (const std::uint64_t word : asked)
    if (const auto left = left_.find(word); left != left_.end() && left->second.size() == 1)
      looked_at.insert(left->second.front().block);
  of_a_look_ = static_cast<std::int64_t>(looked_at.size());
  const std::int64_t last = blocks_ - 1;
  if (last <= middle_at_ + 1) return;
  for (const auto& [writer, written] : last_) {
    const auto before = before_.find(writer), middle = middle_.find(writer);
    if (before == before_.end() || middle == middle_.end()) continue;
    const auto word = static_cast<std::int64_t>(written.word),
               step = word - static_cast<std::int64_t>(before->second.word);
    if (word - static_cast<std::int64_t>(middle->second.word) != step * (last - middle_at_)) continue;
    Rule rule{.order = written.order, .word = word, .step = step, .value = written.value};
    if (written.value && middle->second.value)
      rule.growth = static_cast<double>(static_cast<std::int32_t>(*written.value - *middle->second.value)) /
                    static_cast<double>(last - middle_at_);
    else
      rule.value = std::nullopt;
    if (step == 0) {
      Rule& standing = standing_[written.word];
      if (standing.word == 0 || standing.order <= rule.order) standing = rule;
    } else {
      moving_[step][remainder_of(word, step)].push_back(rule);
    }
  }
}

std::optional<std::uint32_t> EarlierBlocks::value_of(const Rule& rule, std::int64_t blocks_on) const {
  if (!rule.value) return std::nullopt;
  return *rule.value + static_cast<std::uint32_t>(std::llround(rule.growth * static_cast<double>(blocks_on)));
}

std::int64_t EarlierBlocks::on_their_way(std::int64_t block) const {
  if (of_a_look_ == 0 || block >= together_) return 0;
  std::int64_t looks = 1;
  while (of_a_look_ * looks * (looks + 1) / 2 < block) ++looks;
  return of_a_look_ * (looks - 1);
}

std::optional<std::optional<std::uint32_t>> EarlierBlocks::find(std::uint64_t word,
                                                                std::int64_t block) const {
  const std::int64_t last = blocks_ - 1, done = block - on_their_way(block);
  if (block > blocks_) {
    if (const auto rule = standing_.find(word); rule != standing_.end())
      return value_of(rule->second, block - 1 - last);
    const Rule* found = nullptr;
    std::int64_t on = 0;
    for (const auto& [step, by_remainder] : moving_) {
      const auto rules = by_remainder.find(remainder_of(static_cast<std::int64_t>(word), step));
      if (rules == by_remainder.end()) continue;
      for (const Rule& rule : rules->second) {
        const std::int64_t blocks_on = (static_cast<std::int64_t>(word) - rule.word) / step;
        if (blocks_on < 1 || last + blocks_on >= block) continue;
        const bool first = last + blocks_on >= done;
        if (found == nullptr || (first ? rule.order < found->order : found->order < rule.order))
          found = &rule, on = blocks_on;
      }
    }
    if (found != nullptr) return value_of(*found, on);
  }
  const auto words = left_.find(word);
  if (words == left_.end()) return std::nullopt;
  const auto behind = std::partition_point(words->second.begin(), words->second.end(),
                                           [&](const Left& one) { return one.block < block; });
  if (behind == words->second.begin()) return std::nullopt;
  const Left& left = *std::prev(behind);
  if (words->second.size() == 1) return left.block >= done ? left.first : left.last;
  // One that several blocks write, but not each in its turn, holds nobody knows what later on.
  return block > blocks_ ? std::optional<std::uint32_t>() : left.last;
}

} // namespace perfmodel
