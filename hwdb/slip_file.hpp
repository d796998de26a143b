// The register of slips, hwdb/slips/<source>.yaml: what lectures print and is not so. hwdb/README.md
// describes the format.
#pragma once

#include "hwdb/fact_file.hpp"

#include <string>
#include <utility>
#include <vector>

namespace perfmodel::hwdb {

// Where answers meet a slip: those of this model, of GPUs with one of these compute capabilities or names (of
// any, where neither is given), in which a row of a table holds one of the values of each column that is
// named here.
struct SlipMet {
  std::string model;
  std::vector<std::string> cc, gpus;
  std::vector<std::pair<std::string, std::vector<std::string>>> row;
  std::string ask; // a command whose answer meets it
};

struct Slip {
  std::string id, source; // source: the full text, as sources.yaml has it
  std::string where;      // slide or section of it
  std::string printed, right, why;
  std::string command, shows; // a command, and what its output holds: the right value
  std::vector<SlipMet> met;
  std::string author() const; // "R. Vuduc", of the source
};

// Throws InputError with file, line and key: not YAML, a missing or unknown key, an unknown source, model or
// column, an id that is no plain name or is there twice.
std::vector<Slip> parse_slips(const std::string& text, const std::string& file, const Sources& sources);

} // namespace perfmodel::hwdb
