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

TEST(TemplateFile, what_is_wrong_is_said_with_its_place) {
  EXPECT_EQ(why(whole + "grit: 3\n"),
            "axpy.yaml:8: the template has an unknown key 'grit' (did you mean 'grid'?)");
  EXPECT_EQ(why("title: y\n"), "axpy.yaml:1: the template has no 'listing'");
  EXPECT_EQ(why(whole + "shared: \"{m}B\"\n").substr(0, 32), "axpy.yaml: shared: in '{m}': col");
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
