// -o: the format by the extension, and pictures. What becomes of the file is in file_kept_whole.cpp.
#include "balance_into.hpp"

#include "hwdb/result_file.hpp"

#include <gtest/gtest.h>

namespace perfmodel::output_file_test {

TEST(OutputFile, the_extension_picks_the_format) {
  const Scratch scratch;
  for (const auto& [file, format] :
       {std::pair{"a.txt", "text"}, {"a.json", "json"}, {"a.csv", "csv"}, {"a.md", "markdown"}}) {
    const Answer a = balance_into(scratch / file);
    EXPECT_EQ(a.code, 0) << a.err;
    EXPECT_EQ(a.out, "") << "the answer is in the file";
    EXPECT_EQ(a.err, "");
    EXPECT_EQ(contents(scratch / file), perfmodel({"balance", "--hw", "m2090", "--format", format}).out)
        << file;
  }
}

TEST(OutputFile, a_format_that_contradicts_the_extension_is_refused) {
  const Scratch scratch;
  for (const auto& [file, format] :
       {std::pair{"a.json", "csv"}, {"a.csv", "text"}, {"a.md", "json"}, {"a.tex", "markdown"}}) {
    const Answer a = balance_into(scratch / file, {"--format", format});
    EXPECT_EQ(a.code, 2) << file;
    EXPECT_TRUE(one_sentence(a.err)) << a.err;
    EXPECT_NE(a.err.find(std::string("--format says ") + format), std::string::npos) << a.err;
  }
  EXPECT_EQ(scratch.files(), std::vector<std::string>{});
  EXPECT_EQ(balance_into(scratch / "a.md", {"--format", "markdown"}).code, 0) << "twice the same";
}

TEST(OutputFile, a_format_may_go_into_txt_and_into_what_says_none) {
  const Scratch scratch;
  EXPECT_EQ(balance_into(scratch / "a.txt", {"--format", "csv"}).code, 0);
  EXPECT_NE(contents(scratch / "a.txt").find("\ngpu,"), std::string::npos);
  EXPECT_EQ(balance_into(scratch / "no-extension", {"--format", "json"}).code, 0);
  EXPECT_EQ(contents(scratch / "no-extension").front(), '{');
}

TEST(OutputFile, an_extension_that_says_no_format_is_refused) {
  const Scratch scratch;
  for (const char* file : {"a", "a.", "a.doc", ".csv", "a.csv.gz", "a.JSON "}) {
    const Answer a = balance_into(scratch / file);
    EXPECT_EQ(a.code, 2) << file;
    EXPECT_TRUE(one_sentence(a.err)) << a.err;
  }
  EXPECT_EQ(scratch.files(), std::vector<std::string>{});
}

TEST(OutputFile, a_picture_is_a_picture) {
  const Scratch scratch;
  for (const char* file : {"a.svg", "a.html"}) {
    const Answer a = perfmodel({"roofline", "--hw", "m2090", "-o", scratch / file});
    EXPECT_EQ(a.code, 0) << a.err;
    EXPECT_EQ(a.out, "");
    EXPECT_NE(contents(scratch / file).find("<svg"), std::string::npos) << file;
  }
}

TEST(OutputFile, a_chart_column_that_is_not_there_is_refused_and_nothing_written) {
  const Scratch scratch;
  for (const char* option : {"--chart-x", "--chart-y", "--chart-series"}) {
    const Answer a = perfmodel({"balance", "--hw", "m2090", option, "nonsense", "-o", scratch / "a.svg"});
    EXPECT_EQ(a.code, 2) << option << a.err;
    EXPECT_TRUE(one_sentence(a.err)) << a.err;
    EXPECT_NE(a.err.find("nonsense"), std::string::npos) << a.err;
  }
  EXPECT_EQ(scratch.files(), std::vector<std::string>{});
}

// Their order is the caller's: a line from one to the next would say that there is something between them.
TEST(OutputFile, gpus_along_an_axis_are_bars) {
  const Scratch scratch;
  const Answer a = perfmodel({"balance", "--hw", "m2090,v100,h200", "--precision", "fp32", "--basis", "spec",
                              "--chart-x", "gpu", "-o", scratch / "a.svg"});
  EXPECT_EQ(a.code, 0) << a.err;
  const std::string svg = contents(scratch / "a.svg");
  EXPECT_EQ(svg.find("<polyline"), std::string::npos);
  EXPECT_NE(svg.find(">17.4<"), std::string::npos); // 15.67 Tflop/s over 898.6 GB/s, above its bar
}

TEST(OutputFile, a_chart_column_without_a_picture_is_refused) {
  for (const char* option : {"--chart-x", "--chart-y", "--chart-series"}) {
    const Answer a = perfmodel({"occupancy", "--hw", "m2090", option, "nonsense"});
    EXPECT_EQ(a.code, 2) << option;
    EXPECT_EQ(a.out, "") << option;
    EXPECT_TRUE(one_sentence(a.err)) << a.err;
    EXPECT_NE(a.err.find(std::string(option) + " is of a picture"), std::string::npos) << a.err;
  }
}

TEST(OutputFile, several_columns_of_one_unit_share_an_axis) {
  const Scratch scratch;
  const Answer both =
      perfmodel({"energy", "--hw", "h200", "--chart-y", "of_peak,arch_line", "-o", scratch / "a.svg"});
  EXPECT_EQ(both.code, 0) << both.err;
  for (const char* name : {">of peak<", ">arch line<"})
    EXPECT_NE(contents(scratch / "a.svg").find(name), std::string::npos) << name;
  for (const char* wrong : {"power,clock", "of_peak,nonsense", "of_peak,", ","}) {
    const Answer a = perfmodel({"energy", "--hw", "h200", "--chart-y", wrong, "-o", scratch / "b.svg"});
    EXPECT_EQ(a.code, 2) << wrong;
    EXPECT_TRUE(one_sentence(a.err)) << a.err;
  }
  EXPECT_EQ(scratch.files(), std::vector<std::string>{"a.svg"});
}

TEST(OutputFile, a_plot_does_not_mix_with_data_on_stdout) {
  for (const char* format : {"json", "csv", "markdown"}) {
    const Answer a = perfmodel({"roofline", "--hw", "m2090", "--plot", "--format", format});
    EXPECT_EQ(a.code, 2);
    EXPECT_EQ(a.out, "");
    EXPECT_TRUE(one_sentence(a.err)) << a.err;
  }
  const Scratch scratch;
  const Answer a = perfmodel({"roofline", "--hw", "m2090", "--plot", "-o", scratch / "a.json"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_NE(a.out, "") << "the plot";
  EXPECT_NO_THROW(hwdb::record_from_json(contents(scratch / "a.json"), "a.json"));
}

// As POSIX orders them: LC_ALL, LC_CTYPE, LANG; the first that is set and not empty.
TEST(OutputFile, a_plot_is_plain_text_unless_the_locale_is_one_of_utf8) {
  struct Case {
    std::vector<std::pair<const char*, const char*>> set;
    bool utf8;
  };
  std::vector<std::pair<const char*, std::string>> before;
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (const char* value = std::getenv(name)) before.emplace_back(name, value);
  for (const Case& c : std::vector<Case>{{{}, false},
                                         {{{"LANG", "C.UTF-8"}}, true},
                                         {{{"LANG", "de_DE.utf8"}, {"LC_ALL", ""}}, true},
                                         {{{"LANG", "en_US.UTF-8"}, {"LC_ALL", "C"}}, false},
                                         {{{"LANG", "C"}, {"LC_CTYPE", "en_US.UTF-8"}}, true},
                                         {{{"LC_CTYPE", "en_US.UTF-8"}, {"LC_ALL", "POSIX"}}, false},
                                         {{{"LANG", "de_DE.ISO-8859-1"}}, false}}) {
    for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) unsetenv(name);
    for (const auto& [name, value] : c.set) setenv(name, value, 1);
    const Scratch scratch;
    const Answer a = perfmodel({"roofline", "--hw", "m2090", "--plot", "-o", scratch / "a.json"});
    EXPECT_EQ(a.code, 0) << a.err;
    const bool ascii =
        std::all_of(a.out.begin(), a.out.end(), [](unsigned char byte) { return byte < 0x80; });
    EXPECT_EQ(ascii, !c.utf8) << a.out;
    EXPECT_NE(a.out.find("Roofline of m2090"), std::string::npos);
  }
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) unsetenv(name);
  for (const auto& [name, value] : before) setenv(name, value.c_str(), 1);
}

TEST(OutputFile, a_picture_that_leaves_precisions_out_says_so) {
  const Scratch scratch;
  const auto said = [&](const char* hw, const char* precision, const char* file) {
    const Answer a = perfmodel({"roofline", "--hw", hw, "--precision", precision, "-o", scratch / file});
    EXPECT_EQ(a.code, 0) << a.err;
    return a.err;
  };
  EXPECT_TRUE(one_sentence(said("m2090,h200", "fp32,fp64", "a.svg")));
  EXPECT_NE(contents(scratch / "a.svg").find("Roofline of m2090, h200, fp32"), std::string::npos);
  EXPECT_EQ(said("m2090,h200", "fp64", "b.svg"), "");
  EXPECT_EQ(said("h200", "fp32,fp64", "c.svg"), "") << "one device shows all its rates";
  EXPECT_EQ(said("m2090,h200", "fp32,fp64", "d.csv").find("the picture"), std::string::npos) << "no picture";
}

} // namespace perfmodel::output_file_test
