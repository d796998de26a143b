// How a figure is to look where it is shown: size, theme, title, caption.
#pragma once

#include "cli/context.hpp"
#include "models/core/result.hpp"
#include "plots/layout/figure_size.hpp"
#include "plots/output/theme.hpp"

#include <optional>
#include <string>
#include <vector>

namespace perfmodel::cli {

struct Figure {
  std::optional<plots::FigureSize> size; // none: 960 x 600 px
  const plots::Theme* theme = &plots::light_theme();
  bool theme_asked = false;   // else a page may follow its reader's
  std::string title;          // "": the chart's own
  std::string note;           // below the picture, on what it shows otherwise than was asked; "": none
  std::string caption;        // "": none
  bool keeps_caption = false; // although there is little room: it was asked for
};

struct FigureOptions {
  std::string size, theme, title;
  std::string note; // the command's
  bool caption = false, no_caption = false;

  void add_to(CLI::App& command);
  // Throws InputError for what is no size or no theme.
  Figure figure() const;
  // The first that was given, with its dashes; "" where none was.
  std::string given() const;
  bool wants_caption(const Figure& figure) const;
};

// Inputs that are the same for all that is drawn: "blocks = 1", and "32 threads" of threads.
std::vector<std::string> held_fixed(const Result& result);
// What was held fixed, which program predicted it, and where its constants come from and the numbers that are
// drawn over the chart, in one line.
std::string caption_of(const Result& result, const std::vector<Result>& measured, const std::string& version,
                       const std::string& commit);
// The same of a drawing, with its inputs, "n 16".
std::string caption_of(const std::vector<std::string>& inputs, bool of_a_gpu, const std::string& version,
                       const std::string& commit);

} // namespace perfmodel::cli
