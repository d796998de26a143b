#include "given_memory.hpp"

#include "hwdb/mapped_file.hpp"
#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace perfmodel::cli {

namespace {

// Where the array begins in a file of NumPy's: behind eight bytes, the length of the header, and the header.
std::size_t array_begins(std::span<const std::uint8_t> bytes) {
  constexpr std::string_view magic = "\x93NUMPY";
  constexpr std::size_t before_length = 8;
  const bool is_array = bytes.size() > before_length + 4 &&
                        std::equal(magic.begin(), magic.end(), bytes.begin(),
                                   [](char c, std::uint8_t b) { return static_cast<std::uint8_t>(c) == b; });
  if (!is_array) return 0;
  const std::size_t width = bytes[6] == 1 ? 2 : 4; // by its version
  std::size_t length = 0;
  for (std::size_t i = 0; i < width; ++i) length |= std::size_t{bytes[before_length + i]} << (8 * i);
  return std::min(bytes.size(), before_length + width + length);
}

} // namespace

std::string with_memory_files(const std::string& arguments) {
  std::string made;
  for (std::string_view rest = arguments; !rest.empty();) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    const std::string word(rest.substr(0, end));
    made += word;
    if (const std::size_t at = word.find('@'); at != word.npos) {
      const std::string name = word.substr(at + 1);
      MemoryFile file;
      try {
        file = hwdb::map_file(name);
      } catch (const InputError& e) {
        throw InputError(fmt::format("--arg {}: {}", perfmodel::quoted(word), e.what()));
      }
      file.bytes = file.bytes.subspan(array_begins(file.bytes));
      if (at > 0 && word[at - 1] == '=')
        made.insert(made.size() - word.size() + at, fmt::format("{}B", file.bytes.size()));
      keep_memory_file(name, std::move(file));
    }
    if (end < rest.size()) made += ',';
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return made;
}

} // namespace perfmodel::cli
