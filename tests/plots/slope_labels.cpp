// Names along roofs and slopes that are closer together than a text is high.
#include "charts.hpp"

#include "plots/chart/roofline_chart.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace perfmodel::plots::slope_labels_test {

namespace {

double distance(Point p, const Segment& s) {
  const Point along = s.b - s.a;
  const double part = std::clamp(((p.x - s.a.x) * along.x + (p.y - s.a.y) * along.y) /
                                     (along.x * along.x + along.y * along.y),
                                 0.0, 1.0);
  return length(p - (s.a + part * along));
}

Chart four_generations() {
  const auto device = [](const char* name, double bandwidth, double peak) {
    test::Machine m = test::h200();
    m.gpu = name, m.slopes.resize(1), m.rates.resize(1);
    m.slopes[0].bandwidth = bandwidth, m.rates[0].rate = peak;
    return m;
  };
  return roofline_chart(
      test::roofline({device("v100", 0.9e12, 15.7e12), device("a100-80", 2e12, 19.5e12),
                      device("h100-sxm", 3.35e12, 66.9e12), device("h200", 4.8e12, 66.9e12)}));
}

} // namespace

// On a slide the slopes of generations of GPUs are closer together than a text is high.
TEST(SlopeLabels, have_the_colour_of_the_slope_that_is_nearest) {
  const Chart chart = four_generations();
  for (int height = 300; height < 450; height += 10) {
    const Layout l = layout(chart, {693, height});
    int aslant = 0;
    for (const Text& t : l.labels) {
      if (t.angle == 0) continue;
      ++aslant;
      double least = 1e9;
      int colour = ink;
      for (const PlacedLine& line : l.lines)
        for (const auto& stroke : line.strokes)
          for (std::size_t i = 0; i + 1 < stroke.size(); ++i)
            if (const double here = distance(t.box.bounds().centre(), {stroke[i], stroke[i + 1]});
                here < least)
              least = here, colour = line.colour;
      const bool of_several = t.text.find(", ") != std::string::npos; // their order says which is which
      EXPECT_TRUE(of_several || t.colour == colour) << t.text << " at " << height;
    }
    EXPECT_GE(aslant, 2) << height;
  }
}

// 15.7 and 19.5 Tflop/s are a few px apart on a phone: a name that jumps over the other roof swaps them.
TEST(SlopeLabels, of_roofs_stand_on_their_own_side_of_the_next_roof) {
  for (int height = 300; height < 700; height += 20) {
    const Layout l = layout(four_generations(), {420, height});
    std::map<int, double> roofs, names; // heights, by colour
    for (const Text& t : l.labels)
      if (t.bold && t.angle == 0) names[t.colour] = t.box.bounds().centre().y;
    for (const PlacedLine& line : l.lines) roofs[line.colour] = line.strokes.back().back().y;
    for (const auto& [colour, name] : names)
      for (const auto& [other, y] : roofs)
        if (names.count(other) > 0 && y < roofs[colour] - 1) {
          EXPECT_GT(name, names[other]) << height;
        }
  }
}

} // namespace perfmodel::plots::slope_labels_test
