#include "elf_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace perfmodel {

namespace {

bool begins(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

// The number that stands behind these words: "0x10", "12".
std::optional<std::uint32_t> number_behind(std::string_view line, std::string_view words) {
  std::size_t at = line.find(words);
  if (at == line.npos) return std::nullopt;
  line.remove_prefix(at + words.size());
  at = line.find_first_not_of(" \t");
  if (at == line.npos) return std::nullopt;
  line.remove_prefix(at);
  const bool is_hex = begins(line, "0x");
  if (is_hex) line.remove_prefix(2);
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value, is_hex ? 16 : 10);
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(" \t"); at != line.npos && words.size() < 16;) {
    const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(" \t", end);
  }
  return words;
}

class ElfTextReader {
public:
  explicit ElfTextReader(const KernelCode& code)
      : code_(code), info_(".nv.info." + code.name), shared_(".nv.shared." + code.name),
        literals_(".nv.constant2." + code.name), count_("function: " + code.name + "(") {}

  void take(std::string_view line) {
    if (begins(line, "64-bit ELF:")) {
      of_the_architecture_ = number_behind(line, "sm=") == static_cast<std::uint32_t>(code_.capability);
      section_ = {};
    }
    if (!of_the_architecture_) return;
    if (begins(line, ".")) {
      section_ = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    } else if (section_.empty()) {
      row_of_sections(line);
    } else if (section_ == info_) {
      attribute(line);
    } else if (section_ == ".nv.info") {
      if (line.find(count_) != line.npos)
        if (const auto count = number_behind(line, "register count:")) registers = count;
    } else if (section_ == ".nv.constant3" && begins(line, "0x")) {
      words(line, constants[3]);
    } else if (section_ == literals_ && begins(line, "0x")) {
      words(line, constants[2]);
    }
  }

  std::optional<std::uint32_t> registers, shared, parameter_base;
  std::vector<Parameter> parameters;
  std::map<int, std::vector<std::uint8_t>> constants;

private:
  // "  1f   5e80   c00  0  4   NOBITS   43   0   17 .nv.shared.NAME": the third is the size, in hexadecimal.
  void row_of_sections(std::string_view line) {
    const std::vector<std::string_view> row = words_of(line);
    if (row.size() < 4 || row.back() != shared_) return;
    std::uint32_t size = 0;
    std::from_chars(row[2].data(), row[2].data() + row[2].size(), size, 16);
    // From cc 9.0 on what the system keeps for itself is in it.
    constexpr std::uint32_t reserved = 1024;
    shared = code_.capability >= 90 ? size - std::min(size, reserved) : size;
  }

  void attribute(std::string_view line) {
    if (const std::size_t at = line.find("EIATTR_"); at != line.npos) attribute_ = line.substr(at);
    const std::size_t at = line.find("Value:");
    if (at == line.npos) return;
    if (begins(attribute_, "EIATTR_KPARAM_INFO")) {
      const auto offset = number_behind(line, "Offset  :"), size = number_behind(line, "Size    :");
      if (offset && size && *size > 0 && *size <= 32764) parameters.push_back({*offset, *size});
    }
    // Offset and size of the arguments in bank 0 are the two halves of the second word.
    if (begins(attribute_, "EIATTR_PARAM_CBANK")) {
      const std::vector<std::string_view> values = words_of(line.substr(at + 6));
      if (values.size() < 2) return;
      if (const auto both = number_behind(values[1], "")) parameter_base = *both & 0xffff;
    }
  }

  // "0x00000000 0x00000001": words of four bytes, the lowest first.
  static void words(std::string_view line, std::vector<std::uint8_t>& bytes) {
    for (const std::string_view word : words_of(line))
      if (const auto value = number_behind(word, ""))
        for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<std::uint8_t>(*value >> 8 * i));
  }

  const KernelCode& code_;
  std::string info_, shared_, literals_, count_;
  std::string_view section_, attribute_;
  bool of_the_architecture_ = false;
};

} // namespace

void add_elf_facts(KernelCode& code, std::string_view text) {
  if (text.find("64-bit ELF:") == text.npos) return;
  ElfTextReader reader(code);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.take(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (!code.registers) code.registers = reader.registers;
  if (!code.shared) code.shared = reader.shared;
  if (!code.parameter_base && reader.parameter_base) {
    code.parameter_base = reader.parameter_base;
    std::sort(reader.parameters.begin(), reader.parameters.end(),
              [](const Parameter& a, const Parameter& b) { return a.offset < b.offset; });
    code.parameters = std::move(reader.parameters);
  }
  for (auto& [bank, bytes] : reader.constants) {
    // A __constant__ array of zeros is one that the program writes before the launch: not known.
    const bool is_set = std::any_of(bytes.begin(), bytes.end(), [](std::uint8_t b) { return b != 0; });
    if (is_set) code.constants.try_emplace(bank, std::move(bytes));
  }
}

} // namespace perfmodel
