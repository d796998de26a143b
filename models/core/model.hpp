// What a model is. A model is a struct M with
//   static constexpr ModelInfo info            its name, one sentence, equation, source, tolerance, chart
//   struct Input { members; fields }           options: named once, here
//   predict(const Gpu&, const Input&, Trace&)  a pure function, a template over the trace (trace.hpp)
// whose result is a row, a vector of rows, or a tuple of vectors of rows (one table each); a row is a struct
// with members, fields and
//   static constexpr std::string_view title;
//   verdict(const Gpu&, const Input&, rows)    the answer in one or two sentences, made of what predict
//   returned
// The fields are a function that names each member in a call:
//   static void fields(auto& field) {
//     field(&Input::n, "n", "elements of the array", Range::whole);
//   }
// After the help come what is left at its default: Range::positive, Role::predicted, and a symbol for counts
// whose dimension says nothing ("threads").
// It may also have machine(...), tables that do not depend on the point of a sweep, with machine_inputs,
// names of the numbers that they depend on nevertheless, and machine_questions, of those that they alone
// depend on; tolerance(const Gpu&, const Input&), where the promised error differs from point to point; and
// refused(const Gpu&, const Input&), the rows of a point where the kernel cannot run (refused.hpp);
// said(const Input&, rows), or with the machine's tables after the rows, the address of the member of a row
// that the verdict is about, by which many GPUs are compared: without it, or where it is null, the chart's y
// in the first row that has one;
// pick(rows), the best of those that a point compares, in a word, "" where it compares none: a sweep says
// which it is where. From that follow the subcommand, its options, the sweep, the columns of every format,
// the chart, the explanation and the contract tests. `erase<M>()` makes the Model that registry.cpp lists.
#pragma once

#include "draw.hpp"
#include "gpu.hpp"
#include "result.hpp"
#include "row_sink.hpp"
#include "table.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

// Whether a model is asked about GPUs: of each (--hw); of each, or of none where the facts that it would read
// are given; or never: then there is no --hw and no --set. Without one it is asked with an empty Gpu, and its
// tables have no column of the GPU's name.
enum class GpuUse { needed, optional, none };

struct ModelInfo {
  std::string_view name, summary, equation, source;
  std::string_view reading; // how to read the numbers: the last line of a text answer
  double tolerance = 0;     // largest |signed error| that was promised for it, as a fraction
  ChartKind chart = ChartKind::none;
  std::string_view x, y, series; // y: one column, or several with commas between them
  std::string_view fuller_y{};   // instead of y, where the answer has its columns: another question was asked
  std::string_view banded{};     // which number has a band, where that of y goes with no cost
  bool log_x = false, log_y = false, steps = false; // steps: result.hpp
  // Simulated: all constants that an answer lists have a part in it, and asking again without one is slow.
  bool simulated = false;
  GpuUse gpu = GpuUse::needed;
  // Communication: what it times are data on their way between host, GPUs or processes; else what one GPU
  // runs.
  bool communication = false;
  std::string_view positional{}; // the input that may be given without its option's name, a file
  // Questions for the end of its help, without "perfmodel NAME", with "; " between them; each takes a few
  // seconds at most, for a test asks them.
  std::string_view examples{};
};

inline std::string_view banded_name(const ModelInfo& info) {
  return info.banded.empty() ? info.y : info.banded;
}

// Which numbers an input takes.
// per_thread: a whole number of what one thread holds or does; its registers and its code set an end to that.
enum class Range { any, not_negative, positive, whole, per_thread };

// points, file: a file's text is the value; of a file also that of one that the database ships, by its name.
enum class OptionKind { number, choice, text, points, file, bindings };

// An input as the command line and a result file see it.
struct Option {
  std::string name, help;
  OptionKind kind = OptionKind::number;
  Unit unit;
  Range range = Range::positive;
  std::vector<std::string> choices;
  std::string default_text;    // "" when the input is optional
  bool listed = false;         // a text whose values are swept: "16x16,32x8"
  bool joined = false;         // a text that may be given in parts, which commas join
  std::string shipped_in;      // of a file: the database's folder of those that have names
  std::string shipped_default; // of a file: the name of that which is asked about when none is given; or ""
};

struct Value {
  double number = absent;
  std::string text;
  friend bool operator==(const Value&, const Value&) = default;
};

// One input or fact and the values it takes; several make a grid, the first varying slowest.
struct Axis {
  std::string name; // an option's name, or a fact's path
  std::vector<Value> values;
};

struct Request {
  std::vector<Axis> inputs;
  std::vector<Axis> facts;
  bool explain = false;
  bool points_only = false; // without the tables that describe the machine
  // A row's grade is the worst that was read for it, whether or not it is sensitive to that: the model is
  // asked once for a point, not five times.
  bool quick_grades = false;
  // Each row of a point with the band of its chart's y, or of the first number that it predicts (bands.hpp).
  bool bands = false;
  int band_draws = draws; // that a band is of, at most as many
};

struct Model {
  ModelInfo info;
  std::vector<Option> options;
  std::vector<std::string> outputs;      // the names of its tables' own columns
  std::vector<std::string> output_helps; // and what each of them is
  Result (*run)(const Model& self, std::span<const Gpu>, const Request&, RowSink*) = nullptr;
  // The error promised at one point of a sweep, where it differs from place to place; else nullptr.
  double (*tolerance)(const Model& self, const Gpu&, const Request&) = nullptr;
  const Option* find(std::string_view name) const;
};

// The values of one option from text ("1,2,4", "32:1024:32", "fp32,fp64"). Throws InputError.
std::vector<Value> parse_values(const Option& option, std::string_view text);

// The answer for every device and every point of the request's grid; devices are for models that use GPUs,
// and a model that needs one refuses none. Throws InputError.
Result predict(const Model& model, std::span<const Gpu> gpus, const Request& request);
// The same, where tables longer than a block go to the sink (row_sink.hpp); without a chart, which is drawn
// of whole tables.
Result predict(const Model& model, std::span<const Gpu> gpus, const Request& request, RowSink& sink);

// Every model, in the order of the help. registry.cpp is the list.
std::span<const Model> models();
// Throws InputError with the nearest name.
const Model& model(std::string_view name);

// The candidate that is fewest edits away from `word`, if that is few: for "did you mean".
std::string nearest(std::string_view word, std::span<const std::string> candidates);
// " (did you mean 'x'?)" or "".
std::string suggestion(std::string_view word, std::span<const std::string> candidates);

} // namespace perfmodel
