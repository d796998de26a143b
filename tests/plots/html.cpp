#include "charts.hpp"

#include "plots/chart/roofline_chart.hpp"
#include "plots/output/html.hpp"

#include <gtest/gtest.h>

#include <regex>

namespace perfmodel::plots::html_test {

std::string page() {
  test::Machine m = test::h200();
  m.kernels = {{"<script>alert(1)</script>", "fp32", "dram", 1, 4.8e12, 4e12}};
  const Result predicted = test::roofline({m}), measured = test::sweep(m, "fp32", 0.9);
  return to_html(roofline_chart(predicted, {measured}), {predicted, measured});
}

TEST(Html, asks_nothing_of_the_network) {
  const std::string html = std::regex_replace(page(), std::regex("xmlns=\"http://www.w3.org/2000/svg\""), "");
  EXPECT_FALSE(std::regex_search(html, std::regex("https?://|src=|href=|@import|url\\(|fetch\\(")));
}

TEST(Html, a_name_from_a_file_is_text_and_never_code) {
  EXPECT_EQ(page().find("<script>alert"), std::string::npos);
  EXPECT_NE(page().find("<td>&lt;script&gt;alert(1)&lt;/script&gt;</td>"), std::string::npos);
}

TEST(Html, the_verdict_stands_above_the_picture_and_is_its_description) {
  Result predicted = test::roofline({test::h200()});
  predicted.verdict = {"Memory-bound below 13.9 flop/B & no more."};
  Chart chart = roofline_chart(predicted);
  chart.description = predicted.verdict.front();
  const std::string html = to_html(chart, {predicted});
  const std::size_t verdict =
      html.find("<p class=\"verdict\">Memory-bound below 13.9 flop/B &amp; no more.</p>");
  ASSERT_NE(verdict, std::string::npos);
  EXPECT_LT(verdict, html.find("<svg"));
  EXPECT_NE(html.find("<desc>Memory-bound below 13.9 flop/B &amp; no more.</desc>"), std::string::npos);
}

TEST(Html, four_verdicts_stand_above_the_picture_and_five_are_folded_below_it) {
  Result predicted = test::roofline({test::h200()});
  predicted.verdict.assign(4, "a100: 1 < 2.");
  const auto written = [&] { return to_html("t", {.svg = "<svg>1</svg>"}, {predicted}); };
  EXPECT_LT(written().find("a100: 1 &lt; 2."), written().find("<svg>"));
  EXPECT_EQ(written().find("<details>"), std::string::npos);

  predicted.verdict.push_back("h200: 3.");
  const std::string html = written();
  const std::size_t picture = html.find("<svg>"), folded = html.find("<details>"),
                    first = html.find("<p class=\"verdict\">a100: 1 &lt; 2.</p>"),
                    last = html.find("<p class=\"verdict\">h200: 3.</p>"), end = html.find("</details>");
  EXPECT_LT(picture, folded);
  EXPECT_LT(folded, html.find("<summary>The answer in 5 sentences</summary>"));
  EXPECT_LT(folded, first);
  EXPECT_LT(first, last);
  EXPECT_LT(last, end);
  EXPECT_LT(end, html.find("<table"));
  EXPECT_NE(html.find("'beforeprint'"), std::string::npos) << "closed ones are not printed";
}

TEST(Html, the_tables_behind_the_picture_carry_units) {
  EXPECT_NE(page().find("compute ceilings (predicted)"), std::string::npos);
  EXPECT_NE(page().find("roofline sweep (measured)"), std::string::npos);
  EXPECT_NE(page().find("<td class=\"number\">4.814 TB/s</td>"), std::string::npos);
}

TEST(Html, what_is_the_same_in_every_row_is_said_once) {
  const auto texts = [](const char* name, const char* cell) {
    return Column{.name = name, .role = Role::key, .cells = std::vector<std::string>{cell, cell}};
  };
  const Table filled{
      .title = "accesses",
      .columns = {texts("gpu", "h200"), texts("path", "global"),
                  Column{.name = "stride", .role = Role::key, .cells = std::vector<double>{1, 2}}}};
  const std::string html = html_table(filled, "predicted", 1);
  EXPECT_NE(html.find("in every row: GPU h200, path global"), std::string::npos);
  EXPECT_EQ(html.find("<td>h200</td>"), std::string::npos);
  const std::regex cell("<td");
  EXPECT_EQ(std::distance(std::sregex_iterator(html.begin(), html.end(), cell), std::sregex_iterator()), 2);
}

TEST(Html, a_long_table_is_cut_and_says_so) {
  std::vector<test::Sample> samples;
  for (int i = 0; i < 2500; ++i) samples.push_back({static_cast<double>(i), "", 1});
  EXPECT_NE(html_table(test::lines(samples).tables[0], "predicted").find("500 more rows"), std::string::npos);
}

// A row is a card there, and nine of them fill several screens.
TEST(Html, on_a_phone_the_rows_of_a_long_table_are_folded) {
  const auto written = [](int rows) {
    std::vector<test::Sample> samples;
    for (int i = 0; i < rows; ++i) samples.push_back({static_cast<double>(i), "", 1});
    return html_table(test::lines(samples).tables[0], "predicted", 1);
  };
  EXPECT_EQ(written(8).find("<details"), std::string::npos);
  const std::string html = written(9);
  const std::size_t folded = html.find("<details class=\"rows\" open><summary>9 rows: ");
  ASSERT_NE(folded, std::string::npos) << "open where no script runs";
  EXPECT_LT(folded, html.find("<table"));
  EXPECT_LT(html.find("</table>"), html.find("</details>"));
  EXPECT_NE(page().find("rows.open = !phone.matches"), std::string::npos);
  EXPECT_NE(page().find("(min-width: 601px) { .rows > summary { display: none; } }"), std::string::npos);
}

TEST(Html, a_sentence_in_a_table_has_room_beside_many_columns) {
  Table table{.title = "t", .columns = {}, .notes = {}};
  for (const std::string& cell : {std::string(40, 'a'), std::string(41, 'a')})
    table.columns.push_back(
        {.name = "advice", .unit = {}, .role = Role::key, .cells = std::vector<std::string>{cell}});
  EXPECT_NE(html_table(table, "predicted", 1).find("<th>advice</th><th class=\"words\">advice</th>"),
            std::string::npos);
}

TEST(Html, a_cell_is_led_by_its_columns_name_on_a_narrow_screen_and_no_name_ends_the_style) {
  Table table{.title = "t", .columns = {}, .notes = {}};
  Column column{.name = "a\"}</style><b>", .unit = {}, .role = Role::key, .cells = {}};
  append(column, 1.0);
  table.columns.push_back(std::move(column));
  const std::string html = html_table(table, "predicted", 3);
  EXPECT_NE(html.find("#t3 td:nth-child(1)::before { content: \"a\\22 }\\3c /style>\\3c b>\"; }"),
            std::string::npos)
      << html;
  EXPECT_NE(html.find("<table id=\"t3\">"), std::string::npos);
}

TEST(Html, marks_and_wide_tables_are_reached_by_keyboard) {
  EXPECT_NE(page().find("mark.setAttribute('tabindex'"), std::string::npos);
  EXPECT_NE(page().find("e.key === 'Escape'"), std::string::npos);
  EXPECT_NE(
      page().find("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"compute ceilings\">"),
      std::string::npos);
}

TEST(Html, of_two_pictures_one_is_for_a_dark_screen) {
  const std::string one = to_html("t", {.svg = "<svg>1</svg>"}, {}),
                    two = to_html("t", {.svg = "<svg>1</svg>", .dark = "<svg>2</svg>"}, {});
  EXPECT_EQ(one.find("prefers-color-scheme"), std::string::npos);
  EXPECT_NE(two.find("prefers-color-scheme"), std::string::npos);
  EXPECT_NE(two.find("<div class=\"wide picture dark\"><svg>2</svg></div>"), std::string::npos);
}

TEST(Html, a_phone_has_a_picture_of_its_own_and_never_two) {
  const std::string page = to_html("t",
                                   {.svg = "<svg>1</svg>",
                                    .dark = "<svg>2</svg>",
                                    .narrow = "<svg>3</svg>",
                                    .narrow_dark = "<svg>4</svg>"},
                                   {});
  for (const char* picture : {"picture light broad\"><svg>1", "picture dark broad\"><svg>2",
                              "picture light narrow\"><svg>3", "picture dark narrow\"><svg>4"})
    EXPECT_NE(page.find(picture), std::string::npos) << picture;
  EXPECT_NE(page.find("(max-width: 600px) { .broad { display: none !important; } }"), std::string::npos);
  EXPECT_NE(page.find("(min-width: 601px) { .narrow { display: none !important; } }"), std::string::npos);
  EXPECT_EQ(to_html("t", {.svg = "<svg>1</svg>"}, {}).find(".broad"), std::string::npos);
}

TEST(Html, is_the_same_from_run_to_run) { EXPECT_EQ(page(), page()); }

TEST(Html, on_a_dark_screen_scroll_bars_are_dark_and_in_daylight_never) {
  const Result predicted = test::roofline({test::h200()});
  const auto written = [&](const PagePicture& picture, const Theme& theme) {
    return to_html("t", picture, {predicted}, theme);
  };
  const std::string scheme = "color-scheme: dark; ";
  const std::string either = written({.svg = "<svg/>", .dark = "<svg/>"}, light_theme());
  EXPECT_GT(either.find(scheme), either.find("(prefers-color-scheme: dark)"));
  EXPECT_NE(either.find(scheme), std::string::npos);
  EXPECT_NE(written({.svg = "<svg/>"}, theme_named("dark")).find(scheme), std::string::npos);
  EXPECT_EQ(written({.svg = "<svg/>"}, light_theme()).find(scheme), std::string::npos);
}

// Else the rows of a table that was scrolled are nobody's, and one that goes on looks whole.
TEST(Html, a_wide_table_keeps_its_title_and_first_column_and_shows_that_it_goes_on) {
  const std::string html = page();
  EXPECT_NE(html.find("tr > :first-child { position: sticky; left: 0; "), std::string::npos);
  EXPECT_NE(html.find("caption div { position: sticky; left: 0;"), std::string::npos);
  EXPECT_NE(html.find("<caption><div>"), std::string::npos);
  EXPECT_NE(html.find("no-repeat local"), std::string::npos);
}

} // namespace perfmodel::plots::html_test
