// A problem of a simulated model that few blocks do: for tests of what does not depend on its size. Every
// model at its default size on every GPU is the question of tests/models/registry.cpp.
#pragma once

#include "models/core/model.hpp"

#include <string>
#include <utility>
#include <vector>

namespace perfmodel {

// Option -> text.
inline std::vector<std::pair<std::string, std::string>> small_problem(const Model& model) {
  if (!model.info.simulated) return {};
  if (model.find("tile") != nullptr) return {{"n", "128"}};
  if (model.find("n") != nullptr) return {{"n", "512"}};
  if (model.find("grid") != nullptr) return {{"grid", "100"}};
  if (model.find("blocks") != nullptr) return {{"blocks", "10"}};
  return {};
}

} // namespace perfmodel
