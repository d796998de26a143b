// Every model on every GPU at three sizes and, of a fourth of the GPUs, at a large one: no answer beats a
// roof that applies to it, none is quicker than a launch and one load, and each has a grade. What it is asked
// by default is so checked in tests/models/registry.cpp.
#include "tests/models/ask.hpp"
#include "tests/models/roofs.hpp"
#include "tests/small_problem.hpp"

#include "models/core/error.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace perfmodel::every_answer_test {

// The size of a model's problem, and five values of it; none for models that have no size.
Words size_of(const Model& m, std::size_t i) {
  const auto has = [&](const char* name) { return m.find(name) != nullptr; };
  constexpr std::array squares{"1", "16", "100", "500", "4096"},
      lines{"2", "1000", "65536", "16777216", "67108864"}, blocks{"32", "64", "256", "512", "1024"};
  const std::string_view name = m.info.name;
  if (name == "transpose") return {{"n", squares[i]}};
  if (name == "matmul") return {{"n", std::array{"1", "16", "100", "256", "300"}[i]}};
  if (name == "suffix-sums") return {{"blocks", std::array{"1", "10", "300", "10000", "100000"}[i]}};
  if (name == "reduction" || name == "pi") return {{"n", lines[i]}};
  if (has("target")) // at one number of words, or it looks for the blocks needed at every one
    return {{"threads", blocks[i]}, {"ilp", std::array{"1", "2", "4", "8", "3"}[i]}};
  if (has("threads")) return {{"threads", blocks[i]}};
  if (has("stride")) return {{"stride", std::array{"1", "2", "5", "32", "33"}[i]}};
  if (has("segment")) return {{"segment", std::array{"32", "64", "128", "512", "4096"}[i]}};
  return {};
}

// The GPUs that there are, and some with a fact set far from what was measured on them.
std::vector<Gpu> gpus_and_what_ifs() {
  std::vector<Gpu> all = every_gpu();
  for (const char* name : {"h200", "gtx280"})
    for (const auto& [fact, part] : {std::pair("dram.bandwidth", 0.4), {"clock", 0.5}, {"sm_count", 0.1}}) {
      const Gpu gpu = measured_gpu(name);
      all.push_back(with_fact(gpu, fact, std::floor(gpu.cost_of(fact)->value * part)));
    }
  return all;
}

TEST(EveryAnswer, beats_no_roof_and_no_latency_and_has_a_grade) {
  const std::vector<Gpu> gpus = gpus_and_what_ifs();
  for (const Model& m : models())
    for (std::size_t g = 0; g < gpus.size(); ++g)
      for (std::size_t i = 0; i < 5; ++i) {
        const Gpu& gpu = gpus[g];
        const Words size = size_of(m, i);
        if (size.empty() && i > 0) break;
        // What takes long: with facts set one size, and one of the two largest on every fourth GPU, in turns;
        // copies, whose blocks are no larger problem than each other, with one of them.
        if (m.info.simulated && (roofs::is_what_if(gpu) ? i != 3 : i >= 3 && g % 8 != 4 * (i - 3))) continue;
        if (takes_long(m) && !m.info.simulated && i != g % 5) continue;
        Result result;
        try {
          Request request = request_of(m, size);
          request.quick_grades = true;
          result = predict(m, std::span(&gpu, 1), request);
        } catch (const InputError&) { // of this GPU there is no such answer, and it says why
          continue;
        }
        roofs::expect_beats_none(m, gpu, result);
      }
}

} // namespace perfmodel::every_answer_test
