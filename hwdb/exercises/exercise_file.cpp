#include "exercise_file.hpp"

#include "hwdb/text_file.hpp"
#include "hwdb/yaml_map.hpp"
#include "models/core/error.hpp"
#include "models/core/fact.hpp"
#include "models/core/model.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel::hwdb {

namespace {

bool holds(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::vector<ExerciseDraw> parse_draws(YamlMap& exercise, const char* key, const std::string& file) {
  std::vector<ExerciseDraw> all;
  const YAML::Node* node = exercise.find(key);
  if (node == nullptr) return all;
  YamlMap draws(*node, file, fmt::format("'{}'", key));
  for (const YamlMap::Entry& entry : draws.entries()) {
    std::vector<ExerciseValue> values;
    if (entry.value.IsMap()) {
      draws.find(entry.key);
      YamlMap said(entry.value, file, fmt::format("'{}'", entry.key));
      for (const YamlMap::Entry& value : said.entries())
        values.push_back({.text = value.key, .words = said.text(value.key)});
    } else {
      for (std::string& value : draws.texts(entry.key)) values.push_back({.text = std::move(value)});
    }
    if (values.empty()) draws.refuse(entry.line, fmt::format("'{}' has no values", entry.key));
    all.emplace_back(entry.key, std::move(values));
  }
  return all;
}

void check_options(const YamlMap& map, const Model& model, const Exercise& exercise) {
  std::vector<std::string> names;
  for (const Option& option : model.options) names.push_back(option.name);
  for (const auto& [option, values] : exercise.draw)
    if (!holds(names, option))
      map.refuse(map.line_of("draw"), fmt::format("the model '{}' has no input '{}'{}", model.info.name,
                                                  option, suggestion(option, names)));
  if (!holds(model.outputs, exercise.ask))
    map.refuse(map.line_of("ask"), fmt::format("the model '{}' has no column '{}'{}", model.info.name,
                                               exercise.ask, suggestion(exercise.ask, model.outputs)));
}

// What varies has to be said, and what is said has to be known before the question is asked.
void check_question(const YamlMap& map, const Exercise& exercise) {
  std::vector<std::string> drawn = {"gpu"};
  const std::vector<std::string> said = names_in_braces(exercise.question);
  for (const std::vector<ExerciseDraw>* draws : {&exercise.draw, &exercise.row})
    for (const auto& [name, values] : *draws) {
      drawn.push_back(name);
      if ((values.size() > 1 || values.front().text.find(':') != std::string::npos) && !holds(said, name))
        map.refuse(map.line_of("question"), fmt::format("the question does not say {{{}}}", name));
    }
  for (const std::string& name : said)
    if (!holds(drawn, name) && find_key(name) == nullptr)
      map.refuse(map.line_of("question"),
                 fmt::format("'{{{}}}' is neither drawn nor a fact{}", name, suggestion(name, drawn)));
}

Exercise parse_exercise(const YAML::Node& node, const std::string& file, const Model& model) {
  YamlMap map(node, file, "an exercise");
  Exercise exercise{.model = std::string(model.info.name),
                    .ask = map.text("ask"),
                    .question = map.text("question"),
                    .draw = parse_draws(map, "draw", file),
                    .row = parse_draws(map, "row", file)};
  exercise.step = map.text_or("step", exercise.ask);
  if (map.find("given") != nullptr) exercise.given = map.texts("given");
  if (map.find("because") != nullptr) exercise.because = map.texts("because");
  map.finish();
  check_options(map, model, exercise);
  check_question(map, exercise);
  return exercise;
}

std::filesystem::path exercise_file(const std::filesystem::path& database, const std::string& model) {
  return database / "exercises" / (model + ".yaml");
}

} // namespace

std::vector<std::string> names_in_braces(const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t open = text.find('{'); open != std::string::npos; open = text.find('{', open + 1)) {
    const std::size_t close = text.find('}', open);
    if (close == std::string::npos) break;
    const std::string inner = text.substr(open + 1, close - open - 1);
    names.push_back(inner.substr(0, inner.find(':')));
  }
  return names;
}

std::vector<Exercise> parse_exercises(const std::string& text, const std::string& file,
                                      const std::string& name) {
  const Model& of = model(name);
  const YAML::Node root = parse_yaml(text, file);
  YamlMap map(root, file, "the file");
  const YAML::Node& list = map.at("exercises");
  if (!list.IsSequence() || list.size() == 0) map.refuse(list, "'exercises' is no list, or an empty one");
  const std::string otherwise = map.text_or("otherwise", "");
  map.finish();
  std::vector<Exercise> all;
  for (const YAML::Node& node : list) {
    all.push_back(parse_exercise(node, file, of));
    all.back().otherwise = otherwise;
  }
  return all;
}

std::vector<std::string> exercise_models(const std::filesystem::path& database) {
  std::vector<std::string> names;
  for (const Model& m : models())
    if (std::filesystem::exists(exercise_file(database, std::string(m.info.name))))
      names.emplace_back(m.info.name);
  return names;
}

std::vector<Exercise> exercises_of(const std::filesystem::path& database, const std::string& name) {
  const std::filesystem::path file = exercise_file(database, name);
  return parse_exercises(read_text(file, most_yaml), file.filename().string(), name);
}

} // namespace perfmodel::hwdb
