// A question about one GPU, drawn from a seed, with its answer and the steps that lead to it.
#pragma once

#include "hwdb/exercises/exercise_file.hpp"
#include "models/core/gpu.hpp"
#include "models/core/model.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace perfmodel::cli {

struct Question {
  std::string model, gpu;  // gpu: its name; "" where the model takes none
  std::string text;        // what is asked, in words
  std::vector<Step> given; // what the solution needs beside what the text says
  std::vector<Step> steps; // from there to the answer, as --explain has them
  std::vector<std::string> because;
  double answer = absent; // base units
  Unit unit;
  std::string command; // "perfmodel balance --hw m2090 --precision fp32 --explain"
  // The same question as the model takes it, and the row and column of its answer.
  std::vector<Axis> inputs;
  std::string column;
  std::vector<std::pair<std::string, std::string>> row;
};

// Its question with numbers as they may be drawn, about "a GPU". Throws InputError: a value that an option
// does not take.
std::string example_of(const hwdb::Exercise& exercise);

// "640 threads", "7.51 flop/B".
std::string answer_text(const Question& question);

// The questions of a sheet, no two with the same text. Which they are is decided by the seed, the number of
// the question and the exercises. `gpu` is none for a model that takes none.
class QuestionMaker {
public:
  QuestionMaker(const Model& model, std::vector<hwdb::Exercise> exercises, const Gpu* gpu,
                std::uint64_t seed);

  // The next one; none where no further one is found. Throws InputError where there is not even one: the GPU
  // lacks what the model needs.
  std::optional<Question> next();

private:
  const Model& model_;
  std::vector<hwdb::Exercise> exercises_;
  const Gpu* gpu_;
  std::uint64_t seed_;
  std::uint64_t asked_ = 0;
  std::set<std::string> tried_; // the texts of those that were asked, and of points that the GPU refuses
};

} // namespace perfmodel::cli
