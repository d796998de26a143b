#include "launches_file.hpp"

#include "json_tree.hpp"
#include "mapped_file.hpp"
#include "text_file.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace perfmodel::hwdb {

namespace {

constexpr std::size_t most_bytes = std::size_t{64} << 20;

std::string hexadecimal(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  for (const std::uint8_t byte : bytes) text += fmt::format("{:02x}", byte);
  return text;
}

std::vector<std::uint8_t> bytes_from(const std::string& text) {
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < text.size(); i += 2) {
    std::uint8_t byte = 0;
    const char* const from = text.data() + i;
    const auto [end, error] = std::from_chars(from, text.data() + std::min(i + 2, text.size()), byte, 16);
    if (error != std::errc() || end != from + 2) throw InputError("bytes are written as two digits each");
    bytes.push_back(byte);
  }
  return bytes;
}

// Whole and not below zero: JSON's own conversions would cut off what does not fit.
template <class T> T whole_of(const Json& value, const char* key) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > std::numeric_limits<T>::max())
    throw InputError(fmt::format("'{}' is no whole number of its size", key));
  return value.get<T>();
}
template <class T> T whole(const Json& j, const char* key) { return whole_of<T>(j.at(key), key); }

Json sides(const Shape& shape) { return {shape.x, shape.y, shape.z}; }
Shape shape_from(const Json& j, const char* key) {
  const Json& values = j.at(key);
  const auto is_whole = [](const Json& side) { return side.is_number_integer(); };
  if (!values.is_array() || values.size() != 3 || !std::all_of(values.begin(), values.end(), is_whole))
    throw InputError(fmt::format("'{}' is a shape of three sides, each a whole number", key));
  return {values[0], values[1], values[2]};
}

Json json_of(const CapturedArgument& argument) {
  Json j{{"offset", argument.offset}, {"bytes", hexadecimal(argument.bytes)}};
  for (const CapturedPointer& p : argument.pointers)
    j["pointers"].push_back({{"at", p.at}, {"allocation", p.allocation}, {"offset", p.offset}});
  return j;
}

CapturedArgument argument_from(const Json& j) {
  CapturedArgument made{.offset = whole<std::uint32_t>(j, "offset"), .bytes = bytes_from(j.at("bytes"))};
  for (const Json& p : j.value("pointers", Json::array()))
    made.pointers.push_back({whole<std::uint32_t>(p, "at"), whole<std::uint32_t>(p, "allocation"),
                             whole<std::uint64_t>(p, "offset")});
  return made;
}

// Bytes that were used since, of each allocation; null: it was not used before.
using Since = std::vector<std::optional<std::uint64_t>>;

void add_since(Json& j, const char* key, const Since& all) {
  for (const std::optional<std::uint64_t>& since : all) j[key].push_back(since ? Json(*since) : Json());
}

Since since_from(const Json& j, const char* key) {
  const Json all = j.value(key, Json::array());
  if (!all.is_array())
    throw InputError(fmt::format("'{}' is a list, a number or null for each allocation", key));
  Since made;
  for (const Json& since : all)
    made.push_back(since.is_null() ? std::optional<std::uint64_t>() : whole_of<std::uint64_t>(since, key));
  return made;
}

Json json_of(const CapturedLaunch& launch) {
  Json j{{"kernel", launch.kernel},
         {"gpu", launch.gpu},
         {"grid", sides(launch.grid)},
         {"block", sides(launch.block)},
         {"dynamic_shared", launch.dynamic_shared}};
  if (launch.cluster) j["cluster"] = sides(*launch.cluster);
  if (launch.cooperative) j["cooperative"] = true;
  if (launch.managed) j["managed"] = true;
  if (launch.of_host) j["of_host"] = true;
  if (launch.registers) j["registers"] = *launch.registers;
  if (launch.fixed_shared) j["fixed_shared"] = *launch.fixed_shared;
  if (launch.arguments_known) {
    j["allocations"] = launch.allocations;
    add_since(j, "others_since", launch.others_since);
    add_since(j, "first_others_since", launch.first_others_since);
    j["arguments"] = Json::array();
    for (const CapturedArgument& argument : launch.arguments) j["arguments"].push_back(json_of(argument));
  }
  for (const CapturedContents& held : launch.contents) {
    Json& one = j["contents"].emplace_back(
        Json{{"size", held.size}, {"address", held.address}, {"at", held.at}, {"bytes", held.bytes}});
    if (held.allocation) one["allocation"] = *held.allocation;
    if (!held.variable.empty()) one["variable"] = held.variable;
  }
  j["count"] = launch.count;
  if (launch.in_a_row > 0) j["in_a_row"] = launch.in_a_row;
  if (const auto& t = launch.times)
    j["times"] = {{"count", t->count}, {"least_ns", t->least}, {"median_ns", t->median}};
  if (launch.first_time) j["first_ns"] = *launch.first_time;
  return j;
}

CapturedLaunch launch_from(const Json& j) {
  CapturedLaunch made{.kernel = j.at("kernel"),
                      .gpu = whole<std::uint32_t>(j, "gpu"),
                      .grid = shape_from(j, "grid"),
                      .block = shape_from(j, "block"),
                      .dynamic_shared = whole<std::uint64_t>(j, "dynamic_shared"),
                      .cooperative = j.value("cooperative", false),
                      .managed = j.value("managed", false),
                      .of_host = j.value("of_host", false)};
  if (j.contains("cluster")) made.cluster = shape_from(j, "cluster");
  if (j.contains("registers")) made.registers = whole<std::uint32_t>(j, "registers");
  if (j.contains("fixed_shared")) made.fixed_shared = whole<std::uint32_t>(j, "fixed_shared");
  made.arguments_known = j.contains("arguments");
  made.allocations = j.value("allocations", std::vector<std::uint64_t>{});
  made.others_since = since_from(j, "others_since");
  made.first_others_since = since_from(j, "first_others_since");
  for (const Json& argument : j.value("arguments", Json::array()))
    made.arguments.push_back(argument_from(argument));
  for (const Json& held : j.value("contents", Json::array())) {
    CapturedContents& one =
        made.contents.emplace_back(CapturedContents{.size = whole<std::uint64_t>(held, "size"),
                                                    .address = whole<std::uint64_t>(held, "address"),
                                                    .at = whole<std::uint64_t>(held, "at"),
                                                    .bytes = whole<std::uint64_t>(held, "bytes")});
    one.variable = held.value("variable", "");
    if (held.contains("allocation")) one.allocation = whole<std::uint32_t>(held, "allocation");
  }
  if (j.contains("first_ns")) made.first_time = whole<std::uint64_t>(j, "first_ns");
  made.count = whole<std::uint64_t>(j, "count");
  if (j.contains("in_a_row")) made.in_a_row = whole<std::uint64_t>(j, "in_a_row");
  if (j.contains("times")) {
    const Json& t = j.at("times");
    made.times = {whole<std::uint64_t>(t, "count"), whole<std::uint64_t>(t, "least_ns"),
                  whole<std::uint64_t>(t, "median_ns")};
  }
  return made;
}

CapturedLaunches launches_from(const Json& j) {
  if (!j.is_object() || !j.contains("schema") || j.at("schema") != CapturedLaunches::format)
    throw InputError(fmt::format("this is no {} file", CapturedLaunches::format));
  CapturedLaunches made{.command = j.value("command", ""),
                        .date = j.value("date", ""),
                        .memory = j.value("memory", ""),
                        .left_out = whole<std::uint64_t>(j, "left_out"),
                        .notes = j.value("notes", std::vector<std::string>{}),
                        .complete = j.value("complete", true),
                        .serial = j.value("serial", false)};
  for (const Json& g : j.at("gpus"))
    made.gpus.push_back({.name = g.at("name"),
                         .capability = g.at("capability"),
                         .driver = g.value("driver", ""),
                         .clock = g.contains("clock") ? whole<std::uint64_t>(g, "clock") : 0});
  for (const Json& launch : j.at("launches")) {
    try {
      made.launches.push_back(launch_from(launch));
    } catch (const InputError& e) {
      throw InputError(fmt::format("launch {}: {}", made.launches.size() + 1, e.what()));
    }
  }
  made.check();
  return made;
}

} // namespace

std::string launches_json(const CapturedLaunches& launches) {
  Json j{{"schema", CapturedLaunches::format}, {"command", launches.command}, {"complete", launches.complete},
         {"left_out", launches.left_out},      {"notes", launches.notes},     {"gpus", Json::array()},
         {"launches", Json::array()}};
  if (!launches.date.empty()) j["date"] = launches.date;
  if (launches.serial) j["serial"] = true;
  if (!launches.memory.empty()) j["memory"] = launches.memory;
  for (const CapturedGpu& gpu : launches.gpus) {
    Json g{{"name", gpu.name}, {"capability", gpu.capability}};
    if (!gpu.driver.empty()) g["driver"] = gpu.driver;
    if (gpu.clock > 0) g["clock"] = gpu.clock;
    j["gpus"].push_back(std::move(g));
  }
  for (const CapturedLaunch& launch : launches.launches) j["launches"].push_back(json_of(launch));
  // Names and arguments of a program may be in any encoding.
  return j.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

CapturedLaunches parse_launches(const std::string& text, const std::string& file) {
  try {
    return launches_from(parse_json(text).root);
  } catch (const InputError& e) {
    throw InputError(file + ": " + e.what());
  } catch (const nlohmann::json::exception& e) {
    throw InputError(file + ": " + in_a_sentence(text, e));
  }
}

CapturedLaunches read_launches(const std::filesystem::path& file) {
  CapturedLaunches made = parse_launches(read_text(file, most_bytes), file.string());
  if (made.memory.empty()) return made;
  const std::filesystem::path memory = file.parent_path() / std::filesystem::path(made.memory).filename();
  made.memory = memory.string();
  if (std::filesystem::is_regular_file(memory)) {
    keep_memory_file(made.memory, map_file(memory));
    return made;
  }
  made.notes.push_back(fmt::format("{}, with the contents of memory, is not there", made.memory));
  made.memory.clear();
  return made;
}

} // namespace perfmodel::hwdb
