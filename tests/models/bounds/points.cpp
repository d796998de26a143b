#include "models/bounds/points.hpp"

#include "tests/models/error_of.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace perfmodel::points_test {

std::vector<RooflinePoint> read(std::string_view csv) { return RooflinePoints::from_csv(csv).points; }
std::string why(const std::string& csv) {
  return error_of([&] { RooflinePoints::from_csv(csv); });
}

TEST(Points, are_read_in_base_units) {
  const auto p = read("name,intensity,performance,low,high\nsgemm,32,5e12,4e12,6e12\ncopy,0.125,1e10,,\n");
  ASSERT_EQ(p.size(), 2u);
  EXPECT_EQ(p[0].name, "sgemm");
  EXPECT_DOUBLE_EQ(p[0].intensity.value, 32);
  EXPECT_DOUBLE_EQ(p[0].performance.value, 5e12);
  EXPECT_DOUBLE_EQ(p[0].low.value, 4e12);
  EXPECT_DOUBLE_EQ(p[0].high.value, 6e12);
  EXPECT_TRUE(std::isnan(p[1].low.value) && std::isnan(p[1].high.value)) << "an empty cell is absent";
}

TEST(Points, a_unit_may_stand_in_the_header_or_in_the_cell) {
  EXPECT_DOUBLE_EQ(read("name,intensity,performance [GFLOP/s]\na,1,28\n")[0].performance.value, 28e9);
  EXPECT_DOUBLE_EQ(read("name,intensity,performance (Tflop/s)\na,1,28\n")[0].performance.value, 28e12);
  EXPECT_DOUBLE_EQ(read("name,intensity [flop/kB],performance\na,500,1\n")[0].intensity.value, 0.5);
  EXPECT_DOUBLE_EQ(read("name,intensity,performance [GFLOP/s]\na,1/16,2 Tflop/s\n")[0].performance.value,
                   2e12)
      << "the cell's own unit wins";
}

TEST(Points, columns_come_in_any_order_and_case_and_others_are_ignored) {
  const auto p = read("Performance,comment,Name,INTENSITY\n5,x,k,2\n");
  EXPECT_EQ(p[0].name, "k");
  EXPECT_DOUBLE_EQ(p[0].intensity.value, 2);
  EXPECT_DOUBLE_EQ(p[0].performance.value, 5);
}

TEST(Points, performance_may_be_missing_altogether) {
  EXPECT_TRUE(std::isnan(read("name,intensity\na,1\n")[0].performance.value));
}

TEST(Points, byte_order_mark_carriage_returns_comments_and_blank_lines_do_not_matter) {
  const auto p = read(
      "\xEF\xBB\xBF\r\n# points of Tuesday\r\nname,intensity,performance\r\n\r\na,1,2\r\n# b,9,\"9\r\nc,3,4");
  ASSERT_EQ(p.size(), 2u);
  EXPECT_EQ(p[1].name, "c");
  EXPECT_DOUBLE_EQ(p[1].performance.value, 4) << "the last line needs no break";
}

TEST(Points, quotes_hold_commas_quotes_and_line_breaks) {
  const auto p =
      read("name,intensity\n\"a, \"\"b\"\"\",1\n\"two\nlines\",2\n \"  kept  \" ,3\n  trimmed  ,4\n");
  ASSERT_EQ(p.size(), 4u);
  EXPECT_EQ(p[0].name, "a, \"b\"");
  EXPECT_EQ(p[1].name, "two\nlines");
  EXPECT_EQ(p[2].name, "  kept  ");
  EXPECT_EQ(p[3].name, "trimmed");
}

TEST(Points, every_error_says_line_and_column) {
  EXPECT_EQ(why(""), "points: the file is empty; a header 'name,intensity,performance' is expected");
  EXPECT_EQ(why("\n\n# only this\n"),
            "points: the file is empty; a header 'name,intensity,performance' is expected");
  EXPECT_EQ(why("name,intensity\n"), "points: a header but no point");
  EXPECT_EQ(why("kernel,intensity\na,1\n"), "points, line 1: the header lacks the column 'name'; "
                                            "'name,intensity,performance[,low,high]' is expected");
  EXPECT_EQ(why("# c\nname,speed\na,1\n"), "points, line 2: the header lacks the column 'intensity'; "
                                           "'name,intensity,performance[,low,high]' is expected");
  EXPECT_EQ(why("name,intensity,Intensity\n"),
            "points, line 1: the column 'intensity' stands twice in the header");
  EXPECT_EQ(why("# c\n\nname,intensity,Intensity\n"),
            "points, line 3: the column 'intensity' stands twice in the header");
  EXPECT_EQ(why("# c\nname,intensity [flop/B\na,1\n"),
            "points, line 2: the unit of 'intensity' is not closed");
  EXPECT_EQ(why("name,intensity\na,1\nb\n"), "points, line 3: 1 cells where the header has 2");
  EXPECT_EQ(why("name,intensity\na,1,\n"), "points, line 2: 3 cells where the header has 2");
  EXPECT_EQ(why("name,intensity\na,0\n"), "points, line 2: intensity must be a positive number");
  EXPECT_EQ(why("name,intensity\na,-1\n"), "points, line 2: intensity must be a positive number");
  EXPECT_EQ(why("name,intensity\na,1e301\n"), "points, line 2: intensity must be a positive number");
  EXPECT_EQ(why("name,intensity\na,nan\n"),
            "points, line 2: intensity: 'nan' is not a number with a unit, such as '177 GB/s'");
  EXPECT_EQ(why("name,intensity\na,\n").substr(0, 27), "points, line 2: intensity: ");
  EXPECT_EQ(why("name,intensity,performance\na,1,2 GB/s\n"),
            "points, line 2: performance: '2 GB/s' is in B/s; a rate such as 1.3Tflop/s is expected");
  EXPECT_EQ(why("name,intensity,performance [GB/s]\na,1,2\n"),
            "points, line 2: performance: '1 GB/s' is in B/s; a rate such as 1.3Tflop/s is expected");
  EXPECT_EQ(why("name,intensity,performance,low,high\na,1,5,6,4\n"), "points, line 2: low is above high");
  EXPECT_EQ(why("name,intensity\n\"a,1\nb,2\n"), "points, line 2: a quote that never closes");
  EXPECT_EQ(why(std::string("name,intensity\na\0b,1\n", 21)), "points, line 2: binary data, not CSV text");
}

TEST(Points, a_row_may_name_its_path_precision_level_device_and_prediction) {
  const auto p = read("name,intensity,performance,predicted [GFLOP/s],path,precision,level,gpu\n"
                      "a,1,2,3,up,bf16,l2,h200\nb,1,2,,,,,\n");
  EXPECT_EQ(p[0].path, "up");
  EXPECT_EQ(p[0].precision, Precision::bf16);
  EXPECT_EQ(p[0].level, Level::l2);
  EXPECT_EQ(p[0].gpu, "h200");
  EXPECT_DOUBLE_EQ(p[0].predicted.value, 3e9);
  EXPECT_EQ(p[1].path + p[1].gpu, "");
  EXPECT_EQ(p[1].precision, std::nullopt);
  EXPECT_EQ(p[1].level, std::nullopt);
  EXPECT_TRUE(std::isnan(p[1].predicted.value));
  EXPECT_EQ(why("name,intensity,level\na,1,l3\n"),
            "points, line 2: level: unknown value 'l3'; one of dram, l2, l1, shared is expected");
  EXPECT_EQ(why("name,intensity,precision\na,1,fp31\n").substr(0, 48),
            "points, line 2: precision: unknown value 'fp31';");
  EXPECT_EQ(why("name,intensity,predicted\na,1,-3\n"), "points, line 2: predicted must be a positive number");
  EXPECT_EQ(why("name,intensity,path,path\na,1,x,y\n"),
            "points, line 1: the column 'path' stands twice in the header");
}

TEST(Points, what_to_csv_writes_from_csv_reads_back) {
  RooflinePoints points;
  points.points = {{.name = "a, \"b\"\n c ",
                    .path = " up",
                    .gpu = "h200",
                    .precision = Precision::tf32,
                    .level = Level::shared,
                    .intensity = FlopsPerByte(1.0 / 3),
                    .performance = FlopsPerSecond(2e12),
                    .low = FlopsPerSecond(1e12),
                    .high = FlopsPerSecond(3e12),
                    .predicted = FlopsPerSecond(1e-3)},
                   {.name = "", .intensity = FlopsPerByte(4)}};
  const std::string csv = points.to_csv();
  const auto again = RooflinePoints::from_csv(csv);
  ASSERT_EQ(again.points.size(), 2u);
  EXPECT_EQ(again.points[0].name, points.points[0].name);
  EXPECT_EQ(again.points[0].path, " up");
  EXPECT_EQ(again.points[0].intensity.value, 1.0 / 3) << "every digit";
  EXPECT_EQ(again.points[0].precision, Precision::tf32);
  EXPECT_EQ(again.points[0].level, Level::shared);
  EXPECT_TRUE(std::isnan(again.points[1].performance.value));
  EXPECT_EQ(again.to_csv(), csv);
}

TEST(Points, line_numbers_go_on_behind_a_quoted_line_break) {
  EXPECT_EQ(why("name,intensity\n\"a\nb\",1\nc,0\n"), "points, line 4: intensity must be a positive number");
}

TEST(Points, both_sides_of_every_limit) {
  EXPECT_EQ(why("name,intensity\n" + std::string(10'000, 'x') + ",1\n"), "no error");
  EXPECT_EQ(why("name,intensity\n" + std::string(10'001, 'x') + ",1\n"),
            "points, line 2: a cell of more than 10 000 characters");
  EXPECT_EQ(why(std::string(1002, ',') + "\n"), "points, line 1: more than 1 000 columns");
}

TEST(Points, written_out_they_read_back_the_same) {
  std::string csv = "name,intensity,performance\n";
  for (int i = 0; i < 100; ++i)
    csv += "k" + std::to_string(i) + ",0." + std::to_string(i + 1) + "," + std::to_string(i + 1) + "e9\n";
  const auto p = read(csv);
  ASSERT_EQ(p.size(), 100u);
  EXPECT_EQ(p[41].name, "k41");
  EXPECT_DOUBLE_EQ(p[41].intensity.value, 0.42);
  EXPECT_DOUBLE_EQ(p[41].performance.value, 42e9);
}

TEST(Points, no_prefix_of_a_file_does_worse_than_a_sentence) {
  const std::string whole = "\xEF\xBB\xBF# c\r\nname,\"intensity [flop/B]\",performance "
                            "(GFLOP/s),low,high\r\n\"a \"\"b\"\"\n\",1/16,2,1,3\r\n";
  for (std::size_t n = 0; n <= whole.size(); ++n) (void)why(whole.substr(0, n));
  EXPECT_EQ(why(whole), "no error");
}

} // namespace perfmodel::points_test
