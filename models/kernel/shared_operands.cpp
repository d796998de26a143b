#include "shared_operands.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace perfmodel {

namespace {

std::uint8_t words_of(const Instruction& i) { return i.has(mod("128")) ? 4 : i.has(mod("64")) ? 2 : 1; }

bool is_among(const std::vector<std::uint16_t>& places, std::uint16_t place) {
  return std::find(places.begin(), places.end(), place) != places.end();
}

bool is_arithmetic(const Instruction& i) {
  static constexpr std::string_view all[] = {"FADD", "FMUL",  "FFMA",  "FMNMX",  "IADD3", "IADD",
                                             "LOP3", "IMNMX", "ISETP", "VIMNMX", "FSETP", "IMAD"};
  return std::find(std::begin(all), std::end(all), i.opcode) != std::end(all);
}

// Until the register is written again, or a branch.
std::optional<std::size_t> only_reader(const KernelCode& code, const std::vector<RegisterUse>& uses,
                                       std::size_t loaded, std::uint16_t place) {
  std::optional<std::size_t> reader;
  for (std::size_t n = loaded + 1; n < code.instructions.size(); ++n) {
    if (is_among(uses[n].reads, place)) {
      if (reader) return {};
      reader = n;
    }
    if (is_among(uses[n].writes, place) || code.instructions[n].is("BRA") || code.instructions[n].is("EXIT"))
      break;
  }
  return reader;
}

} // namespace

void take_from_shared(const KernelCode& code, const std::vector<RegisterUse>& uses,
                      std::vector<OlderInstruction>& made) {
  for (std::size_t n = 0; n < made.size(); ++n) {
    const Instruction& i = code.instructions[n];
    if (i.is("STS")) made[n].words = made[n].moved = words_of(i);
    if (!i.is("LDS")) continue;
    made[n].words = words_of(i);
    for (const std::uint16_t place : uses[n].writes) {
      const auto reader = only_reader(code, uses, n, place);
      if (reader && is_arithmetic(code.instructions[*reader]) && !made[*reader].from_shared)
        made[*reader].from_shared = true;
      else
        ++made[n].moved;
    }
  }
}

} // namespace perfmodel
