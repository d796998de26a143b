// Sizes and themes as a user gives them, and the sizes of the files.
#include "charts.hpp"

#include "plots/layout/figure_size.hpp"
#include "plots/output/html.hpp"
#include "plots/output/render.hpp"
#include "plots/output/svg.hpp"

#include "models/core/error.hpp"

#include <gtest/gtest.h>

namespace perfmodel::plots::figure_size_test {

TEST(FigureSize, is_read_with_its_units) {
  struct Case {
    const char* text;
    double width, height; // pt
    const char* svg;
  };
  for (const Case& c :
       {Case{"slide", 960, 540, "960pt"}, Case{"column", 85 / 25.4 * 72, 70 / 25.4 * 72, "85mm"},
        Case{"85mmx60mm", 85 / 25.4 * 72, 60 / 25.4 * 72, "85mm"},
        Case{"85x60mm", 85 / 25.4 * 72, 60 / 25.4 * 72, "85mm"}, Case{"1280x720", 960, 540, "1280px"},
        Case{"1280pxx720px", 960, 540, "1280px"}, Case{"3.5inx2.5in", 252, 180, "3.5in"},
        Case{"5in x 90mm", 360, 90 / 25.4 * 72, "5in"}}) {
    const FigureSize size = figure_size(c.text);
    EXPECT_NEAR(size.width.points(), c.width, 1e-9) << c.text;
    EXPECT_NEAR(size.height.points(), c.height, 1e-9) << c.text;
    EXPECT_EQ(size.width.text(), c.svg);
  }
}

TEST(FigureSize, what_is_none_is_refused) {
  for (const char* text :
       {"", "x", "slid", "85mm", "85mmx", "x60mm", "85mmx60cm", "85mm*60mm", "-85x60", "1e3x1e3", "1.2.3x4",
        "0x0", "60mmx36mm", "219x140", "99999999999x1", "9999x9999in", "85mm x 60mm x 2"})
    EXPECT_THROW(figure_size(text), InputError) << text;
  EXPECT_NO_THROW(figure_size("61mmx38mm"));
}

TEST(FigureSize, a_page_of_pdf_and_the_pixels_of_a_png_are_as_stated) {
  const FigureSize column = figure_size("column"), screen = figure_size("1280x720"),
                   slide = figure_size("slide");
  EXPECT_EQ(column.png_width(), 1004); // 85 mm at 300 dpi
  EXPECT_EQ(screen.png_width(), 1280);
  EXPECT_EQ(slide.png_width(), 1920);
  const Chart& chart = test::all_charts()[0].second;
  try {
    const std::string pdf = to_pdf(to_svg(layout(chart, slide.layout()), light_theme(), slide));
    EXPECT_NE(pdf.find("/MediaBox [ 0 0 960 540 ]"), std::string::npos);
    const std::string narrow = to_pdf(to_svg(layout(chart, column.layout()), light_theme(), column));
    const std::size_t at = narrow.find("/MediaBox [ 0 0 ");
    ASSERT_NE(at, std::string::npos);
    EXPECT_NEAR(std::stod(narrow.substr(at + 16)), 85 / 25.4 * 72, 0.01);
  } catch (const MachineError&) {
    GTEST_SKIP() << "this build has no librsvg";
  }
}

TEST(Theme, an_unknown_one_is_refused_with_the_nearest) {
  try {
    theme_named("drak");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("dark"), std::string::npos) << e.what();
  }
}

TEST(Theme, a_page_takes_the_ground_of_its_picture) {
  const Theme& dark = theme_named("dark");
  EXPECT_NE(to_html("a", {.svg = "<svg/>"}, {}, dark).find("background: " + std::string(dark.ground)),
            std::string::npos);
  EXPECT_EQ(to_html("a", {.svg = "<svg/>"}, {}).find("background: " + std::string(dark.ground)),
            std::string::npos);
}

} // namespace perfmodel::plots::figure_size_test
