#include "accuracy.hpp"

#include "instruction_throughput.hpp"
#include "rounding.hpp"

#include "models/core/error.hpp"
#include "models/core/in_words.hpp"
#include "models/core/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace perfmodel {

namespace {

// As instruction-throughput calls it; of a multiplication and an addition the slower one of two.
struct Rounding {
  const char* instruction;
  float (*rounded)(const rounding::Operands&); // nullptr: a function of CUDA's library
  const char* why;
};
Rounding rounding_of(Operation operation) {
  switch (operation) {
  case Operation::mad:
    return {"ffma", rounding::cut_off, "the product is cut off to 24 bits, then the sum is rounded"};
  case Operation::mul_add:
    return {nullptr, rounding::apart, "product and sum are rounded, by two instructions"};
  case Operation::fmad:
    return {"ffma", rounding::fused, "one rounding, at the end"};
  case Operation::sinf:
    return {"sinf", nullptr, "the argument is reduced, and a polynomial taken"};
  case Operation::fast_sinf:
    return {"__sinf", nullptr, "a table of the special function units: an absolute error of 2^-21.41"};
  case Operation::division:
    return {"fdiv", nullptr, "a reciprocal, made better by multiply-adds"};
  case Operation::fast_division:
    return {"fdividef", nullptr, "a reciprocal of the special function units and a product"};
  }
  return {};
}

bool has(const Gpu& gpu, Operation operation) {
  const double cc = gpu.capability();
  if (std::isnan(cc) || cc <= 0) // no GPU of NVIDIA's: its libraries promise something else
    return operation == Operation::fmad || operation == Operation::mul_add;
  if (operation == Operation::mad) return cc < 2;
  return operation != Operation::fmad || cc >= 2;
}

// What the functions are given: the nearest number of fp32.
double as_given(double argument) { return static_cast<double>(static_cast<float>(argument)); }

double bound_of(const Gpu& gpu, Operation operation, double argument) {
  constexpr double rounded = 0.5; // the correctly rounded result itself
  const double value = std::sin(argument);
  switch (operation) {
  case Operation::sinf:
    return 2 + rounded;
  case Operation::fast_sinf: // promised between -pi and pi alone
    return std::fabs(argument) <= std::numbers::pi ? std::exp2(-21.41) / rounding::ulp_of(value) : absent;
  case Operation::division:
    return gpu.capability() >= 2 ? rounded : 2 + rounded;
  case Operation::fast_division:
    return 2 + rounded;
  default:
    return absent;
  }
}

PerCycle throughput_of(const Gpu& gpu, const char* instruction) {
  if (instruction == nullptr) return PerCycle(absent);
  try {
    Plain plain;
    const auto tables = InstructionThroughput::machine(gpu, {}, plain);
    for (const InstructionThroughput::Class& c : std::get<std::vector<InstructionThroughput::Class>>(tables))
      if (c.name == instruction) return c.throughput;
  } catch (const InputError&) { // its files say nothing of instructions
  }
  return PerCycle(absent);
}

void work_out(Accuracy::Row& row, float (*rounded)(const rounding::Operands&)) {
  double sum = 0, count = 0;
  row.worst = 0;
  for (const rounding::Operands& o : rounding::operands(static_cast<int>(row.cancelled))) {
    if (rounding::exact(o) == 0) continue;
    const double off = rounding::ulps_off(rounded(o), rounding::exact(o));
    row.worst = std::max(row.worst, off);
    sum += off, ++count;
  }
  row.mean = sum / count;
}

// What is asked of an operation that it does not depend on.
void check_asked_of(const Accuracy::Input& in) {
  if (!in.operation) return;
  const Operation o = *in.operation;
  const Accuracy::Input defaults;
  const auto name = names(o)[static_cast<std::size_t>(o)];
  const bool adds = o == Operation::mul_add || o == Operation::mad || o == Operation::fmad;
  const bool is_sine = o == Operation::sinf || o == Operation::fast_sinf;
  if (!adds && in.cancelled != defaults.cancelled)
    throw InputError(fmt::format("--cancelled is of multiply-adds, not of {}", name));
  if (!is_sine && in.argument != defaults.argument)
    throw InputError(fmt::format("--argument is of sines, not of {}", name));
}

} // namespace

template <class T>
std::vector<Accuracy::Row> Accuracy::predict(const Gpu& gpu, const Accuracy::Input& in, T& trace) {
  constexpr Count most_cancelled = 22;
  if (in.cancelled > most_cancelled || in.cancelled != std::floor(in.cancelled))
    throw InputError(
        fmt::format("--cancelled {}: 0 to {} whole bits of 24 can cancel", in.cancelled, most_cancelled));
  if (std::sin(as_given(in.argument)) == 0)
    throw InputError(
        fmt::format("--argument {}: its sine is 0, which has no last place to count errors in", in.argument));
  if (gpu.architecture.empty())
    throw InputError(gpu.name + " has no compute capability, which says how it rounds");
  if (in.operation && !has(gpu, *in.operation))
    throw InputError(fmt::format("--operation {0}: {1} has no rate for {0}: {2}",
                                 names(*in.operation)[static_cast<std::size_t>(*in.operation)], gpu.name,
                                 *in.operation == Operation::mad    ? "MAD is of cc 1.x"
                                 : *in.operation == Operation::fmad ? "FMAD is of cc 2.0 and later"
                                                                    : "CUDA's functions are of NVIDIA's"));
  check_asked_of(in);
  std::vector<Row> rows;
  for (std::size_t i = 0; i < names(Operation{}).size(); ++i) {
    const auto operation = static_cast<Operation>(i);
    if (in.operation ? operation != *in.operation : !has(gpu, operation)) continue;
    const Rounding way = rounding_of(operation);
    Row row{.operation = operation,
            .cancelled = in.cancelled,
            .argument = in.argument,
            .bound = bound_of(gpu, operation, as_given(in.argument)),
            .throughput = throughput_of(gpu, way.instruction),
            .why = way.why};
    if (way.rounded != nullptr) work_out(row, way.rounded);
    trace.say(names(operation)[i], "where its error comes from", way.why);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string Accuracy::verdict(const Gpu&, const Accuracy::Input& in, const std::vector<Row>& rows) {
  const auto find = [&](Operation operation) {
    return std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.operation == operation; });
  };
  std::string text;
  const auto of = [&](Operation operation, const std::string& name) {
    const auto row = find(operation);
    if (row == rows.end()) return;
    const double error = std::isnan(row->worst) ? row->bound : row->worst;
    if (std::isnan(error)) return;
    text += fmt::format("{}{} {}", text.empty() ? "Off by up to: " : ", ", name, in_words(error, "ulp"));
  };
  of(Operation::mad, "MAD");
  of(Operation::fmad, "FMAD");
  of(Operation::mul_add, "product and sum");
  of(Operation::sinf, fmt::format("sinf({:.4g})", in.argument));
  of(Operation::fast_sinf, fmt::format("__sinf({:.4g})", in.argument));
  of(Operation::division, "division");
  of(Operation::fast_division, "__fdividef");
  if (text.empty()) return "No bound is promised for this.";
  return text + ".";
}

template std::vector<Accuracy::Row> Accuracy::predict(const Gpu&, const Accuracy::Input&, Plain&);
template std::vector<Accuracy::Row> Accuracy::predict(const Gpu&, const Accuracy::Input&, Recorder&);

} // namespace perfmodel
