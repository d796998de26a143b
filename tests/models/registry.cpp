// What holds for every model on every GPU of the database.
#include "models/bounds/points.hpp"
#include "models/core/facts.hpp"
#include "models/core/quantity_text.hpp"
#include "tests/models/ask.hpp"
#include "tests/models/error_of.hpp"
#include "tests/models/roofs.hpp"
#include "tests/small_problem.hpp"

#include <cmath>
#include <filesystem>
#include <set>
#include <utility>

#include <gtest/gtest.h>

namespace perfmodel::registry_test {

std::string snake(std::string name) {
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

bool is_option(const Model& m, const std::string& name) { return m.find(name) != nullptr; }

TEST(EveryModel, says_what_it_is_where_it_comes_from_and_how_to_read_it) {
  std::set<std::string_view> seen;
  for (const Model& m : models()) {
    EXPECT_TRUE(seen.insert(m.info.name).second) << m.info.name << " stands twice in the registry";
    EXPECT_FALSE(m.info.name.empty() || m.info.summary.empty() || m.info.equation.empty() ||
                 m.info.source.empty() || m.info.reading.empty() || m.info.examples.empty())
        << m.info.name;
    EXPECT_EQ(m.info.reading.back(), '.') << m.info.name;
    EXPECT_GT(m.info.tolerance, 0) << m.info.name;
    EXPECT_LT(m.info.tolerance, 1) << m.info.name;
  }
}

TEST(EveryModel, has_the_name_of_its_file) {
  std::set<std::string> headers;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(PERFMODEL_SOURCE_DIR "/models"))
    if (entry.path().extension() == ".hpp") headers.insert(entry.path().stem().string());
  for (const Model& m : models()) EXPECT_TRUE(headers.count(snake(std::string(m.info.name)))) << m.info.name;
}

TEST(EveryModel, declares_options_of_one_name_with_help_and_a_default_that_reads_back) {
  for (const Model& m : models()) {
    std::set<std::string> seen;
    for (const Option& o : m.options) {
      EXPECT_TRUE(seen.insert(o.name).second) << m.info.name << " --" << o.name;
      EXPECT_FALSE(o.help.empty()) << m.info.name << " --" << o.name;
      if (o.kind == OptionKind::choice) {
        EXPECT_FALSE(o.choices.empty()) << m.info.name << " --" << o.name;
      }
      if (!o.default_text.empty() && o.kind != OptionKind::text && o.kind != OptionKind::file) {
        EXPECT_EQ(error_of([&] { parse_values(o, o.default_text); }), "no error")
            << m.info.name << " --" << o.name;
      }
    }
  }
}

// The default, every choice of every option alone, of small problems, and the kernel options that belong
// together.
std::vector<Words> questions(const Model& m) {
  std::vector<Words> all{{}};
  for (const Option& o : m.options)
    for (const std::string& choice : o.choices) {
      all.push_back({{o.name, choice}});
      for (const auto& [size, text] : small_problem(m)) all.back().emplace_back(size, text);
      if (o.name == "else") all.back().emplace_back("if", "lane < 16");
    }
  if (is_option(m, "intensity")) all.push_back({{"intensity", "1/16:256:*2"}});
  if (is_option(m, "flops") && is_option(m, "time"))
    all.push_back({{"flops", "1e12"}, {"bytes", "1e9"}, {"time", "1s"}});
  return all;
}

// The first of them that has the facts, and its answer to a small problem: of energies few GPUs have any.
std::pair<Gpu, Result> one_that_answers(const Model& m, std::initializer_list<const char*> names) {
  for (const char* name : names) try {
      return {gpu_named(name), ask(m.info.name, gpu_named(name), small_problem(m))};
    } catch (const InputError&) {
    }
  throw std::runtime_error("none of these GPUs answers " + std::string(m.info.name));
}

bool names_what_is_missing(const std::string& sentence) {
  for (const KeyInfo& key : all_keys())
    if (sentence.find("has no fact '" + std::string(key.path) + "'") != std::string::npos ||
        sentence.find("has no units for '" + std::string(key.path) + "'") != std::string::npos)
      return true;
  // Or the option that this one goes with, or that such a GPU runs no CUDA code.
  return sentence.find(" has no rate for ") != std::string::npos || sentence.ends_with(" says which") ||
         sentence.find(" does not run") != std::string::npos;
}

void expect_sound(const Model& m, const Result& r, const std::string& what) {
  for (const Table& t : r.tables) {
    EXPECT_FALSE(t.title.empty()) << what;
    EXPECT_EQ(t.columns.front().name == "gpu", m.info.gpu != GpuUse::none) << what;
    std::set<std::string> seen;
    for (const Column& c : t.columns) {
      EXPECT_TRUE(seen.insert(c.name).second) << what << ": column " << c.name << " stands twice";
      EXPECT_EQ(c.size(), t.rows()) << what << ": " << c.name;
      if (c.is_text()) continue;
      if (c.role == Role::key) {
        EXPECT_TRUE(is_option(m, c.name) || find_key(c.name) != nullptr)
            << what << ": key " << c.name << " is no input";
      }
      if (c.unit.dimension == Dimension{}) continue;
      const ParsedQuantity q = parse_quantity("1 " + c.unit.symbol);
      EXPECT_TRUE(q.dimension == c.unit.dimension && q.value == 1)
          << what << ": " << c.name << " is in " << c.unit.symbol;
      for (std::size_t row = 0; row < t.rows(); ++row)
        EXPECT_TRUE(!(c.number(row) <= 0) && !std::isinf(c.number(row)))
            << what << ": " << c.name << " = " << c.number(row);
    }
  }
}

// What a cell may be called in a sentence: with its unit, integer rates in op, counts also by themselves.
std::vector<std::string> spellings(const Column& column, std::size_t row) {
  const double value = column.number(row);
  std::vector<std::string> all{format_quantity(value, column.unit),
                               format_quantity(value, as_operations(column.unit))};
  if (column.unit.dimension == Dimension{} && column.unit.symbol != "fraction")
    all.push_back(format_quantity(value, {}));
  if (column.unit.symbol == "cycle") all.push_back(format_quantity(value, {"cycles", {}}));
  return all;
}

bool stands_alone(const std::string& sentence, const std::string& number) {
  const auto digit = [&](std::size_t at) {
    return at < sentence.size() && sentence[at] >= '0' && sentence[at] <= '9';
  };
  for (std::size_t at = sentence.find(number); at != std::string::npos; at = sentence.find(number, at + 1)) {
    const std::size_t end = at + number.size();
    const bool within = (at > 0 && (digit(at - 1) || sentence[at - 1] == '.')) || digit(end) ||
                        (end < sentence.size() && sentence[end] == '.' && digit(end + 1));
    if (!within) return true;
  }
  return false;
}

bool has_a_number_of(const Result& r, const std::string& sentence) {
  for (const Table& t : r.tables)
    for (const Column& c : t.columns)
      for (std::size_t row = 0; !c.is_text() && row < t.rows(); ++row)
        if (!std::isnan(c.number(row)))
          for (const std::string& number : spellings(c, row))
            if (stands_alone(sentence, number)) return true;
  return false;
}

// One or two sentences that a person could have written, made of the tables below them.
void expect_verdict(const Result& r, const std::string& what) {
  EXPECT_FALSE(r.verdict.empty()) << what;
  for (const std::string& verdict : r.verdict) {
    EXPECT_EQ(verdict.back(), '.') << what << ": " << verdict;
    EXPECT_LE(verdict.size(), 220u) << what << ": " << verdict;
    std::size_t sentences = 1;
    for (std::size_t at = verdict.find(". "); at != std::string::npos; at = verdict.find(". ", at + 1))
      ++sentences;
    EXPECT_LE(sentences, 2u) << what << ": " << verdict;
    for (const char* hole : {"nan", "inf ", "inf.", " - ", " -,", " -.", " -:", "  ", " ,", "..", "()"})
      EXPECT_EQ(verdict.find(hole), std::string::npos) << what << ": '" << hole << "' in " << verdict;
    EXPECT_TRUE(has_a_number_of(r, verdict)) << what << ": no number of the tables in " << verdict;
  }
}

TEST(EveryModel, answers_on_every_gpu_or_names_the_fact_that_is_missing) {
  std::size_t turn = 0;
  for (const Gpu& gpu : every_gpu())
    for (const Model& m : models())
      for (Words options : questions(m)) {
        const bool by_default = options.empty();
        // What takes long at its default size on every sixth GPU, in turns, and on the others a small
        // problem.
        if (by_default && takes_long(m) && ++turn % 6 != 0) options = small_problem(m);
        const std::string what = gpu.name + ", " + std::string(m.info.name) +
                                 (options.empty() ? "" : " --" + options[0].first + " " + options[0].second);
        try {
          const Result result = ask(m.info.name, gpu, options);
          expect_sound(m, result, what);
          expect_verdict(result, what);
          if (by_default) roofs::expect_beats_none(m, gpu, result);
        } catch (
            const LaunchError& e) { // a version that this GPU cannot run, or a view of what is not simulated
          EXPECT_TRUE(m.info.simulated && !by_default &&
                      (options[0].first == "version" || options[0].first == "view"))
              << what << ": " << e.what();
        } catch (const InputError& e) {
          EXPECT_TRUE(names_what_is_missing(e.what())) << what << ": " << e.what();
        }
      }
}

TEST(EveryModel, says_which_fact_an_empty_gpu_lacks) {
  const Gpu bare{.name = "bare", .file = "bare.yaml"};
  for (const Model& m : models())
    for (const Words& options : m.info.gpu == GpuUse::needed ? questions(m) : std::vector<Words>{}) {
      const std::string sentence = error_of([&] { ask(m.info.name, bare, options); });
      if (options.empty() || options[0].first != "points") {
        EXPECT_TRUE(sentence.find("bare") != std::string::npos || names_what_is_missing(sentence))
            << m.info.name << ": " << sentence;
      }
    }
}

TEST(EveryModel, charts_columns_that_its_tables_have) {
  for (const Model& m : models()) {
    if (m.info.chart == ChartKind::none || m.info.chart == ChartKind::roofline) continue;
    if (m.info.chart == ChartKind::diagram) continue; // of tables, not of columns
    const Result r = one_that_answers(m, {"h200", "h100-sxm"}).second;
    bool found = false;
    for (const Table& t : r.tables)
      found =
          found || (t.find(m.info.x) && t.find(m.info.y) && (m.info.series.empty() || t.find(m.info.series)));
    EXPECT_TRUE(found) << m.info.name << ": " << m.info.x << ", " << m.info.y << ", " << m.info.series;
  }
}

TEST(EveryModel, gives_the_same_answer_twice) {
  for (const Model& m : models()) {
    const auto [gpu, a] = one_that_answers(m, {"m2090", "h100-sxm"});
    const Result b = ask(m.info.name, gpu, small_problem(m));
    ASSERT_EQ(a.tables.size(), b.tables.size());
    for (std::size_t t = 0; t < a.tables.size(); ++t)
      for (std::size_t c = 0; c < a.tables[t].columns.size(); ++c)
        for (std::size_t row = 0; row < a.tables[t].rows(); ++row)
          EXPECT_EQ(a.tables[t].columns[c].text(row), b.tables[t].columns[c].text(row));
  }
}

} // namespace perfmodel::registry_test
