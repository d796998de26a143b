// How well each model predicts each quantity, by class of evidence.
#pragma once

#include "models/core/table.hpp"
#include "models/validation/evidence.hpp"
#include "models/validation/series.hpp"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace perfmodel {

struct Ledger {
  using OfModel = std::pair<std::string, std::string>; // a model and a quantity
  struct Row {
    const Series* series; // of those that were judged: it outlives the ledger
    std::size_t row;
    std::string gpu;          // the card whose prediction was scored
    double measured = absent; // the reading that was
  };
  struct Line {
    std::vector<double> errors;     // of rows that are scored, signed
    std::vector<Row> scored;        // which they are
    std::vector<bool> on_estimates; // whether the grade of that row's prediction says so
    std::size_t out = 0, at_least = 0;
    std::size_t rows = 0; // of calibration, which are not scored
    double tolerance = 0;
    bool timed = false; // a time, a rate, or a share of one, rather than a count
  };
  std::map<Evidence, std::map<OfModel, Line>> lines;
};

// " Out of tolerance: reduction time (2 of 24 rows), message time (1 of 27).": those with the most rows out
// of tolerance first, and how many more there are; "" where none is.
std::string which_are_out(const Ledger& ledger);

using TimedErrors = std::map<Ledger::OfModel, std::vector<double>>; // signed, of times and rates
struct GpuErrors {
  std::string gpu;
  TimedErrors errors;
};
// How each class fared on `gpu`, then what each model did in it, a table a class, then the model errors, for
// which there may be errors on other GPUs.
std::vector<Table> tables_of(const Ledger& ledger, const std::string& gpu,
                             std::span<const GpuErrors> elsewhere = {});

} // namespace perfmodel
