// A database of a test's own with the data of the one that is shipped, in which nothing is kept yet.
#pragma once

#include "program.hpp"

#include <string>

namespace perfmodel {

class OwnDatabase {
public:
  OwnDatabase() {
    for (const char* name : {"architectures", "evidence.yaml", "gpus", "measured", "nodes", "published",
                             "slips", "sources.yaml", "templates"})
      std::filesystem::copy(hwdb::default_folder() / name, scratch_ / name,
                            std::filesystem::copy_options::recursive);
  }
  std::filesystem::path ledger_of(const std::string& gpu) const {
    return scratch_ / ("ledgers/" + gpu + ".json");
  }
  Answer asked(const std::string& command) const {
    return perfmodel(quoted_words("--hwdb " + scratch_.path() + ' ' + command));
  }

private:
  Scratch scratch_;
};

} // namespace perfmodel
