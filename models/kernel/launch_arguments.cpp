#include "launch_arguments.hpp"

#include "mangled_name.hpp"
#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace perfmodel {

namespace {

constexpr std::uint32_t stack_top = 0x4000;
// Far enough apart that an address which goes by loaded data still shows the array it leads into.
constexpr std::uint64_t first_address = 0x7f0000000000, apart = std::uint64_t{1} << 44;

template <class T> std::vector<std::uint8_t> bytes_of(T value, std::size_t count = sizeof(T)) {
  std::vector<std::uint8_t> bytes(sizeof(T));
  std::memcpy(bytes.data(), &value, sizeof value);
  bytes.resize(count);
  return bytes;
}

[[noreturn]] void refuse(std::string_view word, std::string_view why) {
  throw InputError(fmt::format("{}: {}", quoted(word), why));
}

// Decimal, or hexadecimal behind 0x: its 64 bits. Empty where it is none, or too large for them.
struct Whole {
  bool is_one = false, negative = false;
  std::optional<std::uint64_t> bits;
};
Whole whole_number(std::string_view text) {
  Whole made{.negative = !text.empty() && text.front() == '-'};
  if (made.negative) text.remove_prefix(1);
  const bool hex = text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X";
  if (hex) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  made.is_one = !text.empty() && error != std::errc::invalid_argument && end == text.data() + text.size();
  const std::uint64_t most = std::uint64_t{1} << 63;
  if (made.is_one && error == std::errc() && (!made.negative || value <= most))
    made.bits = made.negative ? 0 - value : value;
  return made;
}

bool is_number(std::string_view text, double& value) {
  const std::string copy(text);
  char* end = nullptr;
  value = std::strtod(copy.c_str(), &end);
  return !copy.empty() && copy.find_first_of("xX") == copy.npos && end == copy.c_str() + copy.size();
}

// The type of each argument, where the kernel's name says them. Empty: it does not, or nobody needs to know.
std::vector<std::string> types_of(const KernelCode& code, const std::vector<KernelArgument>& list) {
  if (std::none_of(list.begin(), list.end(),
                   [](const KernelArgument& one) { return one.real.has_value() || one.whole.has_value(); }))
    return {};
  std::vector<std::string> types = argument_types(code.name);
  if (types.size() != list.size()) types.clear();
  return types;
}

// As a kernel takes it that declares this type; "" where nobody knows. A whole number does for a real one: 2
// is 2.0. A real number is none of the whole ones.
std::vector<std::uint8_t> taken_bytes(const KernelArgument& one, std::string_view type,
                                      const KernelCode& code) {
  if (one.real && is_whole_type(type))
    throw InputError(fmt::format("--arg {}: a whole number is expected, for it is of type {} in {}", one.name,
                                 type, quoted(function_called(code.name))));
  if (one.whole && type == "float") return bytes_of(static_cast<float>(*one.whole));
  if (one.whole && type == "double") return bytes_of(*one.whole);
  return one.bytes;
}

} // namespace

std::uint64_t add_allocation(KernelArguments& arguments, std::string name, std::uint64_t bytes) {
  std::uint64_t address = first_address;
  if (!arguments.allocations.empty()) {
    const Allocation& last = arguments.allocations.back();
    address = last.address + (last.bytes / apart + 1) * apart;
  }
  arguments.allocations.push_back({std::move(name), address, bytes});
  return address;
}

bool lies_outside(std::span<const Allocation> all, std::uint64_t address, std::uint64_t bytes) {
  return std::none_of(all.begin(), all.end(), [&](const Allocation& one) {
    return address >= one.address && address + bytes <= one.address + one.bytes;
  });
}

KernelArguments KernelArguments::from_text(std::string_view text) {
  KernelArguments made{.given = std::string(text)};
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
    const char last = value.back();
    const std::string_view without_last = value.substr(0, value.size() - 1);
    const Whole whole = whole_number(last == 'l' ? without_last : value);
    argument.negative = whole.negative;
    if (whole.is_one && is_number(last == 'l' ? without_last : value, number)) argument.whole = number;
    if (whole.is_one && last == 'l') {
      if (!whole.bits) refuse(word, "more than 64 bits");
      argument.bytes = bytes_of(*whole.bits);
    } else if (whole.is_one) {
      if (!whole.bits || (whole.negative ? 0 - *whole.bits > 0x80000000U : *whole.bits > 0xffffffffU))
        refuse(word, "more than 32 bits; with a trailing l it has 64");
      argument.bytes = bytes_of(*whole.bits, 4);
    } else if (is_number(value, number)) {
      if (!std::isfinite(number)) refuse(word, "a number is expected that is finite");
      if (value.find('.') == value.npos)
        refuse(word, "a whole number has no exponent, a real one a point: n=1000000, x=1.0e6");
      argument.bytes = bytes_of(static_cast<float>(number));
      argument.real = number;
    } else if (last == 'd' && is_number(without_last, number)) {
      argument.bytes = bytes_of(number);
      argument.real = number;
    } else if (last == 'l' && is_number(without_last, number)) {
      refuse(word, "a whole number is expected in front of l");
    } else {
      argument.negative = false;
      const std::size_t sign = value.find('@');
      const std::string_view file = sign == value.npos ? "" : value.substr(sign + 1);
      value = value.substr(0, sign);
      const std::size_t plus = value.find('+');
      std::uint64_t offset = 0;
      if (plus != value.npos) {
        const Whole behind = whole_number(value.substr(plus + 1));
        if (!behind.bits || behind.negative || *behind.bits > 1'000'000'000'000'000)
          refuse(word, "bytes are expected behind +");
        offset = *behind.bits;
        value = value.substr(0, plus);
      }
      const double bytes = parse_quantity_as(value, unit_of<Bytes>());
      if (!(bytes >= 0) || bytes > 1e15) refuse(word, "a size of an allocation is expected, up to 1 PB");
      const auto size = static_cast<std::uint64_t>(bytes);
      const std::uint64_t address = add_allocation(made, argument.name, size);
      if (sign != std::string_view::npos) {
        const std::string name(file);
        made.memory.add({.address = address,
                         .size = size,
                         .file = name,
                         .bytes = std::min<std::uint64_t>(size, kept_memory_file(name).bytes.size())});
      }
      argument.bytes = bytes_of(address + offset);
      argument.points = true;
    }
    made.list.push_back(std::move(argument));
  }
  return made;
}

KernelArguments with_variables(KernelArguments arguments, const KernelCode& code) {
  for (const GlobalVariable& one : code.variables) {
    const std::uint64_t address = add_allocation(arguments, one.name, one.size);
    arguments.variables.push_back(address);
    const auto captured = std::find_if(arguments.values.begin(), arguments.values.end(),
                                       [&](const VariableValue& value) { return value.name == one.name; });
    if (captured != arguments.values.end()) {
      DeviceMemory::Part held = captured->held;
      held.address = address;
      arguments.memory.add(std::move(held));
      continue;
    }
    if (one.initial.empty()) continue;
    const auto bytes = std::make_shared<const std::vector<std::uint8_t>>(one.initial);
    arguments.memory.add(
        {.address = address, .size = one.size, .file = "variable " + one.name, .bytes = bytes->size()},
        {.bytes = *bytes, .owner = bytes});
  }
  return arguments;
}

void add_constants(MemoryBytes& bank, const KernelCode& code, const KernelArguments& arguments) {
  for (const VariableValue& value : arguments.values) {
    const auto place =
        std::find_if(code.constant_variables.begin(), code.constant_variables.end(),
                     [&](const ConstantVariable& variable) { return variable.name == value.name; });
    if (place == code.constant_variables.end()) continue;
    DeviceMemory memory;
    DeviceMemory::Part held = value.held;
    held.address = 0;
    memory.add(std::move(held));
    for (std::uint32_t i = 0; i < place->size; ++i) bank.write(place->at + i, 1, memory.read(i, 1));
  }
}

MemoryBytes variable_bank(const KernelCode& code, const KernelArguments& arguments) {
  MemoryBytes bank;
  for (std::size_t i = 0; i < std::min(code.variables.size(), arguments.variables.size()); ++i)
    for (const GlobalVariable::Use& use : code.variables[i].uses)
      bank.write(use.at, 8, arguments.variables[i] + static_cast<std::uint64_t>(use.beyond));
  return bank;
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
  bank.write(layout.stack, 4, stack_top); // where local memory's stack begins; any number is as good
  const std::vector<KernelArgument>& list = launch.arguments.list;
  if (!code.parameters.empty() && code.parameters.size() != list.size()) {
    std::vector<std::uint32_t> sizes;
    for (const Parameter& one : code.parameters) sizes.push_back(one.size);
    throw InputError(fmt::format("{} has {} argument{}, of {} bytes; --arg gives {}",
                                 quoted(function_called(code.name)), sizes.size(),
                                 sizes.size() == 1 ? "" : "s", fmt::join(sizes, ", "), list.size()));
  }
  const std::vector<std::string> types = types_of(code, list);
  std::uint32_t at = 0;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string_view type = types.empty() ? std::string_view() : std::string_view(types[i]);
    std::vector<std::uint8_t> bytes = taken_bytes(list[i], type, code);
    const bool as_given = bytes == list[i].bytes;
    if (!code.parameters.empty()) {
      const Parameter& parameter = code.parameters[i];
      if (list[i].real && parameter.size == 8) bytes = bytes_of(*list[i].real);
      // What is left away must be that of the sign, and be no part of the number.
      const bool minus = as_given && list[i].negative;
      const std::uint8_t above = minus ? 0xff : 0;
      if (parameter.size < bytes.size() && (std::any_of(bytes.begin() + parameter.size, bytes.end(),
                                                        [&](std::uint8_t b) { return b != above; }) ||
                                            (minus && (bytes[parameter.size - 1] & 0x80) == 0)))
        throw InputError(fmt::format("--arg {}: it has {} bytes in {}, not {}", list[i].name, parameter.size,
                                     quoted(code.name), bytes.size()));
      bytes.resize(parameter.size, above);
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
