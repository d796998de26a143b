#include "launch_arguments.hpp"

#include "mangled_name.hpp"
#include "value_bytes.hpp"

#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace perfmodel {

namespace {

// Far enough apart that an address which goes by loaded data still shows the array it leads into.
constexpr std::uint64_t first_address = 0x7f0000000000, apart = std::uint64_t{1} << 44;

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

} // namespace perfmodel
