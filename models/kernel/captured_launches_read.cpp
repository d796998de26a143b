#include "captured_launches.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

namespace perfmodel {

namespace {

// More than any kernel takes, in bytes; more than any GPU has.
constexpr std::uint64_t most_arguments = 65536, most_memory = std::uint64_t{1} << 50;
constexpr std::int64_t most_side = std::int64_t{1} << 31;

// One line: a word that says what it is, then numbers, or a text.
class Line {
public:
  explicit Line(std::string_view text) : rest_(text) {}

  std::string_view word() {
    const std::size_t end = std::min(rest_.find(' '), rest_.size());
    const std::string_view taken = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return taken;
  }
  std::string text() { return std::string(std::exchange(rest_, {})); }
  template <class T> void into(T& number) { number = whole<T>(); }
  Shape shape() {
    Shape made;
    into(made.x), into(made.y), into(made.z);
    return made;
  }
  std::vector<std::uint8_t> bytes() {
    const std::string_view digits = word();
    if (digits.size() % 2 != 0 || digits.size() > 2 * most_arguments)
      throw InputError("bytes are expected, two digits each");
    std::vector<std::uint8_t> made;
    for (std::size_t i = 0; i < digits.size(); i += 2)
      made.push_back(number<std::uint8_t>(digits.substr(i, 2), 16));
    return made;
  }
  void end() const {
    if (!rest_.empty()) throw InputError(fmt::format("{} is too much", quoted(rest_)));
  }

private:
  template <class T> T whole() { return number<T>(word(), 10); }
  template <class T> static T number(std::string_view text, int base) {
    T value{};
    const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc() || stopped != text.data() + text.size())
      throw InputError(fmt::format("a whole number is expected, not {}", quoted(text)));
    return value;
  }
  std::string_view rest_;
};

template <class T> T& last(std::vector<T>& list, const char* what) {
  if (list.empty()) throw InputError(fmt::format("no {} comes before it", what));
  return list.back();
}

// What concerns a launch; false: it is none of these words.
bool of_launch(std::string_view key, Line& line, CapturedLaunch& launch) {
  if (key == "on")
    line.into(launch.gpu);
  else if (key == "grid")
    launch.grid = line.shape();
  else if (key == "block")
    launch.block = line.shape();
  else if (key == "dynamic_shared")
    line.into(launch.dynamic_shared);
  else if (key == "cluster")
    launch.cluster = line.shape();
  else if (key == "cooperative")
    launch.cooperative = true;
  else if (key == "managed")
    launch.managed = true;
  else if (key == "of_host")
    launch.of_host = true;
  else if (key == "registers")
    line.into(launch.registers.emplace());
  else if (key == "fixed_shared")
    line.into(launch.fixed_shared.emplace());
  else if (key == "allocation")
    line.into(launch.allocations.emplace_back());
  else if (key == "others_since")
    line.into(launch.others_since.emplace_back().emplace());
  else if (key == "not_used_before")
    launch.others_since.emplace_back();
  else if (key == "first_others_since")
    line.into(launch.first_others_since.emplace_back().emplace());
  else if (key == "first_not_used_before")
    launch.first_others_since.emplace_back();
  else if (key == "arguments")
    launch.arguments_known = true, line.word();
  else if (key == "argument") {
    CapturedArgument& argument = launch.arguments.emplace_back();
    line.into(argument.offset);
    argument.bytes = line.bytes();
  } else if (key == "pointer") {
    CapturedPointer& pointer = last(launch.arguments, "argument").pointers.emplace_back();
    line.into(pointer.at), line.into(pointer.allocation), line.into(pointer.offset);
  } else if (key == "contents") {
    CapturedContents& held = launch.contents.emplace_back();
    line.into(held.size), line.into(held.address), line.into(held.at), line.into(held.bytes);
  } else if (key == "of")
    line.into(last(launch.contents, "contents").allocation.emplace());
  else if (key == "variable")
    last(launch.contents, "contents").variable = line.text();
  else if (key == "first_time")
    line.into(launch.first_time.emplace());
  else if (key == "count")
    line.into(launch.count);
  else if (key == "in_a_row")
    line.into(launch.in_a_row);
  else if (key == "times") {
    CapturedTimes& times = launch.times.emplace();
    line.into(times.count), line.into(times.least), line.into(times.median);
  } else
    return false;
  return true;
}

bool of_gpu(std::string_view key, Line& line, CapturedGpu& gpu) {
  if (key == "capability")
    gpu.capability = line.text();
  else if (key == "driver")
    gpu.driver = line.text();
  else if (key == "clock")
    line.into(gpu.clock);
  else
    return false;
  return true;
}

void take(Line line, CapturedLaunches& made) {
  const std::string_view key = line.word();
  if (key == "command")
    made.command = line.text();
  else if (key == "gpu")
    made.gpus.push_back({.name = line.text()});
  else if (key == "note")
    made.notes.push_back(line.text());
  else if (key == "memory")
    made.memory = line.text();
  else if (key == "left_out")
    line.into(made.left_out);
  else if (key == "incomplete")
    made.complete = false;
  else if (key == "serial")
    made.serial = true;
  else if (key == "kernel")
    made.launches.push_back({.kernel = line.text()});
  else if (!(made.launches.empty() ? of_gpu(key, line, last(made.gpus, "gpu"))
                                   : of_launch(key, line, made.launches.back())))
    throw InputError(fmt::format("{} is not known", quoted(key)));
  line.end();
}

void check_sides(const Shape& shape, const char* what) {
  for (const std::int64_t side : {shape.x, shape.y, shape.z})
    if (side < 1 || side > most_side) throw InputError(fmt::format("a {} has sides from 1 on", what));
}

void check_launch(const CapturedLaunch& launch, std::size_t gpus) {
  if (launch.kernel.empty()) throw InputError("the kernel has no name");
  if (launch.gpu >= gpus) throw InputError(fmt::format("there is no GPU {}", launch.gpu));
  check_sides(launch.grid, "grid");
  check_sides(launch.block, "block");
  if (launch.cluster) check_sides(*launch.cluster, "cluster");
  if (launch.dynamic_shared > most_memory) throw InputError("so much shared memory has no block");
  if (launch.in_a_row > 0 && launch.in_a_row >= launch.count)
    throw InputError("fewer launches came in a row than came at all");
  for (const std::uint64_t bytes : launch.allocations)
    if (bytes > most_memory) throw InputError("so large an allocation has no GPU");
  for (const auto* since : {&launch.others_since, &launch.first_others_since})
    if (!since->empty() && since->size() != launch.allocations.size())
      throw InputError("what was used since stands of each allocation, or of none");
  for (const CapturedContents& held : launch.contents) {
    if (held.size > most_memory || held.bytes > held.size || held.at > most_memory)
      throw InputError("contents are part of an allocation");
    if (held.allocation && *held.allocation >= launch.allocations.size())
      throw InputError(fmt::format("there is no allocation {}", *held.allocation));
  }
  std::uint64_t end = 0; // arguments come in the order of their places
  for (const CapturedArgument& argument : launch.arguments) {
    if (argument.offset < end) throw InputError("two arguments lie in one place");
    end = std::uint64_t{argument.offset} + argument.bytes.size();
    if (end > most_arguments) throw InputError("so many arguments has no kernel");
    for (const CapturedPointer& pointer : argument.pointers) {
      if (pointer.at > argument.bytes.size() || argument.bytes.size() - pointer.at < 8)
        throw InputError("a pointer has eight bytes of its argument");
      if (pointer.allocation >= launch.allocations.size())
        throw InputError(fmt::format("there is no allocation {}", pointer.allocation));
      if (pointer.offset > launch.allocations[pointer.allocation])
        throw InputError("a pointer points into its allocation");
    }
  }
}

} // namespace

CapturedLaunches CapturedLaunches::from_text(std::string_view text) {
  CapturedLaunches made;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    try {
      if (++number > 1)
        take(Line(line), made);
      else if (line != format)
        throw InputError(fmt::format("{} is expected", format));
    } catch (const InputError& e) {
      throw InputError(fmt::format("line {}: {}", number, e.what()));
    }
  }
  if (number == 0) throw InputError(fmt::format("line 1: {} is expected", format));
  made.check();
  return made;
}

void CapturedLaunches::check() const {
  for (std::size_t i = 0; i < launches.size(); ++i) try {
      check_launch(launches[i], gpus.size());
    } catch (const InputError& e) {
      throw InputError(fmt::format("launch {}: {}", i + 1, e.what()));
    }
}

} // namespace perfmodel
