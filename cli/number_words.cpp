#include "number_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace perfmodel::cli {

namespace {

struct NumberWord {
  std::string_view said, format, size;
};
constexpr auto number_words = std::to_array<NumberWord>({{"double", "fp64", "8B"},
                                                         {"float64", "fp64", "8B"},
                                                         {"float", "fp32", "4B"},
                                                         {"single", "fp32", "4B"},
                                                         {"float32", "fp32", "4B"},
                                                         {"half", "fp16", "2B"},
                                                         {"float16", "fp16", "2B"},
                                                         {"bfloat16", "bf16", "2B"},
                                                         {"int", "int32", "4B"},
                                                         {"char", "int8", "1B"},
                                                         {"float2", "", "8B"},
                                                         {"float4", "", "16B"},
                                                         {"fp64", "", "8B"},
                                                         {"fp32", "", "4B"},
                                                         {"fp16", "", "2B"}});

std::string lower(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return word;
}

std::string known_word(const Option& option, const std::string& given) {
  if (std::find(option.choices.begin(), option.choices.end(), given) != option.choices.end()) return given;
  for (const std::string& choice : option.choices)
    if (lower(choice) == lower(given)) return choice;
  const std::string word = lower(given);
  const auto is_choice = [&](std::string_view name) {
    return std::find(option.choices.begin(), option.choices.end(), name) != option.choices.end();
  };
  const auto at = std::find_if(number_words.begin(), number_words.end(),
                               [&](const NumberWord& w) { return w.said == word; });
  if (at == number_words.end()) return given;
  if (is_choice(at->format)) return std::string(at->format);
  return option.kind == OptionKind::number && option.name == "word" ? std::string(at->size) : given;
}

} // namespace

std::string with_known_words(const Option& option, const std::string& given) {
  if (option.kind != OptionKind::choice && option.kind != OptionKind::number) return given;
  std::string out;
  for (std::size_t begin = 0; begin <= given.size();) {
    const std::size_t end = std::min(given.find(',', begin), given.size());
    out += (begin == 0 ? "" : ",") + known_word(option, given.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

} // namespace perfmodel::cli
