#include "kernels/capture/module_variables.hpp"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include <elf.h>

namespace perfmodel::kernels {

namespace {

using Bytes = std::span<const std::byte>;

// Nothing of the file is trusted: what lies beyond its end is not there.
template <class T> std::optional<T> read(Bytes file, std::uint64_t at) {
  if (at > file.size() || file.size() - at < sizeof(T)) return std::nullopt;
  T value{};
  std::memcpy(&value, file.data() + at, sizeof value);
  return value;
}

std::string name_at(Bytes file, const Elf64_Shdr& strings, std::uint64_t at) {
  std::string name;
  if (at >= strings.sh_size) return name;
  for (std::uint64_t i = strings.sh_offset + at; i < file.size() && file[i] != std::byte{0}; ++i)
    name += static_cast<char>(file[i]);
  return name;
}

bool holds_variables(std::string_view section) {
  return section == ".nv.global" || section == ".nv.global.init" || section == ".nv.constant3";
}

} // namespace

std::vector<std::string> variables_of(Bytes cubin) {
  std::vector<std::string> names;
  const auto head = read<Elf64_Ehdr>(cubin, 0);
  if (!head || std::memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 || head->e_ident[EI_CLASS] != ELFCLASS64)
    return names;
  const auto section = [&](std::uint64_t n) {
    return read<Elf64_Shdr>(cubin, head->e_shoff + n * sizeof(Elf64_Shdr));
  };
  const auto section_names = section(head->e_shstrndx);
  for (std::uint64_t n = 0; section_names && n < head->e_shnum; ++n) {
    const auto symbols = section(n);
    if (!symbols || symbols->sh_type != SHT_SYMTAB) continue;
    const auto strings = section(symbols->sh_link);
    for (std::uint64_t at = 0; strings && at + sizeof(Elf64_Sym) <= symbols->sh_size;
         at += sizeof(Elf64_Sym)) {
      const auto symbol = read<Elf64_Sym>(cubin, symbols->sh_offset + at);
      if (!symbol) break;
      if (ELF64_ST_TYPE(symbol->st_info) != STT_OBJECT || symbol->st_size == 0) continue;
      const auto within = section(symbol->st_shndx);
      if (within && holds_variables(name_at(cubin, *section_names, within->sh_name)))
        names.push_back(name_at(cubin, *strings, symbol->st_name));
    }
  }
  return names;
}

void ModuleVariables::loaded(Bytes cubin) {
  std::vector<std::string> found = variables_of(cubin);
  const std::scoped_lock lock(mutex_);
  for (std::string& name : found)
    if (names_.size() < most_names) names_.insert(std::move(name));
}

std::vector<std::string> ModuleVariables::names() const {
  const std::scoped_lock lock(mutex_);
  return {names_.begin(), names_.end()};
}

} // namespace perfmodel::kernels
