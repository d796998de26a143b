#include "pattern_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

namespace perfmodel {

namespace {

constexpr int first_word = 8; // register of the first word; those below hold addresses

class Text {
public:
  explicit Text(const PatternKernel& of) : of_(of) {
    text_ = fmt::format("Function : pattern\n"
                        "// params: 0x210 16; 0 0x0 8; 1 0x8 8\n"
                        "// shared: 0\n"
                        "// registers: {}\n",
                        of.registers());
    number_of_first_word();
    for (int i = 0; i < of.words && of.loads; ++i)
      add(fmt::format("LDG.E{} R{}, [R4.64+{:#x}]", wide(), value(i), distance(i)));
    for (int i = 0; i < of.words && of.stores; ++i)
      add(fmt::format("STG.E{} [R6.64+{:#x}], R{}", wide(), distance(i), value(i)));
    for (int i = 0; i < of.words && !of.stores; ++i) // so that somebody waits for it
      add(fmt::format("IADD3 R0, R0, R{}, RZ", value(i)));
    add("EXIT");
  }
  const std::string& text() const { return text_; }

private:
  void add(const std::string& instruction) {
    text_ += fmt::format("/*{:04x}*/ {} ;\n", address_, instruction);
    address_ += 16;
  }
  void number_of_first_word() {
    add("S2R R0, SR_CTAID.X");
    add("S2R R2, SR_TID.X");
    add("LDC.64 R4, c[0x0][0x210]");
    add("LDC.64 R6, c[0x0][0x218]");
    if (of_.factor != 1 || of_.addend != 0) {
      add("LOP3.LUT R3, R2, 0x1f, RZ, 0xc0, !PT"); // the lane
      add("IADD3 R2, R2, -R3, RZ");
      add(fmt::format("IMAD R3, R3, {:#x}, RZ", of_.factor));
      add(fmt::format("IADD3 R3, R3, {:#x}, RZ", of_.addend));
      add("LOP3.LUT R3, R3, 0x1f, RZ, 0xc0, !PT");
      add("IADD3 R2, R2, R3, RZ");
    }
    add(fmt::format("IMAD R0, R0, {:#x}, R2", of_.threads * of_.words));
    if (of_.stride != 1) add(fmt::format("IMAD R0, R0, {:#x}, RZ", of_.stride));
    if (of_.offset != 0) add(fmt::format("IADD3 R0, R0, {:#x}, RZ", of_.offset));
    if (of_.loads) add(fmt::format("IMAD.WIDE.U32 R4, R0, {:#x}, R4", of_.word));
    if (of_.stores) add(fmt::format("IMAD.WIDE.U32 R6, R0, {:#x}, R6", of_.word));
  }
  int value(int i) const { return first_word + i * std::max(1, of_.word / 4); }
  std::int64_t distance(int i) const { return std::int64_t{i} * of_.threads * of_.stride * of_.word; }
  std::string_view wide() const {
    switch (of_.word) {
    case 1:
      return ".U8";
    case 2:
      return ".U16";
    case 8:
      return ".64";
    case 16:
      return ".128";
    default:
      return "";
    }
  }

  const PatternKernel& of_;
  std::string text_;
  int address_ = 0;
};

} // namespace

Count PatternKernel::registers() const { return words * std::max(1, word / 4) + 10; }

const KernelCode& code_of(const PatternKernel& pattern) {
  thread_local std::map<PatternKernel, KernelCode> made;
  const auto at = made.find(pattern);
  if (at != made.end()) return at->second;
  return made.emplace(pattern, read_listing(Text(pattern).text(), "pattern")).first->second;
}

} // namespace perfmodel
