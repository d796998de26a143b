// Values that a prediction is held against: a lecture's printed series, or what one of our probes measured.
#pragma once

#include "evidence.hpp"

#include "models/core/result.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfmodel {

// The `gpu` of a series that holds on all of them, and of one about the host.
inline constexpr std::string_view any_gpu = "any", the_host = "host";

// What a series says of one row beside its keys and its value.
struct RowMarks {
  Evidence evidence = Evidence::blind;
  std::vector<double> readings; // others of an ambiguous label, beside the value; the worst is scored
  std::string slip;             // what is wrong with the printed value: shown, never scored
};

struct Series {
  std::string gpu, model; // the model may be one we do not have (yet): the series is then listed as uncovered
  Kind kind = Kind::published;
  std::string source;    // whose, readable
  std::string quantity;  // what the values are: "fraction of pin bandwidth"
  std::string place;     // the file
  std::string probe;     // of a measured series: a prediction may not use constants this probe found
  bool at_least = false; // printed as "more than": judged, but no error is counted
  bool is_input = false; // facts that models use: listed, never scored
  std::string value;     // the column of the table that is compared; it has the name of the model's output
  double tolerance = absent;   // overrides the model's: rounding of printed values
  std::vector<RowMarks> marks; // of each row; empty: none has any
  // Where the source does not name the card: those that it may be, of whose predictions the worst is scored,
  // and those that are shown beside them. Empty: `gpu` is the card.
  std::vector<std::string> cards, shown;
  std::vector<std::pair<std::string, std::string>> facts; // what the source assumed: "clock" -> "1.3 GHz"
  Table
      table; // key columns named as the model's inputs (or keys of its output), `value`, perhaps low and high
};

// Of the table that holds it against a prediction: "reduction time: seconds of the sum of an array".
inline std::string title_of(const Series& series) {
  return series.model + ' ' + series.value + ": " + series.quantity;
}

} // namespace perfmodel
