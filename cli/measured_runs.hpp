// Under which conditions the committed runs of our probes on a GPU were made, and how many points they have.
#pragma once

#include "hwdb/database.hpp"
#include "models/core/gpu.hpp"

#include <string>
#include <vector>

namespace perfmodel::cli {

struct MeasuredRun {
  std::string name, date; // of the file, and the day
  std::string on;         // the driver's name of the device
  std::string driver, cuda, revision;
  std::size_t probes = 0, points = 0;        // rows of their tables, without readings that are not to be used
  std::size_t sampled = 0;                   // of these points, whose samples are in the file
  std::size_t fewest = 0, most = 0;          // samples of such a point
  double slowest = absent, fastest = absent; // SM clock while its probes ran [Hz]

  std::string samples() const; // "7 to 11"; "" where none is kept
  std::string clocks() const;  // "1.41 GHz to 1.98 GHz"; "" where none was read
};

// Of a GPU of this database, by name of the file; none of a user's. Throws InputError where a file cannot be
// read.
std::vector<MeasuredRun> measured_runs(const hwdb::Database& database, const Gpu& gpu);

// All together in a sentence; of none "".
std::string runs_in_words(const Gpu& gpu, const std::vector<MeasuredRun>& runs);

} // namespace perfmodel::cli
