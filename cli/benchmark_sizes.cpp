#include "benchmark_sizes.hpp"

#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace perfmodel::cli {

namespace {

constexpr auto of_the_harness = std::to_array<std::string_view>(
    {"iterations", "repeats", "threads", "min_time", "min_warmup_time", "Device"});

// "1024", "2^28".
std::optional<double> whole_number(std::string_view text) {
  const auto number = [](std::string_view digits) -> std::optional<double> {
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
    return value;
  };
  const std::size_t power = text.find('^');
  if (power == text.npos) return number(text);
  const auto base = number(text.substr(0, power)), exponent = number(text.substr(power + 1));
  return base && exponent ? std::optional(std::pow(*base, *exponent)) : std::nullopt;
}

void add_size(std::string_view word, char equals, std::vector<NamedSize>& sizes) {
  const std::size_t at = word.find(equals);
  const std::string_view name = at == word.npos ? std::string_view() : word.substr(0, at);
  const std::optional<double> value = whole_number(at == word.npos ? word : word.substr(at + 1));
  const bool own = std::find(of_the_harness.begin(), of_the_harness.end(), name) != of_the_harness.end();
  if (value && !own) sizes.push_back({std::string(name), *value});
}

void for_words(std::string_view text, char between, auto take) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(between), text.size());
    take(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

bool equal(double a, double b) { return std::fabs(a - b) <= 1e-9 * std::fabs(b); }

} // namespace

std::vector<NamedSize> sizes_in_name(std::string_view benchmark) {
  std::vector<NamedSize> sizes;
  if (const std::size_t axes = benchmark.find(" ["); axes != benchmark.npos) {
    const std::string_view values = benchmark.substr(axes + 2);
    for_words(values.substr(0, values.find(']')), ' ', [&](auto word) { add_size(word, '=', sizes); });
  } else if (const std::size_t slash = benchmark.find('/'); slash != benchmark.npos) {
    for_words(benchmark.substr(slash + 1), '/', [&](auto word) { add_size(word, ':', sizes); });
  }
  return sizes;
}

std::vector<NamedSize> sizes_of_arguments(std::string_view arguments) {
  std::vector<NamedSize> sizes;
  for_words(arguments, ',', [&](std::string_view word) {
    const std::size_t at = word.find('=');
    if (at == word.npos) return;
    const std::string_view text = word.substr(at + 1);
    try {
      const double value = parse_quantity(text.substr(0, text.find_first_of("@+ld", 1))).value;
      sizes.push_back({std::string(word.substr(0, at)), value});
    } catch (const InputError&) { // "@FILE"
    }
  });
  return sizes;
}

std::string kernel_in_name(std::string_view benchmark) {
  if (benchmark.substr(0, 3) == "BM_") benchmark.remove_prefix(3);
  return std::string(benchmark.substr(0, benchmark.find_first_of("/ ")));
}

SameSize compare_sizes(const std::vector<NamedSize>& benchmark, const std::vector<NamedSize>& launch,
                       const std::vector<double>& shape) {
  if (benchmark.empty()) return SameSize::none_given;
  SameSize all = SameSize::same;
  for (const NamedSize& size : benchmark) {
    const auto named = std::find_if(launch.begin(), launch.end(),
                                    [&](const NamedSize& own) { return own.name == size.name; });
    if (named != launch.end()) {
      if (!equal(named->value, size.value)) return SameSize::other;
      continue;
    }
    const bool is_argument = std::any_of(launch.begin(), launch.end(),
                                         [&](const NamedSize& own) { return equal(own.value, size.value); });
    const bool is_shape =
        &size != &benchmark.front() &&
        std::any_of(shape.begin(), shape.end(), [&](double v) { return equal(v, size.value); });
    if (!is_argument && !is_shape) all = SameSize::unknown;
  }
  return all;
}

} // namespace perfmodel::cli
