// How far the rows of a sweep may be trusted, told once of all of them.
#pragma once

#include "result.hpp"

#include <map>
#include <set>
#include <string>

namespace perfmodel::detail {

class SweepGrade {
public:
  // Rows of a table, which has the columns "gpu" and "grade".
  void add(const Table& rows);
  // The worst grade of the rows, and a warning where grades stand side by side.
  void tell(Result& result) const;

private:
  std::map<Grade, std::set<std::string>> devices_;
};

} // namespace perfmodel::detail
