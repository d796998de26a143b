// A template's name in place of a listing: its launch follows from sizes, --let rows=4096,columns=1024.
#pragma once

#include "context.hpp"

#include <map>
#include <string>

namespace perfmodel::cli {

struct TemplateInputs {
  std::string let;

  // --let. Refers to this object, which has to outlive the command.
  void add_to(CLI::App& command);
  // Where `listing` names a template: its listing, and its launch for whatever of it was not given. Throws
  // InputError: a size that it does not have, sizes of a listing that is no template.
  void fill(Context& context, std::map<std::string, std::string>& inputs) const;
  // "n=10000000", those that are usual included; of a listing that is no template what was given.
  std::string sizes(Context& context, const std::string& listing) const;
};

// "Templates, with their usual sizes, ...:" and a line for each: its name, and what it does.
std::string template_lines(Context& context);

} // namespace perfmodel::cli
