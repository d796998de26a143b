// The inputs of a model as options of a command, and what was given as axes of its request.
#pragma once

#include "context.hpp"

#include <map>
#include <string>
#include <vector>

namespace perfmodel::cli {

struct ModelInputs {
  std::map<std::string, std::string> given; // by option; "" where nothing was

  // Refers to this object, which has to outlive the command.
  void add_to(CLI::App& command, const Model& model);
  // Files are read here. Throws InputError: a value that an option does not take, a file that cannot be read.
  std::vector<Axis> axes(Context& context, const Model& model) const;
};

} // namespace perfmodel::cli
