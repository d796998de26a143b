#include "given_memory.hpp"

#include "hwdb/mapped_file.hpp"
#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <memory>
#include <string_view>
#include <utility>

namespace perfmodel::cli {

namespace {

struct Array {
  std::string element; // "int64"; as the header has it where it is no number
  std::size_t element_bytes = 0, bytes = 0;
};

// What the header of a NumPy file describes: "{'descr': '<i4', .., 'shape': (32, 4), }". Throws InputError:
// its numbers are of the other order.
Array array_of(std::string_view header) {
  const auto behind = [&](std::string_view key) {
    const std::size_t at = header.find(key);
    return at == header.npos ? std::string_view() : header.substr(at + key.size());
  };
  std::string_view type = behind("'descr': '");
  if (type.substr(0, 1) == ">")
    throw InputError("its numbers begin with their highest byte; GPUs read the lowest first");
  type = type.substr(0, type.find('\''));
  Array array{.element = std::string(type)};
  const char kind = type.size() > 2 ? type[1] : ' ';
  type.remove_prefix(std::min<std::size_t>(2, type.size()));
  std::from_chars(type.data(), type.data() + type.size(), array.element_bytes);
  for (const auto& [letter, word] : {std::pair{'i', "int"}, {'u', "uint"}, {'f', "float"}, {'c', "complex"}})
    if (kind == letter) array.element = fmt::format("{}{}", word, 8 * array.element_bytes);
  array.bytes = array.element_bytes;
  std::string_view shape = behind("'shape': (");
  shape = shape.substr(0, shape.find(')'));
  for (std::size_t at = 0; (at = shape.find_first_of("0123456789", at)) != shape.npos;) {
    std::size_t side = 0;
    const char* const from = shape.data() + at;
    at += static_cast<std::size_t>(std::from_chars(from, shape.data() + shape.size(), side).ptr - from);
    array.bytes *= side;
  }
  return array;
}

// A file of NumPy's is its array, which begins behind eight bytes, the length of the header, and the header;
// another all that it holds. Throws InputError: the file ends before its array does.
void take_array(MemoryFile& file) {
  const std::span<const std::uint8_t> bytes = file.bytes;
  constexpr std::string_view magic = "\x93NUMPY";
  constexpr std::size_t before_length = 8;
  const bool is_array = bytes.size() > before_length + 4 &&
                        std::equal(magic.begin(), magic.end(), bytes.begin(),
                                   [](char c, std::uint8_t b) { return static_cast<std::uint8_t>(c) == b; });
  if (!is_array) return;
  const std::size_t width = bytes[6] == 1 ? 2 : 4; // by its version
  std::size_t length = 0;
  for (std::size_t i = 0; i < width; ++i) length |= std::size_t{bytes[before_length + i]} << (8 * i);
  const std::size_t begin = before_length + width;
  if (begin + length > bytes.size()) throw InputError("the file ends within its header");
  const std::string_view header(reinterpret_cast<const char*>(bytes.data()) + begin, length);
  const Array array = array_of(header);
  file.bytes = bytes.subspan(begin + length);
  if (array.bytes > file.bytes.size()) throw InputError("the file ends before its array does");
  file.element = array.element, file.element_bytes = array.element_bytes;
  file.widest_load = std::make_shared<std::atomic<std::size_t>>(0);
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
        take_array(file);
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

void note_wide_elements(Result& result, const std::string& arguments) {
  for (std::string_view rest = arguments; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    const std::size_t at = word.find('@');
    if (at == word.npos) continue;
    const std::string name(word.substr(at + 1));
    const MemoryFile file = kept_memory_file(name);
    const std::size_t widest = file.widest_load != nullptr ? file.widest_load->load() : 0;
    if (widest == 0 || widest >= file.element_bytes) continue;
    std::string note = fmt::format(
        "{}=@{} has elements of {} bytes ({}), but the kernel loads at most {} of them at a time: it takes "
        "each for {} numbers. Is its array of another type?",
        word.substr(0, word.find('=')), name, file.element_bytes, file.element, widest,
        file.element_bytes / widest);
    if (std::find(result.notes.begin(), result.notes.end(), note) == result.notes.end())
      result.notes.push_back(std::move(note));
  }
}

} // namespace perfmodel::cli
