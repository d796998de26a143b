// Every model has a page and every page of docs/models a model, with the formula, the source and the promise
// that the program states, and with what a reader looks for on each.
#include "page.hpp"

#include "models/core/model.hpp"
#include "models/core/quantity_text.hpp"

#include <gtest/gtest.h>

namespace perfmodel::docs::models_test {

TEST(ModelPages, are_one_for_each_model) {
  Lines pages, expected;
  for (const auto& entry : fs::directory_iterator(tree / "docs" / "models"))
    pages.push_back(entry.path().stem().string());
  for (const Model& model : models()) expected.emplace_back(model.info.name);
  std::sort(pages.begin(), pages.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(pages, expected);
}

TEST(ModelPages, state_the_formula_the_source_and_the_promised_error_of_the_program) {
  for (const Model& model : models()) {
    const std::string name = "docs/models/" + std::string(model.info.name) + ".md";
    const Lines page = lines_of(read(tree / name));
    const auto has = [&](const std::string& line) {
      return std::find(page.begin(), page.end(), line) != page.end();
    };
    EXPECT_TRUE(has(std::string(model.info.equation))) << name << ": " << model.info.equation;
    EXPECT_TRUE(has("Source: " + std::string(model.info.source)))
        << name << ": Source: " << model.info.source;
    const std::string promise =
        "Promised error: at most " + format_quantity(model.info.tolerance, {"fraction", {}}, Prefix::none, 3);
    EXPECT_TRUE(std::any_of(page.begin(), page.end(),
                            [&](const std::string& line) { return line.rfind(promise, 0) == 0; }))
        << name << ": " << promise;
    EXPECT_GE(commands_of(name).size(), 1U) << name << " shows no answer";
  }
}

// What a reader finds on every page, whatever else is there: symbols with units, a case worked by hand, where
// the model holds, how far it is off, and where to go from here.
TEST(ModelPages, have_symbols_a_case_by_hand_validity_errors_and_neighbours) {
  for (const Model& model : models()) {
    const std::string name = "docs/models/" + std::string(model.info.name) + ".md";
    const Lines page = lines_of(read(tree / name));
    for (const char* start : {"| symbol | meaning | unit |", "## By hand", "## Where it holds",
                              "## How good it is", "## See also"}) {
      const auto begins = [&](const std::string& line) { return line.rfind(start, 0) == 0; };
      EXPECT_TRUE(std::any_of(page.begin(), page.end(), begins)) << name << " lacks " << start;
    }
    const auto neighbours = std::find(page.begin(), page.end(), "## See also");
    EXPECT_TRUE(std::any_of(neighbours, page.end(),
                            [](const std::string& line) {
                              return line.find(".md)") != std::string::npos ||
                                     line.find(".md#") != std::string::npos;
                            }))
        << name << " leads to no other page";
  }
}

} // namespace perfmodel::docs::models_test
