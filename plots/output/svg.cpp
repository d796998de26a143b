#include "svg.hpp"

#include "plots/layout/font.hpp"
#include "plots/layout/utf8.hpp"
#include "svg_marks.hpp"

#include <fmt/format.h>

#include <iterator>

namespace perfmodel::plots {

std::string px(double value) {
  const long long hundredths = static_cast<long long>(value * 100 + (value < 0 ? -0.5 : 0.5));
  const long long size = hundredths < 0 ? -hundredths : hundredths;
  std::string out = hundredths < 0 ? "-" : "";
  out += std::to_string(size / 100);
  if (size % 100 == 0) return out;
  out += '.';
  out += static_cast<char>('0' + size % 100 / 10);
  if (size % 10 != 0) out += static_cast<char>('0' + size % 10);
  return out;
}

namespace {
void write_axes(std::string& out, const Theme& theme, const Layout& l) {
  const Rect& p = l.plot;
  std::string grid, marks;
  for (const PlacedTick& t : l.x_ticks) {
    if (l.x_grid) grid += fmt::format("M{} {}V{}", px(t.at), px(p.top), px(p.bottom));
    marks += fmt::format("M{} {}v5", px(t.at), px(p.bottom));
  }
  for (const PlacedTick& t : l.y_ticks) {
    grid += fmt::format("M{} {}H{}", px(p.left), px(t.at), px(p.right));
    marks += fmt::format("M{} {}h-5", px(p.left), px(t.at));
  }
  out += fmt::format("<path d=\"{}\" stroke=\"{}\" fill=\"none\"/>\n", grid, theme.grid);
  out += fmt::format("<path d=\"M{} {}V{}H{}{}\" stroke=\"{}\" fill=\"none\"/>\n", px(p.left), px(p.top),
                     px(p.bottom), px(p.right), marks, theme.axis);
}

void write_text(std::string& out, const Theme& theme, const Text& t) {
  if (t.text.empty()) return;
  std::string attributes = t.angle == 0 ? fmt::format("x=\"{}\" y=\"{}\"", px(t.at.x), px(t.at.y))
                                        : fmt::format("transform=\"translate({} {}) rotate({})\"", px(t.at.x),
                                                      px(t.at.y), px(t.angle));
  attributes += fmt::format(" font-size=\"{}\"", px(t.size));
  if (t.anchor != Anchor::start)
    attributes += t.anchor == Anchor::end ? " text-anchor=\"end\"" : " text-anchor=\"middle\"";
  if (t.bold) attributes += " font-weight=\"bold\"";
  const std::string text = escape_xml(t.text);
  // The halo is a text of its own: programs that ignore paint-order would paint it over the letters.
  if (t.halo)
    out += fmt::format("<text {} fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\" "
                       "aria-hidden=\"true\">{}</text>\n",
                       attributes, theme.ground, px(t.halo_width), text);
  const std::string title =
      t.title.empty() || t.title == t.text ? "" : "<title>" + escape_xml(t.title) + "</title>";
  out += fmt::format("<text {} fill=\"{}\">{}{}</text>\n", attributes, theme.text(t.colour), title, text);
}

void write_leader(std::string& out, const Theme& theme, const Segment& leader) {
  out += fmt::format("<path d=\"M{} {}L{} {}\" stroke=\"{}\" stroke-width=\"0.9\" fill=\"none\"/>\n",
                     px(leader.a.x), px(leader.a.y), px(leader.b.x), px(leader.b.y), theme.leader);
}
} // namespace

std::string to_svg(const Layout& l, const Theme& theme, const std::optional<FigureSize>& size) {
  // The layout's pixels are whole: to fit the stated size exactly they are stretched, by less than 1 in 400.
  const std::string real = size ? fmt::format("width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\"",
                                              size->width.text(), size->height.text())
                                : fmt::format("width=\"{}\" height=\"{}\"", l.size.width, l.size.height);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" {5} viewBox=\"0 0 {0} "
      "{1}\" role=\"img\" font-family=\"{2}\">\n<title>{3}</title>\n{4}"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"{6}\"/>\n",
      l.size.width, l.size.height, font_family, escape_xml(l.title),
      l.description.empty() ? "" : "<desc>" + escape_xml(l.description) + "</desc>\n", real, theme.ground);
  for (const PlacedRegion& region : l.regions) write_region(out, theme, region);
  if (l.axes) write_axes(out, theme, l);
  for (const PlacedCells& cells : l.cells) write_cells(out, theme, cells);
  for (const PlacedBar& bar : l.bars) write_bar(out, theme, bar);
  for (const PlacedLine& line : l.lines) write_line(out, theme, line);
  for (const PlacedArrow& arrow : l.arrows) write_arrow(out, theme, arrow);
  for (const Text& label : l.labels)
    if (label.leader) write_leader(out, theme, *label.leader);
  for (const Segment& leader : l.leaders) write_leader(out, theme, leader);
  for (const PlacedDot& dot : l.dots) write_dropped(out, theme, dot);
  for (const PlacedDot& dot : l.dots) write_dot(out, theme, dot);
  for (const PlacedSample& sample : l.samples) write_sample(out, theme, sample);
  for (const Text& text : l.frame) write_text(out, theme, text);
  for (const Text& label : l.labels) write_text(out, theme, label);
  return out + "</svg>\n";
}

std::string to_svg(const Chart& chart, Size size) { return to_svg(layout(chart, size)); }

} // namespace perfmodel::plots
