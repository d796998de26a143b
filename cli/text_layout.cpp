#include "text_layout.hpp"

#include "cell_text.hpp"
#include "strip.hpp"
#include "text_lines.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>

namespace perfmodel::cli {

namespace {

// The texts of a column's cells from the top of a block down. In a sweep most repeat the one above.
class CellTexts {
public:
  CellTexts(const Column& column, const RowBlock& block) : column_(column), block_(block) {}

  // Whether the text of this row is another one than above, or the first.
  bool next(std::size_t row) {
    const std::size_t cell = column_.size() == 1 ? 0 : row;
    const bool integers = row < block_.integers.size() && block_.integers[row];
    if (cell_ && integers == integers_ && (*cell_ == cell || same(*cell_, cell))) return false;
    cell_ = cell, integers_ = integers;
    text_ = text_under_head(column_, cell, integers);
    return true;
  }
  const std::string& text() const { return text_; }
  bool has_value() const {
    return column_.is_text() ? !column_.text(*cell_).empty() : !std::isnan(column_.number(*cell_));
  }

private:
  bool same(std::size_t a, std::size_t b) const {
    const auto* numbers = std::get_if<std::vector<double>>(&column_.cells);
    if (numbers != nullptr) // to the bit: NaN is NaN, and 0 is not -0
      return std::bit_cast<std::uint64_t>((*numbers)[a]) == std::bit_cast<std::uint64_t>((*numbers)[b]);
    return std::visit([&](const auto& cells) { return cells[a] == cells[b]; }, column_.cells);
  }

  const Column& column_;
  const RowBlock& block_;
  std::optional<std::size_t> cell_;
  bool integers_ = false;
  std::string text_;
};

// A column of the table and its place there.
struct Placed {
  std::size_t column;
  Strip strip;
  bool leads; // a key
};

std::vector<Strip> strips_of(const std::vector<Placed>& placed) {
  std::vector<Strip> strips;
  for (const Placed& p : placed) strips.push_back(p.strip);
  return strips;
}

// The columns that have any value.
std::vector<Placed> measured(const EachBlock& each_block, std::size_t& rows) {
  std::vector<Placed> all;
  each_block([&](const RowBlock& block) {
    const std::vector<Column>& columns = block.rows.columns;
    if (all.empty())
      for (const Column& c : columns) all.push_back({all.size(), strip_of(c), c.role == Role::key});
    for (Placed& p : all) {
      CellTexts texts(columns[p.column], block);
      for (std::size_t row = 0; row < block.size; ++row) {
        if (!texts.next(row)) continue;
        see(p.strip, texts.text());
        p.strip.has_value = p.strip.has_value || texts.has_value();
      }
    }
    rows += block.size;
  });
  std::erase_if(all, [](const Placed& p) { return !p.strip.has_value; });
  return all;
}

std::string trimmed_line(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

// The columns below one another, the few rows beside one another, so that they are compared along a line.
void write_sideways(const EachBlock& each_block, const std::vector<Placed>& columns, std::size_t width,
                    std::size_t indent, const hwdb::Write& write) {
  std::size_t head = 0;
  for (const Placed& p : columns) head = std::max(head, width_of(p.strip.head.front()));
  std::vector<std::vector<std::string>> rows; // the cells of each
  each_block([&](const RowBlock& block) {
    for (std::size_t row = 0; row < block.size; ++row) {
      std::vector<std::string>& cells = rows.emplace_back();
      for (const Placed& p : columns) {
        CellTexts texts(block.rows.columns[p.column], block);
        texts.next(row);
        cells.push_back(texts.text());
      }
    }
  });
  const std::size_t room = (width - indent - head) / rows.size() - 2;
  std::vector<std::size_t> widths(rows.size(), 0);
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (const std::string& cell : rows[r]) widths[r] = std::min(std::max(widths[r], width_of(cell)), room);
  std::string out;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    std::vector<std::vector<std::string>> lines;
    std::size_t height = 0;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      lines.push_back(wrapped(rows[r][c], widths[r]));
      if (!rows[r][c].empty() && rows[r][c] != "-") height = std::max(height, lines.back().size());
    }
    for (std::size_t line = 0; line < height; ++line) {
      std::string whole(indent, ' ');
      whole += padded(line == 0 ? columns[c].strip.head.front() : "", head);
      for (std::size_t r = 0; r < rows.size(); ++r)
        whole += "  " + padded(line < lines[r].size() ? lines[r][line] : "", widths[r]);
      out += trimmed_line(std::move(whole));
    }
  }
  write(out);
}

// The rows of the chosen strips beside one another.
void write_rows(const RowBlock& block, const std::vector<Placed>& placed, std::size_t indent,
                const hwdb::Write& write) {
  std::vector<CellTexts> texts;
  std::vector<std::vector<std::string>> cells(placed.size()); // the lines of each, padded
  for (const Placed& p : placed) texts.emplace_back(block.rows.columns[p.column], block);
  std::string out;
  for (std::size_t row = 0; row < block.size; ++row) {
    std::size_t height = 1;
    for (std::size_t s = 0; s < placed.size(); ++s) {
      const Strip& strip = placed[s].strip;
      if (texts[s].next(row)) lines_of(strip, texts[s].text(), cells[s]);
      height = std::max(height, cells[s].size());
    }
    for (std::size_t piece = 0; piece < height; ++piece) {
      out.append(indent, ' ');
      for (std::size_t s = 0; s < placed.size(); ++s) {
        if (piece < cells[s].size())
          out += cells[s][piece];
        else
          out.append(placed[s].strip.width, ' ');
        out += "  ";
      }
      out.erase(out.find_last_not_of(' ') + 1);
      out += '\n';
    }
  }
  write(out);
}

// The chosen strips beside one another.
void write_block(const EachBlock& each_block, std::vector<Placed> placed, std::size_t width,
                 std::size_t indent, const hwdb::Write& write) {
  std::size_t before = indent;
  for (std::size_t s = 0; s + 1 < placed.size(); ++s) before += placed[s].strip.width + 2;
  Strip& last = placed.back().strip; // takes what room there is, whatever its words
  if (last.text && before + last.width > width)
    last.width = width > before + least_wrap ? width - before : least_wrap;
  std::string out;
  std::size_t head_lines = 1;
  for (const Placed& p : placed) head_lines = std::max(head_lines, p.strip.head.size());
  for (std::size_t line = 0; line < head_lines; ++line) { // the last line of each right above its cells
    std::string head(indent, ' ');
    for (const Placed& p : placed) {
      const Strip& s = p.strip;
      const std::size_t above = head_lines - s.head.size();
      head += padded(line < above ? "" : s.head[line - above], s.width, !s.text) + "  ";
    }
    out += trimmed_line(head);
  }
  write(out);
  each_block([&](const RowBlock& block) { write_rows(block, placed, indent, write); });
}

} // namespace

void lay_out(const EachBlock& each_block, std::size_t width, std::size_t indent, const hwdb::Write& write) {
  std::size_t rows = 0;
  std::vector<Placed> strips = measured(each_block, rows);
  if (strips.empty()) return;
  if (std::vector<Strip> narrowed = strips_of(strips);
      least_width(narrowed, indent) > width && narrow_heads(narrowed, width, indent))
    for (std::size_t s = 0; s < strips.size(); ++s) strips[s].strip = std::move(narrowed[s]);
  if (least_width(strips_of(strips), indent) > width && rows <= 3)
    return write_sideways(each_block, strips, width, indent, write);
  if (natural_width(strips_of(strips), indent) > width)
    for (std::size_t s = 0; s + 1 < strips.size(); ++s) narrow(strips[s].strip, widest_text);
  // The keys that lead the table stand in every block, as long as they leave room for more.
  std::size_t lead = 1, lead_width = indent + strips[0].strip.width;
  while (lead + 1 < strips.size() && strips[lead].leads &&
         lead_width + 2 + strips[lead].strip.width <= width / 2)
    lead_width += 2 + strips[lead++].strip.width;
  const std::vector<Placed> keys(strips.begin(), strips.begin() + static_cast<std::ptrdiff_t>(lead));
  std::vector<Placed> shown = keys;
  std::size_t used = lead_width;
  for (std::size_t s = lead; s < strips.size(); ++s) {
    const Strip& strip = strips[s].strip;
    const bool last_text = strip.text && s + 1 == strips.size();
    const std::size_t needs = last_text ? std::min(strip.width, least_wrap) : strip.width;
    if (used + 2 + needs > width && shown.size() > lead) {
      write_block(each_block, std::move(shown), width, indent, write);
      write("\n");
      shown = keys;
      used = lead_width;
    }
    used += 2 + strip.width;
    shown.push_back(std::move(strips[s]));
  }
  write_block(each_block, std::move(shown), width, indent, write);
}

std::string layout(const Table& table, std::size_t width, std::size_t indent,
                   const std::vector<bool>& integers) {
  std::string out;
  lay_out(
      [&](const Visit& visit) {
        visit({table, table.rows(), integers});
      },
      width, indent, [&](std::string_view piece) { out += piece; });
  return out;
}

} // namespace perfmodel::cli
