// What models say of the rows of series, and which constants that rests on.
#pragma once

#include "models/core/gpu.hpp"
#include "models/core/model.hpp"
#include "models/validation/row_question.hpp"
#include "models/validation/series.hpp"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace perfmodel {

// Whether the model predicts the series' column by its keys: inputs of the model, keys of its rows, or facts.
bool covers(const Model& model, const Series& series);

// Whether a key has words, and none of them is a choice that the model has.
bool names_nothing_of(const Model& model, const Column& key);
// Whether all that was measured goes by names that are none of the model's choices: the same sum by a
// library. Nothing is predicted for it.
bool is_yardstick(const Model& model, const Series& series);

struct RowPrediction {
  double value = absent, tolerance = absent;
  std::vector<Step> constants; // those without which the value would be another, but for `known` ones
  std::vector<std::string> notes;
  std::string grade; // of the row that was picked
};

// Predictions for many series on one device. Rows that ask a model the same question, and differ in what they
// pick of its answer alone, share the answer, within a series and from one to the next.
class RowPredictions {
public:
  // `quick`: without finding out whether a row is sensitive to its estimates; its grade is the worst of all
  // that was read.
  explicit RowPredictions(const Gpu& gpu, bool quick = false) : gpu_(gpu), quick_(quick) {}

  // Inputs and facts are set from the key columns that name them; the others pick the row of the answer, as
  // does the version of a ladder where its own row has no such value: a gain is over another version. The
  // facts that the series' source assumed are set. Whether a constant matters is found by doing without it,
  // after doing without all of them; those of `known`, named already, are not tried again, unless they are of
  // the probe that measured the series. No value, and a note that says why: its kernel is refused. Throws
  // InputError when the answer has no such row.
  RowPrediction of(const Model& model, const Series& series, std::size_t row,
                   std::span<const Step> known = {});

  // The band of the number that the series measures, of 32 draws: as long as 33 questions. Throws as `of`.
  RowBand band_of(const Model& model, const Series& series, std::size_t row);

private:
  using Assumed = std::vector<std::pair<std::string, std::string>>; // facts, as a series has them
  using Question = std::vector<std::string>;                        // the model's name and all that is given
  struct Device {
    Gpu gpu;
    std::map<Question, std::optional<Result>> answers; // empty: refused
  };

  Device& assuming(const Assumed& facts);
  static const Result& ask(Device& device, const Model& model, const Request& request);
  static const std::optional<Result>& ask_without(Device& device, const Model& model, const Request& request,
                                                  std::span<const Step> constants);

  const Gpu& gpu_;
  bool quick_;
  std::map<Assumed, Device> devices_;
};

} // namespace perfmodel
