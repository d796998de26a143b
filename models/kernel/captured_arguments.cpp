#include "captured_arguments.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>

namespace perfmodel {

namespace {

std::string size_text(std::uint64_t bytes) {
  for (const auto& [shift, unit] : {std::pair(30, "GiB"), {20, "MiB"}, {10, "KiB"}})
    if (bytes >= std::uint64_t{1} << shift && bytes % (std::uint64_t{1} << shift) == 0)
      return fmt::format("{}{}", bytes >> shift, unit);
  return fmt::format("{}B", bytes);
}

template <class T> T value_of(const std::vector<std::uint8_t>& bytes) {
  T value{};
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

// Which of the two a number is, nobody says: a whole number this large is rare, and a real number so near one
// is not.
template <class Integer, class Real> std::string number_text(const std::vector<std::uint8_t>& bytes) {
  const auto whole = value_of<Integer>(bytes);
  const double real = static_cast<double>(value_of<Real>(bytes));
  constexpr Integer large = Integer{1} << (sizeof(Integer) == 4 ? 24 : 52);
  if ((whole < large && whole > -large) || !(std::fabs(real) > 1e-9 && std::fabs(real) < 1e9))
    return fmt::format("{}", whole);
  return fmt::format("{:.6g}", real);
}

std::string argument_text(const CapturedLaunch& captured, const CapturedArgument& argument) {
  const std::size_t size = argument.bytes.size();
  if (size == 8 && !argument.pointers.empty()) {
    const CapturedPointer& pointer = argument.pointers.front();
    std::string text = size_text(captured.allocations[pointer.allocation]);
    if (pointer.offset > 0) text += fmt::format("+{}", pointer.offset);
    return text;
  }
  if (size == 4) return number_text<std::int32_t, float>(argument.bytes);
  if (size == 8) return number_text<std::int64_t, double>(argument.bytes);
  if (size == 1) return fmt::format("{}", argument.bytes.front());
  if (size == 2) return fmt::format("{}", value_of<std::int16_t>(argument.bytes));
  return fmt::format("{} bytes", size);
}

void add_contents(KernelArguments& arguments, const CapturedLaunch& captured,
                  const std::vector<std::uint64_t>& addresses, const std::string& memory) {
  for (const CapturedContents& held : captured.contents) {
    DeviceMemory::Part part{
        .size = held.size, .was_at = held.address, .file = memory, .at = held.at, .bytes = held.bytes};
    part.repeats = held.bytes < held.size;
    if (!held.variable.empty()) {
      if (held.bytes > 0) arguments.values.push_back({held.variable, std::move(part)});
      continue;
    }
    part.address = held.allocation
                       ? addresses[*held.allocation]
                       : add_allocation(arguments, fmt::format("allocation {}", arguments.allocations.size()),
                                        held.size);
    arguments.memory.add(std::move(part));
  }
}

} // namespace

KernelLaunch launch_of(const CapturedLaunch& captured, const std::string& memory) {
  if (!captured.arguments_known)
    throw InputError("its arguments were not captured: the driver does not say where they lie");
  KernelLaunch launch{.grid = captured.grid,
                      .block = captured.block,
                      .dynamic_shared = captured.dynamic_shared,
                      .arguments = {.given = arguments_text(captured)}};
  std::vector<std::uint64_t> addresses;
  for (const std::uint64_t bytes : captured.allocations)
    addresses.push_back(
        add_allocation(launch.arguments, fmt::format("allocation {}", addresses.size()), bytes));
  for (std::size_t i = 0; i < captured.others_since.size(); ++i)
    launch.arguments.allocations[i].others_since = captured.others_since[i];
  if (!memory.empty()) add_contents(launch.arguments, captured, addresses, memory);
  for (const CapturedArgument& argument : captured.arguments) {
    KernelArgument made{.name = fmt::format("argument {}", launch.arguments.list.size()),
                        .bytes = argument.bytes,
                        .points = !argument.pointers.empty()};
    for (const CapturedPointer& pointer : argument.pointers) {
      const std::uint64_t address = addresses[pointer.allocation] + pointer.offset;
      std::memcpy(made.bytes.data() + pointer.at, &address, sizeof address);
    }
    launch.arguments.list.push_back(std::move(made));
  }
  return launch;
}

KernelCode with_captured(KernelCode code, const CapturedLaunch& captured) {
  if (captured.registers) code.registers = captured.registers;
  if (captured.fixed_shared) code.shared = captured.fixed_shared;
  code.parameters.clear();
  for (const CapturedArgument& argument : captured.arguments)
    code.parameters.push_back({argument.offset, static_cast<std::uint32_t>(argument.bytes.size())});
  return code;
}

std::string arguments_text(const CapturedLaunch& captured) {
  constexpr std::size_t most = 60;
  std::string text;
  for (const CapturedArgument& argument : captured.arguments) {
    const std::string next = argument_text(captured, argument);
    if (text.size() + next.size() > most) return text + ",..";
    text += (text.empty() ? "" : ",") + next;
  }
  return text;
}

} // namespace perfmodel
