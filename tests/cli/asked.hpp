// Questions that an exercise asks, without the command.
#pragma once

#include "program.hpp"

#include "cli/exercise/question.hpp"
#include "hwdb/exercises/exercise_file.hpp"

#include <string>

namespace perfmodel::asked_for_tests {

using cli::Question;

inline const hwdb::Database& shipped() {
  static const hwdb::Database database(hwdb::default_folder());
  return database;
}

// Little's law with two FMAs a thread.
inline hwdb::Exercise two_chains() {
  return {.model = "littles-law",
          .ask = "threads",
          .question = "{ilp:FMAs} on {gpu}?",
          .draw = {{"ilp", {{.text = "2", .words = ""}}}},
          .row = {{"precision", {{.text = "fp32", .words = ""}}}},
          .step = "threads",
          .given = {},
          .because = {"{in_flight} over 2 are {answer}"}};
}

inline Question asked(const hwdb::Exercise& exercise, const std::string& gpu) {
  const Gpu there = shipped().completed(shipped().gpu(gpu));
  cli::QuestionMaker maker(model(exercise.model), {exercise}, &there, 1);
  return maker.next().value();
}

} // namespace perfmodel::asked_for_tests
