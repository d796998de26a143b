// A problem of a simulated model that few blocks do: for tests of what does not depend on its size. Models at
// their default sizes are the question of tests/models/registry.cpp.
#pragma once

#include "models/core/model.hpp"

#include <string>
#include <utility>
#include <vector>

namespace perfmodel {

// Whether asking it of every GPU takes half a minute or more.
inline bool takes_long(const Model& model) {
  return model.info.simulated || model.info.name == "memory-parallelism";
}

// Option -> text.
inline std::vector<std::pair<std::string, std::string>> small_problem(const Model& model) {
  if (!takes_long(model)) return {};
  if (model.find("target") != nullptr) return {{"ilp", "1"}};
  if (model.find("tile") != nullptr) return {{"n", "64"}};
  if (model.find("n") != nullptr) return {{"n", "512"}};
  if (model.find("grid") != nullptr) return {{"grid", "100"}};
  if (model.find("blocks") != nullptr) return {{"blocks", "10"}};
  return {};
}

} // namespace perfmodel
