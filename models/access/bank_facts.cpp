// The banks of a GPU, from its facts.
#include "banks.hpp"

#include "models/core/error.hpp"
#include "models/core/trace.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace perfmodel {

namespace {

// Whoever overrides a fact may give any number.
std::int64_t count_of(std::string_view path, double value) {
  if (!(value >= 1 && value <= 4096 && value == std::floor(value)))
    throw InputError(fmt::format("{} is {}; a whole number from 1 to 4096 is expected", path, value));
  return static_cast<std::int64_t>(value);
}

} // namespace

template <class T> Banks banks_of(const Gpu& gpu, const std::optional<Bytes>& mode, T& trace) {
  const auto whole = [&](const auto& key) {
    return count_of(key.path, base_value(value_of(trace.fact(gpu, key))));
  };
  const auto one_of = [&](const Key<std::string>& key, std::string_view yes, std::string_view no) {
    const std::string text = gpu.at(key).value;
    trace.say(key.path, key.meaning, text);
    if (text != yes && text != no)
      throw InputError(fmt::format("{}: {} is '{}'; '{}' or '{}' is expected", gpu.record(key.path)->place,
                                   key.path, text, yes, no));
    return text == yes;
  };
  Banks banks;
  banks.count = whole(facts::shared_banks);
  banks.width = whole(facts::shared_bank_width);
  banks.request_threads = whole(facts::shared_request_threads);
  banks.broadcasts_every_word = one_of(facts::shared_broadcast, "every_word", "one_word");
  banks.splits_words = one_of(facts::shared_wide_access, "bank_words", "fewer_threads");
  if (gpu.record(facts::shared_extra_steps_16B.path) != nullptr)
    banks.extra_steps_wide = whole(facts::shared_extra_steps_16B);
  if (const auto pairs = gpu.find(facts::shared_lane_pairs)) {
    for (const Count p : pairs->value) banks.lane_pairs.push_back(count_of(facts::shared_lane_pairs.path, p));
    trace.say(facts::shared_lane_pairs.path, facts::shared_lane_pairs.meaning,
              fmt::format("{}", fmt::join(banks.lane_pairs, ", ")));
  }
  banks.interleave = banks.width;
  const auto modes = gpu.find(facts::shared_bank_modes);
  if (modes) {
    banks.interleave = count_of(facts::shared_bank_modes.path, modes->value.front().value);
    trace.say(facts::shared_bank_modes.path, facts::shared_bank_modes.meaning,
              fmt::format("{} B first", banks.interleave));
  }
  if (!mode) return banks;
  banks.interleave = count_of("--mode", mode->value);
  const bool known = modes ? std::find(modes->value.begin(), modes->value.end(), *mode) != modes->value.end()
                           : banks.interleave == banks.width;
  if (!known)
    throw InputError(modes
                         ? fmt::format("--mode: the banks of {} have no mode of {} B", gpu.name, mode->value)
                         : fmt::format("--mode: the banks of {} are {} B wide, nothing can be chosen",
                                       gpu.name, banks.width));
  return banks;
}

template Banks banks_of(const Gpu&, const std::optional<Bytes>&, Plain&);
template Banks banks_of(const Gpu&, const std::optional<Bytes>&, Recorder&);

} // namespace perfmodel
