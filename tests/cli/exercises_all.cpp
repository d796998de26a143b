// Every exercise, about old GPUs and new ones, with several seeds: the question and its answer come out, the
// command that it names gives that answer, and its solution ends with it.
#include "program.hpp"

#include "cli/context.hpp"
#include "cli/exercise/exercises.hpp"
#include "cli/exercise/sheet.hpp"
#include "cli/safe_stream.hpp"
#include "hwdb/exercises/exercise_file.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdlib>

namespace perfmodel::exercises_all_test {

using cli::Question;

const hwdb::Database& shipped() {
  static const hwdb::Database database(hwdb::default_folder());
  return database;
}

constexpr const char* gpus[] = {"gtx280", "m2090", "h200"}; // cc 1.3, 2.0, 9.0

// What the exercises are promised for.
constexpr const char* promised[] = {
    "balance",     "intensity",      "roofline",           "littles-law",    "occupancy",
    "coalescing",  "bank-conflicts", "divergence",         "reduction",      "transpose",
    "matmul",      "work-depth",     "memory-parallelism", "latency-hiding", "pi",
    "suffix-sums", "transfer",       "partition-camping",  "all-reduce"};

// With what was measured on it, as commands see it.
Gpu as_asked_about(const char* name) {
  std::ostringstream out;
  cli::SafeStream err(out);
  cli::Context context{.out = out, .err = err, .version = "", .commit = "", .open = &shipped()};
  return cli::devices(context, {.hw = name}).at(0);
}

std::vector<hwdb::Exercise> exercises_of(const std::string& model) {
  std::ostringstream out;
  cli::SafeStream err(out);
  cli::Context context{.out = out, .err = err, .version = "", .commit = "", .open = &shipped()};
  return cli::exercises_to_ask(context, model);
}

// Where addresses are hashed over the partitions, or nobody knows, there is no such question.
bool is_unanswerable(const std::string& model, const std::string& gpu) {
  return model == "partition-camping" && gpu != "gtx280";
}

bool is_about(const nlohmann::json& column, std::size_t row, const std::string& text) {
  const nlohmann::json& cell = column.at("values").at(row);
  return cell.is_string() ? cell.get<std::string>() == text : true; // the keys of the exercises are words
}

// The number that the command of the question prints in its row and column; NaN where there is no such row.
double number_of_command(const Question& question) {
  std::vector<std::string> ask = quoted_words(question.command);
  ask.erase(ask.begin()); // perfmodel
  const Answer a = perfmodel(ask + std::vector<std::string>{"--format", "json"});
  EXPECT_EQ(a.code, 0) << question.command << "\n" << a.err;
  if (a.code != 0) return absent;
  const nlohmann::json result = nlohmann::json::parse(a.out);
  for (const nlohmann::json& table : result.at("tables")) {
    const auto column = [&](const std::string& name) -> const nlohmann::json* {
      for (const nlohmann::json& c : table.at("columns"))
        if (c.at("name") == name) return &c;
      return nullptr;
    };
    const nlohmann::json* answers = column(question.column);
    if (answers == nullptr) continue;
    for (std::size_t row = 0; row < answers->at("values").size(); ++row)
      if (std::all_of(question.row.begin(), question.row.end(),
                      [&](const auto& key) {
                        const nlohmann::json* of = column(key.first);
                        return of != nullptr && is_about(*of, row, key.second);
                      }) &&
          answers->at("values").at(row).is_number())
        return answers->at("values").at(row).get<double>();
  }
  return absent;
}

void check(const Question& question, const hwdb::Exercise& exercise) {
  SCOPED_TRACE(question.command + "\n" + question.text);
  EXPECT_EQ(question.text.find_first_of("{}"), std::string::npos);
  EXPECT_EQ(question.text.back(), '?');
  EXPECT_TRUE(std::isfinite(question.answer));
  const double again = number_of_command(question);
  EXPECT_NEAR(question.answer, again, 1e-9 * std::abs(again));
  EXPECT_FALSE(question.steps.empty() && question.because.empty()) << "no solution";
  if (!question.steps.empty()) {
    EXPECT_NEAR(question.steps.back().value, question.answer, 1e-9 * std::abs(question.answer))
        << question.steps.back().symbol;
  }
  for (const Step& step : question.given) EXPECT_FALSE(cli::given_line(step).fact.empty());
  // What is asked for may not be given.
  for (const Step& step : question.given)
    EXPECT_TRUE(step.symbol != exercise.ask && step.symbol != exercise.step) << step.symbol;
}

void ask(const hwdb::Exercise& exercise, const Gpu& gpu, std::uint64_t seed) {
  const Model& of = model(exercise.model);
  const Gpu* about = of.info.gpu == GpuUse::none ? nullptr : &gpu;
  cli::QuestionMaker maker(of, {exercise}, about, seed), other(of, {exercise}, about, seed);
  const std::optional<Question> question = maker.next();
  ASSERT_TRUE(question) << exercise.question;
  check(*question, exercise);
  const std::optional<Question> same = other.next();
  EXPECT_EQ(cli::sheet_text({.title = "", .questions = {*question}}, cli::Parts::both, 100),
            cli::sheet_text({.title = "", .questions = {*same}}, cli::Parts::both, 100));
}

class OfModel : public testing::TestWithParam<std::string> {};

TEST_P(OfModel, every_exercise_has_the_answer_of_its_command) {
  for (const char* name : gpus) {
    if (is_unanswerable(GetParam(), name)) continue;
    const Gpu gpu = as_asked_about(name);
    for (const hwdb::Exercise& exercise : exercises_of(GetParam()))
      for (const std::uint64_t seed : {1U, 7U, 2026U}) {
        ask(exercise, gpu, seed);
        if (model(GetParam()).info.simulated) break; // a second each
      }
  }
}

// A sheet of 20 is what the help offers.
TEST_P(OfModel, has_twenty_questions) {
  const std::string gpu = GetParam() == "partition-camping" ? "gtx280" : "m2090";
  const Answer sheet =
      perfmodel({"exercise", GetParam(), "--hw", gpu, "--count", "20", "--format", "markdown"});
  EXPECT_EQ(sheet.code, 0) << sheet.err;
  EXPECT_NE(sheet.out.find("\n20. "), std::string::npos) << sheet.out << sheet.err;
}

INSTANTIATE_TEST_SUITE_P(Exercises, OfModel,
                         testing::ValuesIn(hwdb::exercise_models(hwdb::default_folder())));

TEST(Exercises, are_there_for_every_model_that_is_promised) {
  const std::vector<std::string> there = hwdb::exercise_models(shipped().root());
  for (const char* name : promised)
    EXPECT_NE(std::find(there.begin(), there.end(), name), there.end()) << name;
}

// Outside of the commands that it writes itself, LaTeX finds nothing to obey.
void check_latex(std::string page) {
  for (const char* own : {"$\\times$", "{}", "\\%", "\\&", "\\#", "\\_", "\\$", "\\{", "\\}"})
    for (std::size_t at = page.find(own); at != std::string::npos; at = page.find(own, at))
      page.erase(at, std::string(own).size());
  EXPECT_EQ(page.find_first_of("%&#_$^~<>|\""), std::string::npos)
      << page.substr(page.find_first_of("%&#_$^~<>|\"") - 40, 80);
  int open = 0;
  for (const char c : page) {
    open += c == '{' ? 1 : c == '}' ? -1 : 0;
    ASSERT_GE(open, 0);
  }
  EXPECT_EQ(open, 0);
}

TEST(Exercises, are_set_by_latex) {
  const Scratch scratch;
  for (const char* part : {"", "--answer", "--key"}) {
    const Answer a = perfmodel(words("exercise all --hw m2090 --count 60 --format latex") + words(part));
    ASSERT_EQ(a.code, 0) << a.err;
    check_latex(a.out);
    if (std::system("command -v pdflatex > /dev/null") != 0) continue; // the check above has to do
    write(scratch / "sheet.tex", a.out);
    EXPECT_EQ(std::system(("cd " + scratch.path() + " && pdflatex -halt-on-error sheet.tex > log").c_str()),
              0)
        << contents(scratch / "log");
  }
}

} // namespace perfmodel::exercises_all_test
