// What stands in the constant banks of a launch.
#include "launch_arguments.hpp"

#include "mangled_name.hpp"
#include "stack_frame.hpp"
#include "value_bytes.hpp"

#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel {

namespace {

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
  bank.write(layout.stack, 4, stack_top);
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
