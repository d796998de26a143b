#include "written_names.hpp"

#include "models/views/same_kernel.hpp"

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

} // namespace

void name_kernels_as_written(Result& result) {
  for (Table& table : result.tables)
    for (Column& column : table.columns) {
      if (column.name != "kernel" || !column.is_text()) continue;
      auto& names = std::get<std::vector<std::string>>(column.cells);
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
