#include "hwdb/template_file.hpp"

#include "hwdb/database.hpp"
#include "tests/models/error_of.hpp"

#include <filesystem>

#include <gtest/gtest.h>

namespace perfmodel::hwdb::template_file_test {

const std::string whole =
    "title: y = x\nlisting: templates\nkernel: axpy\nsizes: {n: 1024}\ngrid: \"{n / 256}\"\n"
    "block: 256\narg: [\"y={4 * n}B\", \"n={n}\"]\n";

std::string why(const std::string& text) {
  return error_of([&] { parse_template(text, "axpy.yaml", "axpy"); });
}

TEST(TemplateFile, says_what_kernel_is_asked_with) {
  const KernelTemplate read = parse_template(whole + "index: spread\n", "axpy.yaml", "axpy");
  EXPECT_EQ(read.title, "y = x");
  EXPECT_EQ(read.sizes.text(), "n=1024");
  const auto inputs = inputs_of(read, read.sizes);
  const std::vector<std::pair<std::string, std::string>> expected{
      {"kernel", "axpy"}, {"grid", "4"}, {"block", "256"}, {"arg", "y=4096B,n=1024"}, {"index", "spread"}};
  EXPECT_EQ(inputs, expected);
}

TEST(TemplateFile, grid_follows_block) {
  const Database shipped(default_folder());
  const auto grid = [&](const char* name, const char* let, Shape block) {
    const KernelTemplate one = shipped.kernel_template(name);
    return inputs_of(one, sizes_of(one, Bindings::from_text(let)), block).at(1).second;
  };
  EXPECT_EQ(grid("axpy", "n=1000000", {256}), "3907");
  EXPECT_EQ(grid("axpy", "n=1000000", {64}), "15625");
  EXPECT_EQ(grid("gemv", "rows=1000", {64}), "500"); // a warp a row
  EXPECT_EQ(grid("stencil7", "n=100", {64, 2}), "2x50x100");
  EXPECT_EQ(grid("sum", "blocks=100", {128}), "100"); // strides over the grid
}

TEST(TemplateFile, block_that_its_code_does_not_take_is_refused) {
  const Database shipped(default_folder());
  const auto why_not = [&](const char* name, Shape block) {
    const KernelTemplate one = shipped.kernel_template(name);
    return error_of([&] { inputs_of(one, one.sizes, block); });
  };
  for (const char* fixed : {"softmax", "softmax-online", "softmax-kept", "gemm"}) {
    EXPECT_EQ(why_not(fixed, {256}), "no error") << fixed;
    EXPECT_EQ(why_not(fixed, {64}),
              std::string("the block of '") + fixed + "' is a constant of its code, 256, and 64 is given");
  }
  EXPECT_EQ(why_not("transpose", {32, 4}),
            "the block of 'transpose' is a constant of its code, 32x8, and 32x4 is given");
  EXPECT_EQ(why_not("gemv", {48}), "'gemv' takes blocks of dx x dy x dz threads where dx % 32 == 0 && dy == "
                                   "1 && dz == 1, and 48 is given");
  EXPECT_EQ(why_not("gemv", {64}), "no error");
  EXPECT_EQ(why_not("sum", {512}).substr(0, 12), "'sum' takes ");
}

TEST(TemplateFile, grid_of_fewer_blocks_covers_only_where_threads_stride) {
  const Database shipped(default_folder());
  EXPECT_FALSE(covers(shipped.kernel_template("transpose"), {1}, {128, 128}));
  EXPECT_FALSE(covers(shipped.kernel_template("transpose"), {128, 127}, {128, 128}));
  EXPECT_TRUE(covers(shipped.kernel_template("transpose"), {128, 128}, {128, 128}));
  EXPECT_TRUE(covers(shipped.kernel_template("histogram"), {1}, {1024}));
}

TEST(TemplateFile, what_is_wrong_is_said_with_its_place) {
  EXPECT_EQ(why(whole + "grit: 3\n"),
            "axpy.yaml:8: the template has an unknown key 'grit' (did you mean 'grid'?)");
  EXPECT_EQ(why("title: y\n"), "axpy.yaml:1: the template has no 'listing'");
  EXPECT_EQ(why(whole + "shared: \"{m}B\"\n").substr(0, 32), "axpy.yaml: shared: in '{m}': col");
  EXPECT_EQ(why(whole + "blocks: dx > a\n").substr(0, 34), "axpy.yaml: blocks: in 'dx > a': co");
  EXPECT_EQ(why(whole + "strides: maybe\n"), "axpy.yaml: strides: true or false is expected");
  EXPECT_NE(why("title: t\nlisting: l\nkernel: k\nsizes: {n: many}\ngrid: 1\nblock: 1\narg: [n=1]\n"),
            "no error");
}

TEST(TemplateFile, every_template_has_its_listing_and_kernel) {
  const Database shipped(default_folder());
  ASSERT_GT(shipped.template_names().size(), 10u);
  for (const std::string& name : shipped.template_names()) {
    const KernelTemplate one = shipped.kernel_template(name);
    EXPECT_FALSE(one.title.empty()) << name;
    EXPECT_TRUE(std::filesystem::exists(shipped.root() / "kernels" / one.listing / "9.0.sass")) << name;
  }
  EXPECT_EQ(error_of([&] { shipped.kernel_template("axpi"); }).substr(0, 47),
            "unknown template 'axpi' (did you mean 'axpy'?);");
}

} // namespace perfmodel::hwdb::template_file_test
