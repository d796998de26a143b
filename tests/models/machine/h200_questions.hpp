// What the H200 is asked with costs taken away from it, or carried over to another GPU.
#pragma once

#include "hwdb/measured.hpp"
#include "tests/models/ask.hpp"

#include <string>
#include <vector>

namespace perfmodel::h200_questions {

inline Gpu h200() {
  Gpu gpu = database().gpu("h200");
  for (const auto& file : database().measured_files("h200"))
    gpu = with_constants(std::move(gpu), hwdb::constants_of(database().run(file), file.filename().string()),
                         Over::everything);
  return gpu;
}

struct Question {
  const char* model;
  Words inputs;
  const char* table;
  const char* column;
};

// A few of each family of the ledger.
inline const std::vector<Question>& questions() {
  static const std::vector<Question> all{
      {"reduction", {{"n", "4194304"}}, "versions", "time"},
      {"transpose", {{"n", "4096"}}, "versions", "time"},
      {"matmul", {{"n", "512"}}, "versions", "time"},
      {"pi", {}, "versions", "time"},
      {"suffix-sums", {}, "versions", "time"},
      {"coalescing", {{"stride", "8"}}, "", "bandwidth"},
      {"coalescing", {{"stride", "33"}}, "", "bandwidth"},
      {"memory-parallelism", {{"threads", "256"}, {"ilp", "2"}}, "", "bandwidth"},
      {"latency-hiding", {{"threads", "128"}, {"ilp", "2"}}, "", "of_peak"},
      {"segment-rate", {{"segment", "64"}}, "", "bandwidth"},
      {"bank-conflicts", {{"stride", "4"}}, "", "lone_cycles"},
      {"constant-cache", {}, "", "cycles"},
      {"littles-law", {}, "", "threads"},
      {"instruction-throughput", {{"mix", "fadd:2,fmul:2,iadd:4,imad:2,shift:1,rcp:1"}}, "", "mix_cycles"},
      {"instruction-throughput", {{"class", "fadd"}}, "", "throughput"},
      {"roofline", {{"basis", "measured"}, {"intensity", "1"}}, "kernels", "performance"},
  };
  return all;
}

// Numbers and grades of the answers, one after the other.
struct Answers {
  std::vector<double> numbers;
  std::vector<std::string> grades;
};

inline Answers answers_of(const Question& q, const Gpu& gpu) {
  Answers all;
  for (const Table& table : ask(q.model, gpu, q.inputs).tables) {
    const Column* column = table.find(q.column);
    if (column == nullptr) continue;
    for (std::size_t row = 0; row < table.rows(); ++row) {
      all.numbers.push_back(column->number(row));
      all.grades.push_back(table.at("grade").text(row));
    }
    break; // the rows that were asked about come first
  }
  return all;
}

} // namespace perfmodel::h200_questions
