#include "html.hpp"

#include "plots/layout/utf8.hpp"
#include "svg.hpp"

#include <fmt/format.h>

namespace perfmodel::plots {

namespace {
constexpr const char* style = R"(
body { font: 15px/1.45 "DejaVu Sans", Verdana, Arial, sans-serif; color: #222; margin: 1.5em auto; max-width: 1200px; padding: 0 1em; }
svg { width: 100%; height: auto; display: block; }
svg g:hover > :not(title), svg g.seen > :not(title) { stroke-width: 3; }
table { border-collapse: collapse; margin: 1.5em 0; font-size: 13px; }
caption { text-align: left; font-weight: bold; padding: .3em 0; }
th, td { padding: .2em .8em .2em 0; text-align: left; border-bottom: 1px solid #ddd; vertical-align: top; }
td.number, th.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
tbody tr:hover { background: #f2f6fa; }
.wide { overflow-x: auto; }
.verdict { font-size: 17px; margin: .4em 0; }
#tip { position: fixed; display: none; max-width: 32em; padding: .4em .7em; background: #222; color: #fff; border-radius: 4px;
  font-size: 13px; pointer-events: none; z-index: 1; }
@media print { #tip { display: none !important; } }
)";

// The browser's own tooltip comes late and leaves soon. Without script it still comes.
constexpr const char* script = R"(
(function () {
  var tip = document.getElementById('tip'), marks = document.querySelectorAll('svg g, svg text');
  function show(text, x, y) {
    tip.textContent = text;
    tip.style.display = 'block';
    var box = tip.getBoundingClientRect();
    tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - box.width - 4)) + 'px';
    tip.style.top = (y + 18 + box.height > innerHeight ? y - box.height - 10 : y + 18) + 'px';
  }
  function hide() { tip.style.display = 'none'; }
  marks.forEach(function (mark) {
    var title = mark.querySelector(':scope > title');
    if (!title) return;
    var text = title.textContent;
    title.remove();
    mark.setAttribute('aria-label', text);
    mark.addEventListener('pointermove', function (e) { show(text, e.clientX, e.clientY); });
    mark.addEventListener('pointerdown', function (e) { show(text, e.clientX, e.clientY); });
    mark.addEventListener('pointerleave', hide);
  });
  addEventListener('scroll', hide, { passive: true });
})();
)";
} // namespace

std::string to_html(const Chart& chart, const std::vector<Result>& results, Size size) {
  return to_html(chart.title.empty() ? "perfmodel" : chart.title, to_svg(chart, size), results);
}

namespace {
// What a page of another theme or size has instead; nothing where both are the default.
std::string more_style(const Theme& theme, const std::optional<FigureSize>& size) {
  std::string out;
  if (theme.ground != light_theme().ground)
    out += fmt::format("body {{ background: {0}; color: {1}; }}\nth, td {{ border-color: {2}; }}\n"
                       "tbody tr:hover {{ background: {2}; }}\n#tip {{ background: {1}; color: {0}; }}\n",
                       theme.ground, theme.ink.text, theme.grid);
  if (size) out += fmt::format("svg {{ max-width: {}; }}\n", size->width.text());
  return out;
}
} // namespace

std::string to_html(const std::string& name, const std::string& svg, const std::vector<Result>& results,
                    const Theme& theme, const std::optional<FigureSize>& size) {
  const std::string title = escape_xml(name);
  std::string out = fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                                "<title>{}</title>\n<style>{}{}</style>\n</head>\n<body>\n",
                                title, style, more_style(theme, size));
  for (const Result& result : results)
    for (const std::string& verdict : result.verdict)
      out += "<p class=\"verdict\">" + escape_xml(verdict) + "</p>\n";
  out += svg;
  out += "<div id=\"tip\" role=\"tooltip\"></div>\n";
  for (const Result& result : results) {
    for (const Table& table : result.tables)
      if (table.rows() > 0) out += html_table(table, name_of(result.kind));
    for (const std::string& note : result.notes) out += "<p>" + escape_xml(note) + "</p>\n";
  }
  return out + "<script>" + script + "</script>\n</body>\n</html>\n";
}

} // namespace perfmodel::plots
