// What was measured between ranks as tables, beside what the models say with alpha, beta and gamma of the
// same run.
#pragma once

#include "probes.hpp"

#include "models/validation/measurement.hpp"

#include <string>
#include <vector>

namespace perfmodel::messages {

struct Protocol {
  const char* name;
  Times times;
  Hockney fitted;
};

struct Measured {
  int ranks = 2;
  std::vector<Protocol> protocols;
  Times exchanges, adding;
  std::vector<Times> sums; // of each algorithm of the model, of the same sizes
  Times library;
  std::string costs, one_way; // as the model all-reduce takes them
};

// Adds verdict, notes and measurements.
void report(const Measured& measured, Record& record);

} // namespace perfmodel::messages
