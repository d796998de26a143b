#include "swept_names.hpp"

#include "bindings.hpp"

#include <algorithm>
#include <set>

namespace perfmodel {

namespace {

bool is_taken(const Model& model, const std::string& name) {
  return name == "gpu" || model.find(name) != nullptr || find_key(name) != nullptr ||
         std::find(model.outputs.begin(), model.outputs.end(), name) != model.outputs.end();
}

} // namespace

std::vector<Axis> swept_names(const Model& model, const Axis& axis) {
  std::vector<Axis> names;
  std::vector<std::set<std::int64_t>> known;
  for (const Value& value : axis.values) {
    const Bindings bindings = Bindings::from_text(value.text);
    for (std::size_t i = 0; i < bindings.values.size(); ++i) {
      const auto& [name, number] = bindings.values[i];
      if (i == names.size()) {
        names.push_back({is_taken(model, name) ? "let." + name : name, {}});
        known.emplace_back();
      }
      if (known[i].insert(number).second) names[i].values.push_back({static_cast<double>(number), {}});
    }
  }
  return names;
}

} // namespace perfmodel
