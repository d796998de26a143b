#include "driver_names.hpp"

#include "hwdb/text_file.hpp"
#include "hwdb/yaml_map.hpp"

#include <system_error>

namespace perfmodel::hwdb {

std::map<std::string, std::vector<std::string>> driver_names(const std::filesystem::path& database) {
  const std::filesystem::path file = database / "driver_names.yaml";
  std::error_code failed;
  if (!std::filesystem::exists(file, failed)) return {};
  YamlMap map(parse_yaml(read_text(file, most_yaml), file.string()), file.string(), "the file");
  std::map<std::string, std::vector<std::string>> all;
  for (const YamlMap::Entry& entry : map.entries()) all[entry.key] = map.texts(entry.key);
  return all;
}

} // namespace perfmodel::hwdb
