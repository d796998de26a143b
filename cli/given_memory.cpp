#include "given_memory.hpp"

#include "hwdb/mapped_file.hpp"
#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace perfmodel::cli {

namespace {

// The bytes of the array that the header of a NumPy file describes: "{'descr': '<i4', .., 'shape': (32, 4),
// }". Throws InputError: they are of the other order.
std::size_t array_size(std::string_view header) {
  const auto behind = [&](std::string_view key) {
    const std::size_t at = header.find(key);
    return at == header.npos ? std::string_view() : header.substr(at + key.size());
  };
  std::string_view type = behind("'descr': '");
  if (type.substr(0, 1) == ">")
    throw InputError("its numbers begin with their highest byte; GPUs read the lowest first");
  type.remove_prefix(std::min<std::size_t>(2, type.size()));
  std::size_t size = 0;
  std::from_chars(type.data(), type.data() + type.size(), size);
  std::string_view shape = behind("'shape': (");
  shape = shape.substr(0, shape.find(')'));
  for (std::size_t at = 0; (at = shape.find_first_of("0123456789", at)) != shape.npos;) {
    std::size_t side = 0;
    const char* const from = shape.data() + at;
    at += static_cast<std::size_t>(std::from_chars(from, shape.data() + shape.size(), side).ptr - from);
    size *= side;
  }
  return size;
}

// Where the array begins in a file of NumPy's: behind eight bytes, the length of the header, and the header.
// Throws InputError: the file ends before its array does.
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
  const std::size_t begin = before_length + width;
  if (begin + length > bytes.size()) throw InputError("the file ends within its header");
  const std::string_view header(reinterpret_cast<const char*>(bytes.data()) + begin, length);
  if (array_size(header) > bytes.size() - begin - length)
    throw InputError("the file ends before its array does");
  return begin + length;
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
        if (name.empty()) throw InputError("the name of a file is expected behind @");
        file = hwdb::map_file(name);
        if (file.bytes.empty()) throw InputError("the file is empty");
        file.bytes = file.bytes.subspan(array_begins(file.bytes));
      } catch (const InputError& e) {
        throw InputError(fmt::format("--arg {}: {}", perfmodel::quoted(word), e.what()));
      }
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
