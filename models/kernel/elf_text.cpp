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

// Of a program's machine code, and of a file that is nothing else, as Triton leaves them.
constexpr std::string_view file_begins = "64-bit ELF:", cubin_begins = "64bit elf:";

class ElfTextReader {
public:
  explicit ElfTextReader(const KernelCode& code)
      : code_(code), info_(".nv.info." + code.name), shared_(".nv.shared." + code.name),
        literals_(".nv.constant2." + code.name), count_("function: " + code.name + "(") {}

  void take(std::string_view line) {
    if (begins(line, file_begins) || begins(line, cubin_begins)) {
      end_file();
      of_the_architecture_ = number_behind(line, "sm=") == static_cast<std::uint32_t>(code_.capability);
      section_ = {};
    }
    if (!of_the_architecture_) return;
    if (begins(line, ".")) {
      section_ = line.substr(0, line.find_last_not_of(" \t\r") + 1);
      has_function_ = has_function_ || section_ == info_;
    } else if (section_.empty()) {
      row_of_sections(line);
    } else if (section_ == info_) {
      attribute(line);
    } else if (section_ == ".nv.info") {
      if (line.find(count_) != line.npos)
        if (const auto count = number_behind(line, "register count:")) registers = count;
    } else if (section_ == ".nv.constant3" && begins(line, "0x")) {
      words(line, file_.constants);
    } else if (section_ == ".nv.global.init" && begins(line, "0x")) {
      words(line, file_.initial);
    } else if (section_ == ".section .symtab") {
      symbol(line);
    } else if (begins(section_, ".section .rel") && section_.find(".nv.constant4") != section_.npos) {
      relocation(line);
    } else if (section_ == literals_ && begins(line, "0x")) {
      words(line, constants[2]);
    }
  }

  // Of several files in one listing, variables and __constant__ arrays are those of the function's own.
  void end_file() {
    if (has_function_) {
      if (!file_.constants.empty()) constants[3] = std::move(file_.constants);
      for (Variable& one : file_.variables) {
        if (one.is_initial && one.at <= file_.initial.size() &&
            one.known.size <= file_.initial.size() - one.at) {
          const auto from = file_.initial.begin() + static_cast<std::ptrdiff_t>(one.at);
          one.known.initial.assign(from, from + static_cast<std::ptrdiff_t>(one.known.size));
        }
        if (!one.known.uses.empty()) variables.push_back(std::move(one.known));
      }
      constant_variables = std::move(file_.constant_variables);
    }
    file_ = {};
    has_function_ = false;
  }

  std::optional<std::uint32_t> registers, shared, parameter_base;
  std::optional<std::int64_t> threads;
  std::vector<Parameter> parameters;
  std::map<int, std::vector<std::uint8_t>> constants;
  std::vector<GlobalVariable> variables;
  std::vector<ConstantVariable> constant_variables;

private:
  struct Variable {
    GlobalVariable known;
    bool is_initial = false; // its bytes stand in .nv.global.init, from this one on
    std::uint32_t at = 0;
  };
  struct File {
    std::optional<std::uint32_t> initial_section, zero_section, constant_section;
    std::vector<std::uint8_t> constants, initial;
    std::vector<Variable> variables;
    std::vector<ConstantVariable> constant_variables;
  };

  // "0x8   0   0x4   0x1   0   0xf   d_x": value, size and the section's number among them.
  void symbol(std::string_view line) {
    const std::vector<std::string_view> row = words_of(line);
    if (row.size() < 7) return;
    const auto at = number_behind(row[1], ""), size = number_behind(row[2], ""),
               in = number_behind(row[5], "");
    if (!at || !size || !in || *size == 0) return;
    if (in == file_.constant_section) file_.constant_variables.push_back({std::string(row[6]), *at, *size});
    if (in != file_.initial_section && in != file_.zero_section) return;
    file_.variables.push_back({.known = {.name = std::string(row[6]), .size = *size},
                               .is_initial = in == file_.initial_section,
                               .at = *at});
  }

  // "0x10    d_y    R_CUDA_64    0x0": where in the bank, of what, and how far behind its beginning.
  void relocation(std::string_view line) {
    const std::vector<std::string_view> row = words_of(line);
    if (row.size() < 3) return;
    const auto at = number_behind(row[0], ""), beyond = number_behind(row.size() > 3 ? row[3] : "0", "");
    const auto variable = std::find_if(file_.variables.begin(), file_.variables.end(),
                                       [&](const Variable& one) { return one.known.name == row[1]; });
    if (at && beyond && variable != file_.variables.end()) variable->known.uses.push_back({*at, *beyond});
  }

  // "  1f   5e80   c00  0  4   NOBITS   43   0   17 .nv.shared.NAME": the third is the size, in hexadecimal.
  void row_of_sections(std::string_view line) {
    const std::vector<std::string_view> row = words_of(line);
    if (row.size() < 4) return;
    std::uint32_t number = 0, size = 0;
    std::from_chars(row[0].data(), row[0].data() + row[0].size(), number, 16);
    if (row.back() == ".nv.global.init") file_.initial_section = number;
    if (row.back() == ".nv.global") file_.zero_section = number;
    if (row.back() == ".nv.constant3") file_.constant_section = number;
    if (row.back() != shared_) return;
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
    if (begins(attribute_, "EIATTR_REQNTID")) {
      std::int64_t all = 1;
      for (const std::string_view side : words_of(line.substr(at + 6)))
        all *= std::clamp<std::int64_t>(number_behind(side, "").value_or(1), 1, 1024);
      threads = all;
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
  bool of_the_architecture_ = false, has_function_ = false;
  File file_; // that is being read
};

} // namespace

std::size_t begin_of_last_file(std::string_view text) {
  std::size_t last = 0;
  for (const std::string_view heading : {file_begins, cubin_begins})
    if (const std::size_t at = text.rfind(heading); at != text.npos) last = std::max(last, at);
  return last;
}

void add_elf_facts(KernelCode& code, std::string_view text) {
  if (text.find(file_begins) == text.npos && text.find(cubin_begins) == text.npos) return;
  ElfTextReader reader(code);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.take(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  reader.end_file();
  code.variables = std::move(reader.variables);
  code.constant_variables = std::move(reader.constant_variables);
  if (!code.registers) code.registers = reader.registers;
  if (!code.shared) code.shared = reader.shared;
  code.threads = reader.threads;
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
