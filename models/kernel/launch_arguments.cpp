#include "launch_arguments.hpp"

#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace perfmodel {

namespace {

constexpr std::uint64_t first_address = 0x7f0000000000, granule = std::uint64_t{2} << 20;

template <class T> std::vector<std::uint8_t> bytes_of(T value, std::size_t count = sizeof(T)) {
  std::vector<std::uint8_t> bytes(sizeof(T));
  std::memcpy(bytes.data(), &value, sizeof value);
  bytes.resize(count);
  return bytes;
}

[[noreturn]] void refuse(std::string_view word, std::string_view why) {
  throw InputError(fmt::format("--arg {}: {}", quoted(word), why));
}

bool is_number(std::string_view text, double& value, bool& whole) {
  const std::string copy(text);
  char* end = nullptr;
  value = std::strtod(copy.c_str(), &end);
  whole = copy.find_first_of(".eEnNiI") == copy.npos || copy.rfind("0x", 0) == 0;
  return !copy.empty() && end == copy.c_str() + copy.size();
}

} // namespace

KernelArguments KernelArguments::from_text(std::string_view text) {
  KernelArguments made{.given = std::string(text)};
  std::uint64_t next = first_address;
  for (std::string_view rest = text; !rest.empty();) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t equals = word.find('=');
    if (equals == word.npos || equals == 0)
      refuse(word, "name=value is expected, such as n=1024 or in=64MiB");
    KernelArgument argument{.name = std::string(word.substr(0, equals))};
    std::string_view value = word.substr(equals + 1);
    if (value.empty()) refuse(word, "a value is missing behind =");
    for (const KernelArgument& other : made.list)
      if (other.name == argument.name) refuse(word, "the name is given twice");
    double number = 0;
    bool whole = false;
    const char last = value.back();
    if (is_number(value, number, whole)) {
      if (whole) {
        if (number < -2147483648.0 || number > 4294967295.0)
          refuse(word, "more than 32 bits; with a trailing l it has 64");
        argument.bytes =
            bytes_of(static_cast<std::int64_t>(std::strtoll(std::string(value).c_str(), nullptr, 0)), 4);
      } else {
        argument.bytes = bytes_of(static_cast<float>(number));
        argument.real = number;
      }
    } else if ((last == 'l' || last == 'd') && is_number(value.substr(0, value.size() - 1), number, whole)) {
      argument.bytes =
          last == 'd'
              ? bytes_of(number)
              : bytes_of(static_cast<std::int64_t>(std::strtoll(std::string(value).c_str(), nullptr, 0)));
    } else {
      const std::size_t plus = value.find('+');
      std::uint64_t offset = 0;
      if (plus != value.npos) {
        if (!is_number(value.substr(plus + 1), number, whole) || !whole || number < 0 || number > 1e15)
          refuse(word, "bytes are expected behind +");
        offset = static_cast<std::uint64_t>(number);
        value = value.substr(0, plus);
      }
      const double bytes = parse_quantity_as(value, unit_of<Bytes>());
      if (!(bytes >= 0) || bytes > 1e15) refuse(word, "a size of an allocation is expected, up to 1 PB");
      made.allocations.push_back({argument.name, next, static_cast<std::uint64_t>(bytes)});
      argument.bytes = bytes_of(next + offset);
      argument.points = true;
      next += (static_cast<std::uint64_t>(bytes) + 2 * granule - 1) / granule * granule;
    }
    made.list.push_back(std::move(argument));
  }
  return made;
}

BankLayout bank_layout(const KernelCode& code) {
  BankLayout layout;
  if (code.capability >= 100)
    layout = {.block = 0x360, .grid = 0x370, .stack = 0x37c, .parameters = 0x380};
  else if (code.capability == 0 || code.capability >= 90)
    layout.parameters = 0x210;
  else if (code.capability >= 70)
    layout.parameters = 0x160;
  else
    layout = {.block = 0x8, .grid = 0x14, .stack = 0x4, .parameters = code.capability >= 30 ? 0x140U : 0x20U};
  if (code.parameter_base) layout.parameters = *code.parameter_base;
  return layout;
}

MemoryBytes constant_bank(const KernelCode& code, const KernelLaunch& launch) {
  const BankLayout layout = bank_layout(code);
  MemoryBytes bank;
  const auto sides = [&](std::uint32_t at, const Shape& shape) {
    bank.write(at, 4, static_cast<std::uint32_t>(shape.x));
    bank.write(at + 4, 4, static_cast<std::uint32_t>(shape.y));
    bank.write(at + 8, 4, static_cast<std::uint32_t>(shape.z));
  };
  sides(layout.block, launch.block);
  sides(layout.grid, launch.grid);
  bank.write(layout.stack, 4,
             MemoryBytes::most / 2); // where local memory's stack begins; any number is as good
  const std::vector<KernelArgument>& list = launch.arguments.list;
  if (!code.parameters.empty() && code.parameters.size() != list.size())
    throw InputError(fmt::format("{} has {} arguments; --arg gives {}", quoted(code.name),
                                 code.parameters.size(), list.size()));
  std::uint32_t at = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::vector<std::uint8_t> bytes = list[i].bytes;
    if (!code.parameters.empty()) {
      const Parameter& parameter = code.parameters[i];
      if (list[i].real && parameter.size == 8) bytes = bytes_of(*list[i].real);
      if (parameter.size < bytes.size() &&
          std::any_of(bytes.begin() + parameter.size, bytes.end(), [](std::uint8_t b) { return b != 0; }))
        throw InputError(fmt::format("--arg {}: it has {} bytes in {}, not {}", list[i].name, parameter.size,
                                     quoted(code.name), bytes.size()));
      const bool minus = !list[i].points && bytes.size() == 4 && (bytes.back() & 0x80) != 0;
      bytes.resize(parameter.size, minus && parameter.size == 8 ? 0xff : 0);
      at = parameter.offset;
    } else {
      const auto size = static_cast<std::uint32_t>(bytes.size());
      at = (at + size - 1) / size * size; // packed by alignment, as C does
    }
    for (std::size_t b = 0; b < bytes.size(); ++b) bank.write(layout.parameters + at + b, 1, bytes[b]);
    at += static_cast<std::uint32_t>(bytes.size());
  }
  return bank;
}

} // namespace perfmodel
