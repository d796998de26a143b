#include "html.hpp"

#include "plots/layout/utf8.hpp"
#include "svg.hpp"

#include <fmt/format.h>

namespace perfmodel::plots {

namespace {
constexpr const char* style = R"(
:root { --ground: #fff; --shadow: #0004; }
body { font: 15px/1.45 "DejaVu Sans", Verdana, Arial, sans-serif; color: #222; margin: 1.5em auto; max-width: 1200px; padding: 0 1em; }
svg { width: 100%; height: auto; display: block; }
svg g:hover > :not(title), svg g:focus > :not(title) { stroke-width: 3; }
svg g:focus, svg text:focus, .wide:focus { outline: 2px solid #0072B2; outline-offset: 2px; }
table { border-collapse: collapse; margin: 1.5em 0; font-size: 13px; }
caption { text-align: left; font-weight: bold; padding: .3em 0; }
caption span { display: block; font-weight: normal; }
caption div { position: sticky; left: 0; width: fit-content; max-width: calc(100vw - 4em); }
th, td { padding: .2em .8em .2em 0; text-align: left; border-bottom: 1px solid #ddd; vertical-align: top; }
td.number, th.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
th.words { min-width: 22em; }
tbody tr:hover { background: #f2f6fa; }
.wide { overflow-x: auto; }
.wide:not(.picture) { background: linear-gradient(to left, var(--ground) 20%, transparent) right / 48px 100% no-repeat local,
  linear-gradient(to left, var(--shadow), transparent) right / 16px 100% no-repeat; }
.verdict { font-size: 17px; margin: .4em 0; }
details .verdict { font-size: 15px; }
summary { cursor: pointer; font-weight: bold; padding: .4em 0; }
#tip { position: fixed; display: none; max-width: 32em; padding: .4em .7em; background: #222; color: #fff; border-radius: 4px;
  font-size: 13px; pointer-events: none; z-index: 1; }
@media (max-width: 600px) {
  body { margin: .8em auto; padding: 0 .6em; }
  caption, p, li { overflow-wrap: anywhere; }
  .picture:not(.narrow) > svg { min-width: 640px; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table, caption, tbody, tr, td { display: block; width: 100%; box-sizing: border-box; }
  tr { padding: .5em 0; border-bottom: 2px solid #ccc; }
  td, td.number { display: flex; justify-content: space-between; gap: 1em; padding: .15em 0; border: 0; text-align: right; white-space: normal; overflow-wrap: anywhere; }
  td:empty { display: none; }
  td::before { text-align: left; font-weight: bold; flex: none; }
}
@media (min-width: 601px) { .rows > summary { display: none; } }
@media (min-width: 601px) {
  tr > :first-child { position: sticky; left: 0; background: var(--ground); background-clip: padding-box; }
  tbody tr:hover > :first-child { background: inherit; }
}
@media print { #tip { display: none !important; } }
)";

// The browser's own tooltip comes late and leaves soon, and never by keyboard. Without script it still comes.
// A picture is one stop of the Tab key, within it the arrows go from mark to mark.
constexpr const char* script = R"(
(function () {
  var tip = document.getElementById('tip');
  function show(text, x, y) {
    tip.textContent = text;
    tip.style.display = 'block';
    var box = tip.getBoundingClientRect();
    tip.style.left = Math.max(4, Math.min(x + 14, innerWidth - box.width - 4)) + 'px';
    tip.style.top = (y + 18 + box.height > innerHeight ? y - box.height - 10 : y + 18) + 'px';
  }
  function hide() { tip.style.display = 'none'; }
  document.querySelectorAll('.picture > svg').forEach(function (svg) {
    var marks = [];
    svg.setAttribute('role', 'group');
    svg.querySelectorAll('g, text').forEach(function (mark) {
      var title = mark.querySelector(':scope > title');
      if (!title) return;
      var text = title.textContent, at = marks.length;
      title.remove();
      mark.setAttribute('role', 'img');
      mark.setAttribute('aria-label', text);
      mark.setAttribute('tabindex', at === 0 ? '0' : '-1');
      marks.push(mark);
      mark.addEventListener('pointermove', function (e) { show(text, e.clientX, e.clientY); });
      mark.addEventListener('pointerdown', function (e) { show(text, e.clientX, e.clientY); });
      mark.addEventListener('pointerleave', hide);
      mark.addEventListener('blur', hide);
      mark.addEventListener('focus', function () {
        var box = mark.getBoundingClientRect();
        show(text, box.left + box.width / 2, box.bottom);
      });
      mark.addEventListener('keydown', function (e) {
        var to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1, Home: 0, End: marks.length - 1 }[e.key];
        if (e.key === 'Escape') hide();
        if (to === undefined || !marks[to]) return;
        e.preventDefault();
        mark.setAttribute('tabindex', '-1');
        marks[to].setAttribute('tabindex', '0');
        marks[to].focus();
      });
    });
  });
  addEventListener('scroll', hide, { passive: true });
  var phone = matchMedia('(max-width: 600px)');
  function fold() { document.querySelectorAll('details.rows').forEach(function (rows) { rows.open = !phone.matches; }); }
  fold();
  phone.addEventListener('change', fold);
  addEventListener('beforeprint', function () {
    document.querySelectorAll('details').forEach(function (folded) { folded.open = true; });
  });
})();
)";
} // namespace

std::string to_html(const Chart& chart, const std::vector<Result>& results, Size size) {
  return to_html(chart.title.empty() ? "perfmodel" : chart.title, {.svg = to_svg(chart, size)}, results);
}

namespace {
// The scroll bars are the browser's own, and follow `color-scheme`.
std::string colours_of(const Theme& theme) {
  return fmt::format(":root {{ color-scheme: dark; --ground: {0}; --shadow: #fff4; }}\n"
                     "body {{ background: {0}; color: {1}; }}\nth, td, tr {{ border-color: {2}; }}\n"
                     "tbody tr:hover {{ background: {2}; }}\n#tip {{ background: {1}; color: {0}; }}\n",
                     theme.ground, theme.ink.text, theme.grid);
}

// What a page of another theme or size has instead; nothing where both are the default.
std::string more_style(const Theme& theme, const std::optional<FigureSize>& size,
                       const PagePicture& picture) {
  std::string out;
  if (theme.ground != light_theme().ground) out += colours_of(theme);
  if (!picture.dark.empty())
    out += fmt::format(".dark {{ display: none; }}\n@media screen and (prefers-color-scheme: dark) {{\n{}"
                       ".light {{ display: none; }}\n.dark {{ display: block; }}\n}}\n",
                       colours_of(theme_named("dark")));
  if (!picture.narrow.empty())
    out += "@media screen and (max-width: 600px) { .broad { display: none !important; } }\n"
           "@media print, (min-width: 601px) { .narrow { display: none !important; } }\n";
  if (size) out += fmt::format("svg {{ max-width: {}; }}\n", size->width.text());
  return out;
}

// Of more GPUs than are compared by eye each has its sentence, and together they fill a screen.
constexpr std::size_t most_sentences_above = 4;

std::string paragraphs_of(const std::vector<std::string>& sentences) {
  std::string out;
  for (const std::string& sentence : sentences)
    out += "<p class=\"verdict\">" + escape_xml(sentence) + "</p>\n";
  return out;
}

std::string folded(const std::vector<std::string>& sentences) {
  return fmt::format("<details>\n<summary>The answer in {} sentences</summary>\n{}</details>\n",
                     sentences.size(), paragraphs_of(sentences));
}
} // namespace

std::string to_html(const std::string& name, const PagePicture& picture, const std::vector<Result>& results,
                    const Theme& theme, const std::optional<FigureSize>& size) {
  const std::string title = escape_xml(name);
  std::string out = fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                                "<title>{}</title>\n<style>{}{}</style>\n</head>\n<body>\n",
                                title, style, more_style(theme, size, picture));
  std::vector<std::string> sentences;
  for (const Result& result : results)
    sentences.insert(sentences.end(), result.verdict.begin(), result.verdict.end());
  const bool are_few = sentences.size() <= most_sentences_above;
  if (are_few) out += paragraphs_of(sentences);
  const auto put = [&](const char* shade, const char* width, const std::string& drawn) {
    if (!drawn.empty()) out += fmt::format("<div class=\"wide picture{}{}\">{}</div>\n", shade, width, drawn);
  };
  const char *in_light = picture.dark.empty() ? "" : " light",
             *broad = picture.narrow.empty() ? "" : " broad";
  put(in_light, broad, picture.svg);
  put(" dark", broad, picture.dark);
  put(in_light, " narrow", picture.narrow);
  put(" dark", " narrow", picture.narrow_dark);
  if (!are_few) out += folded(sentences);
  out += "<div id=\"tip\" role=\"tooltip\"></div>\n";
  std::size_t number = 0;
  for (const Result& result : results) {
    for (const Table& table : result.tables)
      if (table.rows() > 0) out += html_table(table, name_of(result.kind), ++number);
    for (const std::string& note : result.notes) out += "<p>" + escape_xml(note) + "</p>\n";
  }
  return out + "<script>" + script + "</script>\n</body>\n</html>\n";
}

} // namespace perfmodel::plots
