// hwdb/exercises/<model>.yaml: questions about what a model predicts, with what varies in them.
// hwdb/README.md describes the format.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace perfmodel::hwdb {

// One of the values that an input or a key of the asked row may have: as the command line takes it (of a
// number also a range, "32:1024:32"), and how the question says it; "" as tables do.
struct ExerciseValue {
  std::string text, words;
};
using ExerciseDraw = std::pair<std::string, std::vector<ExerciseValue>>;

struct Exercise {
  std::string model;
  std::string ask;                // a column that the model predicts
  std::string question;           // with {gpu}, {option}, {option:things} and facts in braces
  std::vector<ExerciseDraw> draw; // options
  std::vector<ExerciseDraw> row;  // keys of the asked row
  std::string step;               // the symbol of --explain that is asked for; may have options in braces
  // Told beside the facts that the derivation of `step` needs: steps, columns of the row, or facts.
  std::vector<std::string> given;
  std::vector<std::string> because; // sentences of the solution, with columns of the row in braces too
  std::string otherwise; // of the whole file: why a GPU may have no answer, and which has; "" where all have
};

// The names in braces, without what follows a colon.
std::vector<std::string> names_in_braces(const std::string& text);

// Throws InputError with file, line and key: not YAML, a missing or unknown key, an unknown option or column,
// a question that does not say what varies.
std::vector<Exercise> parse_exercises(const std::string& text, const std::string& file,
                                      const std::string& model);

// The models that have exercises, in the order of the registry, and those of one of them. Throw InputError.
std::vector<std::string> exercise_models(const std::filesystem::path& database);
std::vector<Exercise> exercises_of(const std::filesystem::path& database, const std::string& model);

} // namespace perfmodel::hwdb
