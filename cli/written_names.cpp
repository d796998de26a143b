#include "written_names.hpp"

#include "models/views/same_kernel.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <vector>

namespace perfmodel::cli {

namespace {

std::size_t different(const std::vector<std::string>& names) {
  return std::set<std::string>(names.begin(), names.end()).size();
}

// A whole name, or a piece of one that was given to tell it apart: no function's own begins with a digit.
bool is_mangled(const std::string& name) {
  return name.starts_with("_Z") || (!name.empty() && name.front() >= '0' && name.front() <= '9') ||
         (name.find("IL") != std::string::npos && written_name(name) != name);
}

std::vector<std::string>* kernels_of(Column& column) {
  return column.name == "kernel" ? std::get_if<std::vector<std::string>>(&column.cells) : nullptr;
}

} // namespace

void name_kernels_alike(Result& result) {
  std::set<std::string> whole;
  for (Table& table : result.tables)
    for (Column& column : table.columns)
      if (const auto* names = kernels_of(column))
        std::copy_if(names->begin(), names->end(), std::inserter(whole, whole.end()),
                     [](const std::string& name) { return name.starts_with("_Z"); });
  const auto whole_of = [&](const std::string& name) {
    const auto has_it = [&](const std::string& one) { return one.find(name) != std::string::npos; };
    const auto first = std::find_if(whole.begin(), whole.end(), has_it);
    return !name.empty() && first != whole.end() && std::none_of(std::next(first), whole.end(), has_it)
               ? *first
               : name;
  };
  for (Table& table : result.tables)
    for (Column& column : table.columns)
      if (auto* names = kernels_of(column))
        for (std::string& name : *names) name = whole_of(name);
}

void name_kernels_as_written(Result& result) {
  for (Table& table : result.tables)
    for (Column& column : table.columns) {
      auto* const found = kernels_of(column);
      if (found == nullptr) continue;
      std::vector<std::string>& names = *found;
      for (const auto& as : {written_name, written_instance}) {
        std::vector<std::string> written;
        for (const std::string& name : names) written.push_back(is_mangled(name) ? as(name) : name);
        if (different(written) < different(names)) continue;
        names = std::move(written);
        break;
      }
    }
}

} // namespace perfmodel::cli
