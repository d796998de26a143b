#include "answer.hpp"

#include "cli/chosen_table.hpp"
#include "cli/format.hpp"
#include "cli/picture.hpp"
#include "cli/stream/written.hpp"
#include "cli/terminal_width.hpp"
#include "cli/written_names.hpp"
#include "hwdb/result_file.hpp"
#include "hwdb/text_file.hpp"
#include "models/core/chart_choice.hpp"
#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <utility>

#include <unistd.h>

namespace perfmodel::cli {

namespace {

// The result with the chart that --chart-* ask for instead of the model's choice. Throws InputError.
Result with_chart(const AnswerOptions& options, Result result) {
  std::vector<std::string> known;
  for (const Table& table : result.tables)
    for (const Column& column : table.columns)
      if (std::find(known.begin(), known.end(), column.name) == known.end()) known.push_back(column.name);
  const auto check = [&](const char* option, const std::string& name) {
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError(fmt::format("{}: there is no column '{}'{}; the columns are {}", option,
                                   name.substr(0, 40), suggestion(name, known), fmt::join(known, ", ")));
  };
  const auto choose = [&](const char* option, const std::string& name, std::string& chosen) {
    if (name.empty()) return;
    check(option, name);
    chosen = name;
  };
  choose("--chart-x", options.x, result.chart.x);
  choose("--chart-series", options.series, result.chart.series);
  if (!options.y.empty()) {
    for (const std::string& name : columns_named(options.y)) check("--chart-y", name);
    result.chart.y.clear(); // the model's own is linear where it suits its usual question
    choose_y(result.chart, result, options.y);
  }
  if (options.x.empty() && options.y.empty()) return result;
  result.chart.kind = ChartKind::lines;
  const auto drawn = std::find_if(result.tables.begin(), result.tables.end(), [&](const Table& t) {
    return t.find(result.chart.x) != nullptr && t.find(columns_named(result.chart.y).front()) != nullptr;
  });
  if (drawn != result.tables.end() && drawn->find(result.chart.x)->is_text())
    result.chart.kind = ChartKind::bars; // no line leads from one GPU to the next
  if (options.series.empty() && drawn != result.tables.end() && drawn->find(result.chart.series) == nullptr)
    result.chart.series.clear(); // the model's own series is of another table
  return result;
}

// A CSV file of one table is its header and its rows, and nothing else.
void keep_table(const AnswerOptions& options, Result& result, std::size_t chosen) {
  result.tables = {std::move(result.tables[chosen])};
  if (options.chosen_format() == "csv") result.verdict.clear();
}

// What a reader of a CSV file has to know who expects one header; "" where there is one.
std::string several_tables(const Result& result) {
  const auto filled = std::count_if(result.tables.begin(), result.tables.end(),
                                    [](const Table& table) { return table.rows() > 0 || table.of_rows > 0; });
  if (filled < 2) return "";
  return fmt::format(
      " has {} tables, each with a header of its own below a line with its title: --table '{}' "
      "writes one alone\n",
      filled, result.tables.front().title);
}

Record record_of(const Context& context, const Result& result) {
  return {.version = context.version, .commit = context.commit, .result = result};
}

std::string draw_figure(const Context& context, const AnswerOptions& options, Result result,
                        const std::vector<Result>& measured, const std::string& format) {
  Figure figure = options.figure.figure();
  if (options.figure.wants_caption(figure))
    figure.caption = caption_of(result, measured, context.version, context.commit);
  return draw(std::move(result), measured, format, figure);
}

std::string render(Context& context, const AnswerOptions& options, const std::string& format, Result result,
                   const std::vector<Result>& measured) {
  const Shown shown = options.all ? Shown::all : Shown::excerpt;
  if (format == "csv") return to_csv(result);
  if (format == "markdown") return to_markdown(result, shown);
  if (format == "latex") return to_latex(result, shown);
  if (format == "json") return hwdb::to_json(record_of(context, result));
  if (is_picture(format))
    return draw_figure(context, options, with_chart(options, std::move(result)), measured, format);
  return to_text(result, text_columns(), shown);
}

} // namespace

void give(Context& context, const AnswerOptions& options, Result result,
          const std::vector<Result>& measured) {
  // Measurements are laid over a chart by the names of the machine code.
  if (options.is_data()) name_kernels_alike(result);
  if (!options.is_data() && (measured.empty() || !options.draws())) name_kernels_as_written(result);
  std::string plot; // drawn before anything is written: it may refuse
  if (options.plot) {
    const bool colour = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
    plot = '\n' + draw_in_terminal(with_chart(options, result), measured, text_columns(), colour);
  }
  if (!options.table.empty()) keep_table(options, result, chosen_table(result, options.table));
  const std::string several = options.chosen_format() == "csv" ? several_tables(result) : "";
  const std::string bytes = render(context, options, options.chosen_format(), std::move(result), measured);
  if (!options.file.empty()) {
    hwdb::write_whole(options.file, bytes);
    if (!several.empty()) context.err << options.file << several;
  } else
    context.out << bytes;
  context.out << plot;
}

void give(Context& context, const AnswerOptions& options, const Drawing& drawing,
          const std::vector<std::string>& inputs, bool of_a_gpu) {
  const std::string format = options.chosen_format();
  if (options.plot)
    throw InputError(
        fmt::format("--plot: a drawing is no chart for a terminal; -o {}.svg draws it", drawing.name));
  if (!is_picture(format)) return give(context, options, as_result(drawing));
  Figure figure = options.figure.figure();
  if (options.figure.wants_caption(figure))
    figure.caption = caption_of(inputs, of_a_gpu, context.version, context.commit);
  hwdb::write_whole(options.file, draw(drawing, format, figure));
}

void give(Context& context, const AnswerOptions& options, Result result, Spool& rows) {
  if (!options.table.empty()) {
    const std::size_t chosen = chosen_table(result, options.table);
    const auto first = result.tables.begin(), last = first + static_cast<std::ptrdiff_t>(chosen);
    const auto spooled = std::count_if(first, last, [](const Table& t) { return t.of_rows > 0; });
    rows.keep_only(static_cast<std::size_t>(spooled));
    keep_table(options, result, chosen);
  }
  const std::string several = options.chosen_format() == "csv" ? several_tables(result) : "";
  const auto produce = [&](const hwdb::Write& write) {
    if (options.chosen_format() == "csv")
      write_csv(result, rows, write);
    else if (options.is_text())
      write_text(result, text_columns(), rows, write);
    else
      write_json(record_of(context, result), rows, write);
  };
  if (!options.file.empty()) {
    hwdb::write_whole(options.file, produce);
    if (!several.empty()) context.err << options.file << several;
  } else
    produce([&](std::string_view piece) {
      context.out.write(piece.data(), static_cast<std::streamsize>(piece.size()));
    });
}

} // namespace perfmodel::cli
