// Only the standard library: this file is also part of what is injected into programs.
#include "captured_launches.hpp"

namespace perfmodel {

namespace {

// A name as the rest of a line.
std::string on_one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return text;
}

std::string sides(const Shape& shape) {
  return std::to_string(shape.x) + " " + std::to_string(shape.y) + " " + std::to_string(shape.z);
}

std::string hexadecimal(const std::vector<std::uint8_t>& bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += digits[byte >> 4];
    text += digits[byte & 0xf];
  }
  return text;
}

class Lines {
public:
  template <class... Words> void add(std::string_view key, const Words&... words) {
    text_ += key;
    (append(words), ...);
    text_ += '\n';
  }
  std::string take() { return std::move(text_); }

private:
  void append(const std::string& word) { text_ += " " + word; }
  void append(std::uint64_t number) { text_ += " " + std::to_string(number); }
  std::string text_;
};

void add(Lines& lines, const CapturedLaunch& launch) {
  lines.add("kernel", on_one_line(launch.kernel));
  lines.add("on", launch.gpu);
  lines.add("grid", sides(launch.grid));
  lines.add("block", sides(launch.block));
  lines.add("dynamic_shared", launch.dynamic_shared);
  if (launch.cluster) lines.add("cluster", sides(*launch.cluster));
  if (launch.cooperative) lines.add("cooperative");
  if (launch.managed) lines.add("managed");
  if (launch.of_host) lines.add("of_host");
  if (launch.registers) lines.add("registers", *launch.registers);
  if (launch.fixed_shared) lines.add("fixed_shared", *launch.fixed_shared);
  for (const std::uint64_t bytes : launch.allocations) lines.add("allocation", bytes);
  for (const std::optional<std::uint64_t>& since : launch.others_since)
    if (since)
      lines.add("others_since", *since);
    else
      lines.add("not_used_before");
  for (const std::optional<std::uint64_t>& since : launch.first_others_since)
    if (since)
      lines.add("first_others_since", *since);
    else
      lines.add("first_not_used_before");
  if (launch.arguments_known) lines.add("arguments", launch.arguments.size());
  for (const CapturedArgument& argument : launch.arguments) {
    lines.add("argument", argument.offset, hexadecimal(argument.bytes));
    for (const CapturedPointer& pointer : argument.pointers)
      lines.add("pointer", pointer.at, pointer.allocation, pointer.offset);
  }
  for (const CapturedContents& held : launch.contents) {
    lines.add("contents", held.size, held.address, held.at, held.bytes);
    if (held.allocation) lines.add("of", *held.allocation);
    if (!held.variable.empty()) lines.add("variable", on_one_line(held.variable));
  }
  lines.add("count", launch.count);
  if (launch.in_a_row > 0) lines.add("in_a_row", launch.in_a_row);
  if (launch.times) lines.add("times", launch.times->count, launch.times->least, launch.times->median);
  if (launch.first_time) lines.add("first_time", *launch.first_time);
}

} // namespace

std::string CapturedLaunches::text() const {
  Lines lines;
  lines.add(format);
  if (!command.empty()) lines.add("command", on_one_line(command));
  for (const CapturedGpu& gpu : gpus) {
    lines.add("gpu", on_one_line(gpu.name));
    lines.add("capability", on_one_line(gpu.capability));
    lines.add("driver", on_one_line(gpu.driver));
    lines.add("clock", gpu.clock);
  }
  for (const std::string& note : notes) lines.add("note", on_one_line(note));
  if (!memory.empty()) lines.add("memory", on_one_line(memory));
  if (left_out > 0) lines.add("left_out", left_out);
  if (!complete) lines.add("incomplete");
  if (serial) lines.add("serial");
  for (const CapturedLaunch& launch : launches) add(lines, launch);
  return lines.take();
}

} // namespace perfmodel
