#include "copy_kernel.hpp"

#include <fmt/format.h>

#include <map>
#include <string>
#include <tuple>

namespace perfmodel {

namespace {

constexpr int first_word = 8; // register of the first word; those below hold addresses

std::string text_of(int threads, int words, int word) {
  const int registers = word / 4; // of a word
  const std::string_view wide = word == 4 ? "" : word == 8 ? ".64" : ".128";
  std::string text = fmt::format("Function : copy\n"
                                 "// params: 0x210 16; 0 0x0 8; 1 0x8 8\n"
                                 "// shared: 0\n"
                                 "// registers: {}\n",
                                 copy_registers(words, Bytes(word)));
  int address = 0;
  const auto add = [&](const std::string& instruction) {
    text += fmt::format("/*{:04x}*/ {} ;\n", address, instruction);
    address += 16;
  };
  add("S2R R0, SR_CTAID.X");
  add("S2R R2, SR_TID.X");
  add("LDC.64 R4, c[0x0][0x210]");
  add("LDC.64 R6, c[0x0][0x218]");
  add(fmt::format("IMAD R0, R0, {:#x}, R2", threads * words)); // the thread's first word
  add(fmt::format("IMAD.WIDE.U32 R4, R0, {:#x}, R4", word));
  add(fmt::format("IMAD.WIDE.U32 R6, R0, {:#x}, R6", word));
  for (int i = 0; i < words; ++i)
    add(fmt::format("LDG.E{} R{}, [R4.64+{:#x}]", wide, first_word + i * registers, i * threads * word));
  for (int i = 0; i < words; ++i)
    add(fmt::format("STG.E{} [R6.64+{:#x}], R{}", wide, i * threads * word, first_word + i * registers));
  add("EXIT");
  return text;
}

} // namespace

Count copy_registers(Count words, Bytes word) { return words * word.value / 4 + 10; }

const KernelCode& copy_kernel(Count threads, Count words, Bytes word) {
  thread_local std::map<std::tuple<int, int, int>, KernelCode> made;
  const std::tuple key(static_cast<int>(threads), static_cast<int>(words), static_cast<int>(word.value));
  const auto at = made.find(key);
  if (at != made.end()) return at->second;
  return made.emplace(key, read_listing(std::apply(text_of, key), "copy")).first->second;
}

} // namespace perfmodel
