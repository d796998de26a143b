#include "charts.hpp"

#include "plots/output/render.hpp"
#include "plots/output/svg.hpp"

#include "models/core/error.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <utility>

namespace perfmodel::plots::png_pdf_test {

std::string svg() { return to_svg(test::all_charts()[0].second); }

// A build without librsvg says so; the tests below have nothing to look at then.
bool rendered(std::string& bytes, const std::function<std::string()>& draw) {
  try {
    bytes = draw();
    return true;
  } catch (const MachineError& e) {
    EXPECT_NE(std::string(e.what()).find("librsvg2-dev"), std::string::npos) << e.what();
    return false;
  }
}

int big_endian(const std::string& bytes, std::size_t at) {
  int value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value * 256 + static_cast<unsigned char>(bytes[at + i]);
  return value;
}

TEST(Png, has_the_width_asked_for_and_the_shape_of_the_picture) {
  for (const int width : {480, 1600}) {
    std::string bytes;
    if (!rendered(bytes, [&] { return to_png(svg(), width); })) GTEST_SKIP() << "this build has no librsvg";
    EXPECT_EQ(bytes.substr(1, 3), "PNG");
    EXPECT_EQ(big_endian(bytes, 16), width); // IHDR
    EXPECT_EQ(big_endian(bytes, 20), width * 600 / 960);
  }
}

TEST(Png, a_width_that_makes_no_sense_is_refused) {
  std::string bytes;
  if (!rendered(bytes, [] { return to_png(svg(), 480); })) GTEST_SKIP() << "this build has no librsvg";
  EXPECT_THROW(to_png(svg(), 0), InputError);
  EXPECT_THROW(to_png(svg(), 1 << 30), InputError);
}

TEST(Pdf, is_a_pdf_and_the_same_from_run_to_run) {
  std::string bytes;
  if (!rendered(bytes, [] { return to_pdf(svg()); })) GTEST_SKIP() << "this build has no librsvg";
  EXPECT_EQ(bytes.substr(0, 5), "%PDF-");
  EXPECT_EQ(bytes, to_pdf(svg()));
}

// 96 px and 72 points to the inch: 960 x 600 px are 10 x 6.25 inches.
TEST(Pdf, a_page_is_as_large_as_the_picture) {
  for (const auto& [size, box] :
       {std::pair{Size{960, 600}, "[ 0 0 720 450 ]"}, {Size{640, 400}, "[ 0 0 480 300 ]"}}) {
    std::string bytes;
    const std::string picture = to_svg(test::all_charts()[0].second, size);
    if (!rendered(bytes, [&] { return to_pdf(picture); })) GTEST_SKIP() << "this build has no librsvg";
    const std::size_t at = bytes.find("/MediaBox ");
    ASSERT_NE(at, std::string::npos);
    EXPECT_EQ(bytes.substr(at + 10, std::string(box).size()), box);
  }
}

TEST(Pdf, what_is_no_svg_is_refused_in_a_sentence) {
  std::string bytes;
  if (!rendered(bytes, [] { return to_pdf(svg()); })) GTEST_SKIP() << "this build has no librsvg";
  EXPECT_THROW(to_pdf("not a picture"), MachineError);
  EXPECT_THROW(to_png("", 480), MachineError);
}

} // namespace perfmodel::plots::png_pdf_test
