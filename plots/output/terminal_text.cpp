#include "terminal_text.hpp"

#include "plots/layout/geometry.hpp"
#include "plots/layout/utf8.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace perfmodel::plots {

std::string spaces(int n) { return std::string(static_cast<std::size_t>(std::max(0, n)), ' '); }

std::vector<Tick> told(std::vector<Tick> ticks, const TickWords& words) {
  for (Tick& tick : ticks) tick.text = words(tick.text);
  return ticks;
}

void write_x_axis(std::string& out, const Chart& chart, int margin, int across, const TickWords& words) {
  std::vector<Tick> ticks;
  for (int most = across / 4; most >= 2; --most) {
    ticks = told(ticks_of(chart.x, most), words);
    if (ticks.size() > static_cast<std::size_t>(across / 4)) { // categories
      const std::size_t every = ticks.size() / static_cast<std::size_t>(across / 8) + 1;
      for (std::size_t i = 0; i * every < ticks.size(); ++i) std::swap(ticks[i], ticks[i * every]);
      ticks.resize((ticks.size() + every - 1) / every);
    }
    int widest = 0;
    for (const Tick& t : ticks) widest = std::max(widest, columns_of(t.text));
    if (chart.x.scale == Scale::category || static_cast<int>(ticks.size()) * (widest + 2) <= across) break;
  }
  const int room = ticks.empty() ? across : across / static_cast<int>(ticks.size()) - 1;
  std::string axis, texts;
  for (int i = 0; i < across; ++i) axis += "─";
  std::u32string marks = decode(axis);
  int used = 0;
  for (const Tick& t : ticks) {
    const int at = static_cast<int>(std::lround(position_on(chart.x, t.value) * (across - 1)));
    if (at < 0 || at >= across) continue;
    marks[static_cast<std::size_t>(at)] = U'┬';
    const std::string text =
        chart.x.scale == Scale::category ? cut_to_columns(t.text, std::max(room, 3)) : t.text;
    const int wide = columns_of(text);
    const int from = std::min(margin + at - wide / 2, margin + across - wide);
    if (from < used + (used > 0) || wide == 0) continue;
    texts += spaces(from - used) + text;
    used = from + wide;
  }
  out += spaces(margin - 1) + "└" + encode(marks) + "\n" + texts + "\n";
  const std::string label = cut_to_columns(chart.x.label, across);
  out += spaces(margin + (across - columns_of(label)) / 2) + label + "\n";
}

void write_key(std::string& out, const std::vector<std::string>& key, int columns) {
  const int half = columns / 2;
  int used = 0;
  for (const std::string& entry : key) {
    const std::size_t tab = entry.find('\t');
    const std::string text = cut_to_columns(entry.substr(tab + 1), columns - 4);
    const int wide = 3 + columns_of(text);
    if (used > 0 && (used > half || wide > columns - half)) out += "\n", used = 0;
    if (used > 0) out += spaces(half - used), used = half;
    out += " " + entry.substr(0, tab) + " " + text;
    used += wide;
  }
  if (used > 0) out += "\n";
}

void write_wrapped(std::string& out, const std::string& text, int columns) {
  std::string line;
  std::size_t from = 0;
  const std::string clean = encode(decode(text));
  while (from <= clean.size()) {
    const std::size_t end = std::min(clean.find(' ', from), clean.size());
    const std::string word = cut_to_columns(clean.substr(from, end - from), columns);
    if (!line.empty() && columns_of(line) + 1 + columns_of(word) > columns) out += line + "\n", line.clear();
    line += (line.empty() ? "" : " ") + word;
    from = end + 1;
  }
  out += line + "\n";
}

} // namespace perfmodel::plots
