// What one probe found out: a table in the keys of the model whose quantity it measures, and constants.
#pragma once

#include "models/core/gpu.hpp"
#include "models/core/result.hpp"

#include <string>
#include <utility>
#include <vector>

namespace perfmodel {

using Properties = std::vector<std::pair<std::string, std::string>>; // "driver" -> "580.159.04"

struct Samples {
  std::string of; // which row or constant: "sustained.dram.read"
  Unit unit;
  std::vector<double> values;
  std::vector<double> sm_clock; // Hz, of each sample; empty when it was not read
};

struct Measurement {
  std::string probe, model, measures; // model may be empty: a probe of constants alone
  Table table;
  std::vector<Constant> constants;
  std::vector<Samples> samples;
  bool verified = false; // the kernel's answer was checked
  std::string invalid;   // why the reading is not to be used; "" when it is
  Properties conditions; // clocks, power, temperature, throttling while it ran
};

// Everything a result file holds: a prediction, a comparison, or a run of probes.
struct Record {
  std::string tool = "perfmodel", version, commit, date;
  std::string stamp;              // of a ledger that is kept: what it was computed from
  std::string gpu;                // the name in the database a run belongs to; "" for predictions
  Properties device, environment; // of a run
  Result result;                  // of a prediction or comparison; of a run its verdict alone
  std::vector<Measurement> measurements;
};

} // namespace perfmodel
