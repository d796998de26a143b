#include "answer.hpp"

#include "cli/chosen_table.hpp"
#include "cli/completion/values.hpp"
#include "cli/format.hpp"
#include "cli/option_groups.hpp"
#include "cli/picture.hpp"
#include "cli/stream/written.hpp"
#include "cli/terminal_width.hpp"
#include "hwdb/result_file.hpp"
#include "hwdb/text_file.hpp"
#include "models/core/chart_choice.hpp"
#include "models/core/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <ostream>

#include <unistd.h>

namespace perfmodel::cli {

namespace {

constexpr std::array table_formats =
    std::to_array<std::string_view>({"text", "json", "csv", "markdown", "latex"});
constexpr std::array picture_formats = std::to_array<std::string_view>({"svg", "png", "pdf", "html"});

template <std::size_t N> bool contains(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string extension_of(const std::string& file) {
  std::string word = std::filesystem::path(file).extension().string();
  if (!word.empty()) word.erase(0, 1);
  if (word == "txt") return "text";
  if (word == "md") return "markdown";
  if (word == "tex") return "latex";
  if (word == "htm") return "html";
  return word;
}

std::string format_of(const AnswerOptions& options) {
  if (!options.format.empty()) return options.format;
  return options.file.empty() ? "text" : extension_of(options.file);
}

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
    choose_y(result.chart, result, options.y);
  }
  if (options.x.empty() && options.y.empty()) return result;
  result.chart.kind = ChartKind::lines;
  const auto drawn = std::find_if(result.tables.begin(), result.tables.end(), [&](const Table& t) {
    return t.find(result.chart.x) != nullptr && t.find(columns_named(result.chart.y).front()) != nullptr;
  });
  if (options.series.empty() && drawn != result.tables.end() && drawn->find(result.chart.series) == nullptr)
    result.chart.series.clear(); // the model's own series is of another table
  return result;
}

// A CSV file of one table is its header and its rows, and nothing else.
void keep_table(const AnswerOptions& options, Result& result, std::size_t chosen) {
  result.tables = {std::move(result.tables[chosen])};
  if (format_of(options) == "csv") result.verdict.clear();
}

Record record_of(const Context& context, const Result& result) {
  return {.version = context.version, .commit = context.commit, .result = result};
}

std::string draw_figure(const Context& context, const AnswerOptions& options, Result result,
                        const std::vector<Result>& measured, const std::string& format) {
  Figure figure = options.figure.figure();
  if (options.figure.wants_caption(figure))
    figure.caption = caption_of(result, context.version, context.commit);
  return draw(std::move(result), measured, format, figure);
}

std::string render(Context& context, const AnswerOptions& options, const std::string& format, Result result,
                   const std::vector<Result>& measured) {
  const Shown shown = options.all ? Shown::all : Shown::excerpt;
  if (format == "csv") return to_csv(result);
  if (format == "markdown") return to_markdown(result, shown);
  if (format == "latex") return to_latex(result, shown);
  if (format == "json") return hwdb::to_json(record_of(context, result));
  if (contains(picture_formats, format))
    return draw_figure(context, options, with_chart(options, std::move(result)), measured, format);
  return to_text(result, text_columns(), shown);
}

} // namespace

std::span<const std::string_view> table_format_names() { return table_formats; }

void AnswerOptions::add_to(CLI::App& command, bool drawn) {
  charts = drawn;
  command.option_defaults()->group(option_group::answer);
  command
      .add_option(
          "--format", format,
          fmt::format("{} (default: by the extension of -o, else text)", fmt::join(table_formats, ", ")))
      ->type_name(format_value);
  command.add_option("-o,--output", file,
                     charts
                         ? "write to this file: .txt .json .csv .md .tex, or a picture: .svg .png .pdf .html"
                         : "write to this file: .txt .json .csv .md .tex");
  command.add_option(
      "--table", table,
      "only this table of the answer: its title, how that begins, or its number; as CSV without "
      "comment lines");
  if (!charts) return;
  command.add_flag("--plot", plot, "draw the chart in the terminal as well");
  command.option_defaults()->group(option_group::picture);
  command.add_option("--chart-x", x, "column along the x axis of a chart")->type_name(column_value);
  command.add_option("--chart-y", y, "column along the y axis of a chart, or several of one unit: a,b")
      ->type_name(column_value);
  command.add_option("--chart-series", series, "column that tells the lines of a chart apart")
      ->type_name(column_value);
  figure.add_to(command);
}

void AnswerOptions::add_all_to(CLI::App& command) {
  command.option_defaults()->group(option_group::answer);
  command.add_flag(
      "--all", all,
      "every row in text and markdown: of a long comparison not only the worst, of a sweep of more "
      "than 1000 rows not only its ends (CSV and JSON always have all)");
}

bool AnswerOptions::shows_steps() const {
  const std::string chosen = format_of(*this);
  return chosen == "text" || chosen == "json";
}

bool AnswerOptions::is_data() const {
  const std::string chosen = format_of(*this);
  return chosen == "csv" || chosen == "json";
}

bool AnswerOptions::is_text() const { return format_of(*this) == "text"; }

bool AnswerOptions::draws() const { return plot || contains(picture_formats, format_of(*this)); }

bool AnswerOptions::is_usual_picture() const {
  return !plot && x.empty() && y.empty() && series.empty() && contains(picture_formats, format_of(*this));
}

void AnswerOptions::check() const {
  const std::vector<std::string> tables(table_formats.begin(), table_formats.end());
  if (!format.empty() && !contains(table_formats, format)) {
    const std::string hint = contains(picture_formats, format)
                                 ? fmt::format("; a picture is written with -o FILE.{}", format)
                                 : suggestion(format, tables);
    throw InputError(fmt::format("--format: unknown format '{}'{}; one of {} is expected",
                                 format.substr(0, 40), hint, fmt::join(table_formats, ", ")));
  }
  if (plot && file.empty() && !format.empty() && format != "text")
    throw InputError(fmt::format(
        "--plot draws below a text answer, not into {}: leave out --format, or write it with -o FILE",
        format));
  figure.figure(); // refuses what is no size and no theme
  if (const std::string given = figure.given();
      !given.empty() && !contains(picture_formats, format_of(*this)))
    throw InputError(
        fmt::format("{} is of a picture: write one with -o FILE.svg, .png, .pdf or .html", given));
  if (!table.empty() && draws())
    throw InputError("--table is of tables, not of a picture: --chart-x and --chart-y say what is drawn");
  if (file.empty()) return;
  const std::string by_name = extension_of(file);
  const bool picture = contains(picture_formats, by_name);
  if (picture && !charts)
    throw InputError(
        fmt::format("-o {}: this answer is a table, not a picture: .txt .json .csv .md .tex", file));
  if (!format.empty() && picture)
    throw InputError(fmt::format("-o {}: the extension says {}, --format says {}", file, by_name, format));
  if (format.empty() && !contains(table_formats, by_name) && !contains(picture_formats, by_name))
    throw InputError(fmt::format("-o {}: the extension says no format: .txt .json .csv .md .tex .svg .png "
                                 ".pdf .html, or give --format",
                                 file));
}

void give(Context& context, const AnswerOptions& options, Result result,
          const std::vector<Result>& measured) {
  std::string plot; // drawn before anything is written: it may refuse
  if (options.plot) {
    const bool colour = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
    plot = '\n' + draw_in_terminal(with_chart(options, result), measured, text_columns(), colour);
  }
  if (!options.table.empty()) keep_table(options, result, chosen_table(result, options.table));
  const std::string bytes = render(context, options, format_of(options), std::move(result), measured);
  if (!options.file.empty())
    hwdb::write_whole(options.file, bytes);
  else
    context.out << bytes;
  context.out << plot;
}

void give(Context& context, const AnswerOptions& options, const Drawing& drawing,
          const std::vector<std::string>& inputs) {
  const std::string format = format_of(options);
  if (options.plot)
    throw InputError(
        fmt::format("--plot: a drawing is no chart for a terminal; -o {}.svg draws it", drawing.name));
  if (!contains(picture_formats, format)) return give(context, options, as_result(drawing));
  Figure figure = options.figure.figure();
  if (options.figure.wants_caption(figure))
    figure.caption = caption_of(inputs, context.version, context.commit);
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
  const auto produce = [&](const hwdb::Write& write) {
    if (format_of(options) == "csv")
      write_csv(result, rows, write);
    else if (options.is_text())
      write_text(result, text_columns(), rows, write);
    else
      write_json(record_of(context, result), rows, write);
  };
  if (!options.file.empty())
    hwdb::write_whole(options.file, produce);
  else
    produce([&](std::string_view piece) {
      context.out.write(piece.data(), static_cast<std::streamsize>(piece.size()));
    });
}

} // namespace perfmodel::cli
