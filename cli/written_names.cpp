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

} // namespace

void name_kernels_as_written(Result& result) {
  for (Table& table : result.tables)
    for (Column& column : table.columns) {
      if (column.name != "kernel" || !column.is_text()) continue;
      auto& names = std::get<std::vector<std::string>>(column.cells);
      for (const auto& as : {written_name, written_instance}) {
        std::vector<std::string> written;
        for (const std::string& name : names) written.push_back(name.starts_with("_Z") ? as(name) : name);
        if (different(written) < different(names)) continue;
        names = std::move(written);
        break;
      }
    }
}

} // namespace perfmodel::cli
