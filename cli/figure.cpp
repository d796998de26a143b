#include "figure.hpp"

#include "completion/values.hpp"
#include "models/core/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace perfmodel::cli {

void FigureOptions::add_to(CLI::App& command) {
  command
      .add_option("--size", size,
                  "of a picture: slide (16:9, large text), column (85 mm of a journal) or WxH in mm, in, "
                  "pt or px, as 85mmx60mm or 1280x720")
      ->type_name(size_value);
  command
      .add_option("--theme", theme,
                  fmt::format("of a picture: {} (default: light; print is black and grey)",
                              fmt::join(plots::theme_names, ", ")))
      ->type_name(theme_value);
  command.add_option("--title", title, "of a picture, in place of its own");
  command.add_flag("--caption", caption,
                   "a line below a picture: what was held fixed, version, source of the numbers (slide and "
                   "column have it)");
  command.add_flag("--no-caption", no_caption, "no such line");
}

Figure FigureOptions::figure() const {
  Figure figure;
  if (caption && no_caption) throw InputError("--caption and --no-caption: one of them is expected");
  try {
    if (!size.empty()) figure.size = plots::figure_size(size);
  } catch (const InputError& e) {
    throw InputError(fmt::format("--size: {}", e.what()));
  }
  try {
    if (!theme.empty()) figure.theme = &plots::theme_named(theme), figure.theme_asked = true;
  } catch (const InputError& e) {
    throw InputError(fmt::format("--theme: {}", e.what()));
  }
  figure.title = title, figure.note = note, figure.keeps_caption = caption;
  return figure;
}

std::string FigureOptions::given() const {
  if (!size.empty()) return "--size";
  if (!theme.empty()) return "--theme";
  if (!title.empty()) return "--title";
  if (caption) return "--caption";
  return no_caption ? "--no-caption" : "";
}

bool FigureOptions::wants_caption(const Figure& figure) const {
  return caption || (!no_caption && figure.size && figure.size->captioned);
}

} // namespace perfmodel::cli
