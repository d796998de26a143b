#include "exercises.hpp"

#include "cli/given_file.hpp"

namespace perfmodel::cli {

std::vector<hwdb::Exercise> exercises_to_ask(Context& context, const std::string& name) {
  std::vector<hwdb::Exercise> all = hwdb::exercises_of(context.database().root(), name);
  for (hwdb::Exercise& exercise : all)
    for (auto& [option_name, items] : exercise.draw) {
      const Option& option = *model(name).find(option_name); // the file's reader has seen to it
      if (option.kind != OptionKind::file) continue;
      for (hwdb::ExerciseValue& item : items) {
        item.words = item.text;
        item.text = given_text(context, option, item.text);
      }
    }
  return all;
}

} // namespace perfmodel::cli
