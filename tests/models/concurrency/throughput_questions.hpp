// How the tests of instruction throughput ask.
#pragma once

#include "models/concurrency/instruction_throughput.hpp"
#include "models/core/trace.hpp"

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace perfmodel::instruction_throughput_test {

inline InstructionThroughput::Input input(std::string mix, Count unroll = 1, std::string overhead = "none") {
  InstructionThroughput::Input in;
  in.mix = std::move(mix);
  in.unroll = unroll;
  in.overhead = std::move(overhead);
  return in;
}
inline InstructionThroughput::Tables tables(const Gpu& gpu, const InstructionThroughput::Input& in) {
  Plain plain;
  return InstructionThroughput::predict(gpu, in, plain);
}
inline InstructionThroughput::Mix mix(const Gpu& gpu, const InstructionThroughput::Input& in) {
  return std::get<0>(tables(gpu, in)).at(0);
}
inline std::vector<InstructionThroughput::Class> classes(const Gpu& gpu) {
  Plain plain;
  return std::get<0>(InstructionThroughput::machine(gpu, {}, plain));
}
inline double cycles(const Gpu& gpu, const std::string& text) { return mix(gpu, input(text)).cycles.value; }
inline InstructionThroughput::Class row(const Gpu& gpu, const std::string& name) {
  for (const InstructionThroughput::Class& c : classes(gpu))
    if (c.name == name) return c;
  throw std::runtime_error("no class " + name);
}

} // namespace perfmodel::instruction_throughput_test
