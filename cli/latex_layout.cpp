#include "latex_layout.hpp"

#include "text_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace perfmodel::cli {

namespace {

constexpr double line_points = 345;
constexpr double letter_width = 0.55; // of its height, on the average of names and numbers
constexpr std::size_t least_paragraph = 16, usual_paragraph = 24;
constexpr std::size_t sideways_rows = 3;

struct Letters {
  const char* name;
  double points;
  double between; // two columns
};
constexpr Letters usual{"", 10, 12};
constexpr Letters smaller[] = {{"\\setlength{\\tabcolsep}{3pt}", 10, 6},
                               {"\\small\\setlength{\\tabcolsep}{3pt}", 9, 6},
                               {"\\footnotesize\\setlength{\\tabcolsep}{3pt}", 8, 6},
                               {"\\scriptsize\\setlength{\\tabcolsep}{3pt}", 7, 6}};
constexpr const Letters &footnotes = smaller[2], &smallest = smaller[3];

struct Fitted {
  const LatexColumn* column;
  std::vector<std::string> head;
  std::size_t letters;
  bool is_paragraph = false;
};

double points_of(const Fitted& fitted, const Letters& letters) {
  return static_cast<double>(fitted.letters) * letter_width * letters.points + letters.between;
}

double points_of(const std::vector<Fitted>& all, const Letters& letters) {
  double points = 0;
  for (const Fitted& fitted : all) points += points_of(fitted, letters);
  return points;
}

bool fits(const std::vector<Fitted>& all, const Letters& letters) {
  return points_of(all, letters) <= line_points;
}

std::vector<Fitted> with_whole_heads(const std::vector<LatexColumn>& columns) {
  std::vector<Fitted> all;
  for (const LatexColumn& c : columns) all.push_back({&c, {c.head}, std::max(c.cells, width_of(c.head))});
  return all;
}

void break_heads(std::vector<Fitted>& all) {
  for (Fitted& fitted : all) {
    fitted.letters = std::max(fitted.column->cells, longest_word(fitted.column->head));
    fitted.head = wrapped(fitted.column->head, fitted.letters);
  }
}

// How narrow a paragraph can get.
std::size_t floor_of(const Fitted& fitted, std::size_t least) {
  return std::max({least, fitted.column->word, longest_word(fitted.column->head)});
}

// Makes the widest texts paragraphs, none of fewer letters than `least`, until all fit.
bool fit_by_paragraphs(std::vector<Fitted>& all, const Letters& letters, std::size_t least) {
  while (!fits(all, letters)) {
    Fitted* widest = nullptr;
    for (Fitted& fitted : all)
      if (fitted.column->is_text && fitted.letters > floor_of(fitted, least) &&
          (widest == nullptr || fitted.letters > widest->letters))
        widest = &fitted;
    if (widest == nullptr) return false;
    widest->is_paragraph = true;
    --widest->letters;
  }
  return true;
}

std::string paragraph(double letters, double size) {
  return fmt::format("p{{{:.0f}pt}}", letters * letter_width * size);
}

// What room is left goes to heads in one line, then to long texts.
void use_room(std::vector<Fitted>& part, const Letters& letters) {
  const auto widen = [&](Fitted& fitted, std::size_t to) {
    const std::size_t before = std::exchange(fitted.letters, to);
    if (!fits(part, letters)) fitted.letters = before;
    return fitted.letters == to;
  };
  for (Fitted& fitted : part)
    if (fitted.head.size() > 1 && widen(fitted, std::max(fitted.letters, width_of(fitted.column->head))))
      fitted.head = {fitted.column->head};
  for (Fitted& fitted : part) {
    while (fitted.is_paragraph && fitted.letters < fitted.column->cells &&
           widen(fitted, fitted.letters + 1)) {
    }
    if (fitted.letters >= fitted.column->cells) fitted.is_paragraph = false;
  }
}

std::vector<LatexPlaced> part_of(std::vector<Fitted> all, const Letters& letters,
                                 const std::vector<LatexColumn>& columns) {
  use_room(all, letters);
  std::vector<LatexPlaced> part;
  for (const Fitted& fitted : all) {
    std::string side = fitted.column->is_text ? "l" : "r";
    if (fitted.is_paragraph) side = paragraph(static_cast<double>(fitted.letters), letters.points);
    part.push_back({static_cast<std::size_t>(fitted.column - columns.data()), fitted.head, std::move(side)});
  }
  return part;
}

// The columns below one another, the rows beside one another.
LatexLayout on_its_side(const std::vector<LatexColumn>& columns, std::size_t rows) {
  std::size_t head = 0, cells = 0;
  for (const LatexColumn& c : columns) {
    head = std::max(head, width_of(c.head));
    cells = std::max(cells, c.cells);
  }
  const auto points = [&](const Letters& l) {
    const auto all = static_cast<double>(head + rows * cells);
    return all * letter_width * l.points + static_cast<double>(rows + 1) * l.between;
  };
  if (points(usual) <= line_points) return {usual.name, {}, "l"};
  for (const Letters& l : {smaller[0], smaller[1], footnotes})
    if (points(l) <= line_points) return {l.name, {}, "l"};
  const double letter = letter_width * footnotes.points;
  const double room = line_points / letter - static_cast<double>(head) -
                      static_cast<double>(rows + 1) * footnotes.between / letter;
  return {footnotes.name, {}, paragraph(room / static_cast<double>(rows), footnotes.points)};
}

// In several parts that repeat the keys that lead the table, as far as they leave room for more.
LatexLayout in_parts(std::vector<Fitted> all, const Letters& letters,
                     const std::vector<LatexColumn>& columns) {
  for (Fitted& fitted : all)
    if (const std::size_t floor = floor_of(fitted, usual_paragraph);
        fitted.column->is_text && fitted.letters > floor) {
      fitted.is_paragraph = true;
      fitted.letters = floor;
    }
  std::vector<Fitted> keys = {all.front()};
  std::size_t next = 1;
  for (; next < all.size() && all[next].column->leads; ++next) {
    if (points_of(keys, letters) + points_of(all[next], letters) > line_points / 2) break;
    keys.push_back(all[next]);
  }
  LatexLayout layout{letters.name, {}, ""};
  std::vector<Fitted> part = keys;
  for (; next < all.size(); ++next) {
    if (part.size() > keys.size() && points_of(part, letters) + points_of(all[next], letters) > line_points) {
      layout.parts.push_back(part_of(part, letters, columns));
      part = keys;
    }
    part.push_back(all[next]);
  }
  layout.parts.push_back(part_of(part, letters, columns));
  return layout;
}

} // namespace

LatexLayout latex_layout(const std::vector<LatexColumn>& columns, std::size_t rows) {
  std::vector<Fitted> all = with_whole_heads(columns);
  const auto whole = [&](const Letters& letters) {
    return LatexLayout{letters.name, {part_of(all, letters, columns)}, ""};
  };
  if (fits(all, usual)) return whole(usual);
  break_heads(all);
  for (const Letters& letters : smaller) {
    if (rows == 1 && &letters == &smallest) break;
    if (fits(all, letters)) return whole(letters);
  }
  if (rows <= sideways_rows) return on_its_side(columns, rows);
  const std::vector<Fitted> without_paragraphs = all;
  if (fit_by_paragraphs(all, footnotes, usual_paragraph)) return whole(footnotes);
  all = without_paragraphs;
  if (fit_by_paragraphs(all, smallest, least_paragraph)) return whole(smallest);
  LatexLayout usual_parts = in_parts(without_paragraphs, footnotes, columns),
              small_parts = in_parts(without_paragraphs, smallest, columns);
  return small_parts.parts.size() < usual_parts.parts.size() ? small_parts : usual_parts;
}

} // namespace perfmodel::cli
