#include "answer.hpp"

#include "cli/completion/values.hpp"
#include "cli/option_groups.hpp"
#include "models/core/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

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

} // namespace

std::string AnswerOptions::chosen_format() const {
  if (!format.empty()) return format;
  return file.empty() ? "text" : extension_of(file);
}

bool is_picture(std::string_view format) { return contains(picture_formats, format); }

std::span<const std::string_view> table_format_names() { return table_formats; }

void AnswerOptions::add_to(CLI::App& command, bool drawn) {
  charts = drawn;
  command.option_defaults()->group(option_group::answer);
  command
      .add_option(
          "--format", format,
          fmt::format("{} (default: by the extension of -o, else text)", fmt::join(table_formats, ", ")))
      ->type_name(format_value);
  command
      .add_option("-o,--output", file,
                  charts ? "write to this file: .txt .json .csv .md .tex, or a picture: .svg .png .pdf .html"
                         : "write to this file: .txt .json .csv .md .tex")
      ->type_name(file_value);
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
  const std::string chosen = chosen_format();
  return chosen == "text" || chosen == "json";
}

bool AnswerOptions::is_data() const {
  const std::string chosen = chosen_format();
  return chosen == "csv" || chosen == "json";
}

bool AnswerOptions::is_text() const { return chosen_format() == "text"; }

bool AnswerOptions::draws() const { return plot || contains(picture_formats, chosen_format()); }

bool AnswerOptions::is_usual_picture() const {
  return !plot && x.empty() && y.empty() && series.empty() && contains(picture_formats, chosen_format());
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
  if (const std::string given = figure.given(); !given.empty() && !contains(picture_formats, chosen_format()))
    throw InputError(
        fmt::format("{} is of a picture: write one with -o FILE.svg, .png, .pdf or .html", given));
  for (const auto& [option, column] :
       {std::pair{"--chart-x", &x}, {"--chart-y", &y}, {"--chart-series", &series}})
    if (!column->empty() && !draws())
      throw InputError(fmt::format(
          "{} is of a picture: write one with -o FILE.svg, .png, .pdf or .html, or draw it with --plot",
          option));
  if (!table.empty() && draws())
    throw InputError("--table is of tables, not of a picture: --chart-x and --chart-y say what is drawn");
  if (file.empty()) return;
  const std::string by_name = extension_of(file);
  const bool picture = contains(picture_formats, by_name);
  if (picture && !charts)
    throw InputError(
        fmt::format("-o {}: this answer is a table, not a picture: .txt .json .csv .md .tex", file));
  const bool any_text = by_name == "text"; // .txt may hold each of the formats, all of them are text
  if (!format.empty() && format != by_name && !any_text && (picture || contains(table_formats, by_name)))
    throw InputError(fmt::format("-o {}: the extension says {}, --format says {}: leave out --format, or "
                                 "choose another extension",
                                 file, by_name, format));
  if (format.empty() && !contains(table_formats, by_name) && !contains(picture_formats, by_name))
    throw InputError(fmt::format("-o {}: the extension says no format: .txt .json .csv .md .tex .svg .png "
                                 ".pdf .html, or give --format",
                                 file));
}

} // namespace perfmodel::cli
