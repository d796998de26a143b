// How an answer leaves the program: which format, to a file or to stdout, drawn or in words.
#pragma once

#include "cli/context.hpp"
#include "cli/figure.hpp"
#include "cli/stream/spool.hpp"
#include "models/core/result.hpp"
#include "models/drawings/drawing.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel::cli {

struct AnswerOptions {
  std::string format;                // one of the table formats; "" follows the file's extension, else text
  std::string file;                  // -o
  bool plot = false, charts = false; // charts: whether the command's answer can be drawn
  bool all = false;                  // every row of a long comparison, where the command has --all
  std::string table;                 // the only one that is given; "" for all
  std::string x, y, series;          // of a chart, where the model's choice is not wanted
  FigureOptions figure;

  void add_to(CLI::App& command, bool drawn);
  // --all, for commands whose answer may hold a comparison.
  void add_all_to(CLI::App& command);
  // By --format, else by the extension of -o, else text.
  std::string chosen_format() const;
  // Whether the format has a place for the steps of --explain.
  bool shows_steps() const;
  // Whether a chart is drawn, into a file or in the terminal.
  bool draws() const;
  // Whether it is a picture in a file, of columns that nobody chose.
  bool is_usual_picture() const;
  // Whether the format is for programs: every row, of however long a table.
  bool is_data() const;
  bool is_text() const;
  // Throws InputError when format, file and options do not go together; before anything is computed.
  void check() const;
};

bool is_picture(std::string_view format);

// Prints or writes the answer. `measured` are results that a chart sets beside the prediction.
// Throws InputError: nothing is written then.
void give(Context& context, const AnswerOptions& options, Result result,
          const std::vector<Result>& measured = {});

// A drawing of these inputs, "n 16", as a picture or as the table of its cells.
void give(Context& context, const AnswerOptions& options, const Drawing& drawing,
          const std::vector<std::string>& inputs, bool of_a_gpu);

// The same of a sweep whose long tables are in `rows`, in a format that has all of them.
void give(Context& context, const AnswerOptions& options, Result result, Spool& rows);

// What --format takes.
std::span<const std::string_view> table_format_names();

} // namespace perfmodel::cli
