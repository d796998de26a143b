// What `exercise` asks and answers; exercises_all.cpp asks every exercise.
#include "program.hpp"

#include "cli/exercise/drawn.hpp"
#include "cli/exercise/learner.hpp"
#include "cli/exercise/needed_steps.hpp"
#include "cli/exercise/seeded.hpp"
#include "cli/exercise/sheet.hpp"
#include "cli/latex_text.hpp"

#include <gtest/gtest.h>

#include <pty.h>
#include <sys/wait.h>

#include <iostream>

namespace perfmodel::exercise_test {

using cli::Question;

const hwdb::Database& shipped() {
  static const hwdb::Database database(hwdb::default_folder());
  return database;
}

// Little's law with two FMAs a thread.
hwdb::Exercise two_chains() {
  return {.model = "littles-law",
          .ask = "threads",
          .question = "{ilp:FMAs} on {gpu}?",
          .draw = {{"ilp", {{.text = "2", .words = ""}}}},
          .row = {{"precision", {{.text = "fp32", .words = ""}}}},
          .step = "threads",
          .given = {},
          .because = {"{in_flight} over 2 are {answer}"}};
}

Question asked(const hwdb::Exercise& exercise, const std::string& gpu) {
  const Gpu there = shipped().completed(shipped().gpu(gpu));
  cli::QuestionMaker maker(model(exercise.model), {exercise}, &there, 1);
  return maker.next().value();
}

Step step(const std::string& symbol, const std::string& formula) {
  return {.symbol = symbol, .meaning = "", .formula = formula};
}

// Latency and bandwidth are given: no GPU has a part in it.
TEST(Exercise, a_gpu_whose_numbers_are_not_in_the_question_is_not_named) {
  const Answer without = perfmodel(words("exercise all-reduce --count 3 --answer"));
  const Answer with = perfmodel(words("exercise all-reduce --count 3 --answer --hw h200"));
  EXPECT_EQ(with.code, 0) << with.err;
  EXPECT_EQ(with.out, without.out);
  EXPECT_EQ(with.out.find("h200"), std::string::npos) << with.out;
  EXPECT_EQ(with.err, "no question has a number of a GPU: --hw h200 makes no difference\n");
}

TEST(Exercise, a_gpu_about_which_nothing_can_be_asked_is_told_why_and_which_can) {
  for (const char* gpu : {"h200", "m2090", "k40", "apple-m1"}) {
    const Answer a = perfmodel({"exercise", "partition-camping", "--hw", gpu, "--count", "5"});
    EXPECT_EQ(a.code, 2) << gpu;
    EXPECT_EQ(a.out, "") << gpu;
    EXPECT_TRUE(one_sentence(a.err)) << a.err;
    EXPECT_NE(a.err.find("exercise partition-camping --hw gtx280"), std::string::npos) << a.err;
  }
  EXPECT_EQ(perfmodel(words("exercise partition-camping --hw gtx280 --count 5")).code, 0);
  const Answer all = perfmodel(words("exercise all --hw h200 --count 60"));
  EXPECT_EQ(all.code, 0);
  EXPECT_NE(all.err.find("no exercise of partition-camping can be asked about h200"), std::string::npos)
      << all.err;
}

// The first numbers of SplitMix64 with the seed 1234567, as its authors' C program prints them.
TEST(Exercise, a_fact_that_a_refusal_asks_for_can_be_given) {
  const Answer refused = perfmodel(words("exercise bank-conflicts --hw apple-m1"));
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("give --set shared.banks=VALUE"), std::string::npos) << refused.err;
  const Answer a = perfmodel(words("exercise littles-law --hw m2090 --set clock=1GHz --count 2"));
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_NE(a.out.find("m2090, clock=1GHz, seed 1"), std::string::npos) << a.out;
  EXPECT_NE(a.out, perfmodel(words("exercise littles-law --hw m2090 --count 2")).out);
  EXPECT_NE(perfmodel(words("exercise littles-law --set clock=1GHz")).err.find("name the GPU with --hw"),
            std::string::npos);
}

TEST(Seeded, draws_the_same_numbers_on_every_machine) {
  constexpr std::size_t half = std::size_t{1} << 63U;
  cli::Seeded seeded(1234567);
  EXPECT_EQ(seeded.below(half), 6457827717110365317U);
  EXPECT_EQ(seeded.below(half), 3203168211198807973U);
  EXPECT_EQ(seeded.below(half), 9817491932198370423U - half);
}

// The prompt says in which unit a bare number counts.
TEST(Learner, a_bare_number_is_in_the_unit_of_the_prompt) {
  Question share{.unit = {"fraction", {}}}, threads{.unit = {"threads", {}}};
  EXPECT_DOUBLE_EQ(cli::prediction_in("4.72", share), 0.0472);
  EXPECT_DOUBLE_EQ(cli::prediction_in(" 4.72 % ", share), 0.0472);
  EXPECT_DOUBLE_EQ(cli::prediction_in("80", threads), 80);
  EXPECT_DOUBLE_EQ(cli::prediction_in("80 threads", threads), 80);
  EXPECT_EQ(error_of([&] { cli::prediction_in("80warps", threads); }), "threads are asked for, not warps");
}

TEST(NeededSteps, are_those_that_lead_to_a_symbol) {
  const Derivation derivation{.title = "gpu",
                              .steps = {step("n", ""), step("n(in)", ""), step("beta", ""), step("k", ""),
                                        step("T", ""), step("T(in)", "n(in) / beta + k(out)"),
                                        step("all", "2 x T(in)"), step("later", "all x T")}};
  std::vector<std::string> symbols;
  for (const Step& s : cli::needed_steps(derivation, "all")) symbols.push_back(s.symbol);
  EXPECT_EQ(symbols, (std::vector<std::string>{"n(in)", "beta", "T(in)", "all"}))
      << "n is no part of n(in), nor k of k(out), nor T of T(in)";
  EXPECT_TRUE(cli::needed_steps(derivation, "none").empty());
}

// Vuduc 2014, slide 29: 20 cycles x 32 lanes = 640 operations of an M2090's SM, here 2 in each thread.
TEST(Question, has_the_answer_and_the_steps_of_the_model) {
  const Question question = asked(two_chains(), "m2090");
  EXPECT_EQ(question.text, "2 FMAs on NVIDIA Tesla M2090?");
  EXPECT_EQ(question.answer, 320);
  EXPECT_EQ(question.because, std::vector<std::string>{"640 over 2 are 320 threads"});
  EXPECT_EQ(question.command, "perfmodel littles-law --hw m2090 --ilp 2 --explain");
  std::vector<std::string> given;
  for (const Step& s : question.given) given.push_back(s.symbol);
  EXPECT_EQ(given, (std::vector<std::string>{"fma.latency", "throughput.fp32_fma"}))
      << "the memory's latency is a fact of the same answer, and not needed";
  EXPECT_EQ(question.steps.back().symbol, "threads");
}

TEST(Question, of_a_gpu_without_such_an_answer_is_refused) {
  const Answer a = perfmodel(words("exercise partition-camping --hw h200"));
  EXPECT_EQ(a.code, 2);
  EXPECT_TRUE(one_sentence(a.err)) << a.err;
  EXPECT_TRUE(a.out.empty()) << a.out;
}

TEST(Learner, is_right_within_a_tenth_and_near_within_a_factor_of_two) {
  const Question question = asked(two_chains(), "m2090"); // 320 threads
  const auto verdict = [&](double prediction) {
    const std::string said = cli::judged(question, prediction);
    return said.substr(0, said.find(':'));
  };
  EXPECT_EQ(verdict(320), "Right");
  EXPECT_EQ(verdict(352), "Right");
  EXPECT_EQ(verdict(288), "Right");
  EXPECT_EQ(verdict(353), "Near");
  EXPECT_EQ(verdict(287), "Near");
  EXPECT_EQ(verdict(640), "Near");
  EXPECT_EQ(verdict(160), "Near");
  EXPECT_EQ(verdict(641), "Not yet");
  EXPECT_EQ(verdict(159), "Not yet");
  EXPECT_EQ(verdict(0), "Not yet");
  EXPECT_EQ(verdict(-320), "Not yet");
  EXPECT_EQ(cli::judged(question, 400), "Near: 320 threads; yours, 400 threads, is 25 % above.");
  EXPECT_EQ(cli::judged(question, 3200), "Not yet: 320 threads; yours, 3200 threads, is 10 times too large.");
}

TEST(Learner, may_type_the_unit_and_is_asked_again_after_a_slip) {
  const Question question = asked(two_chains(), "m2090");
  EXPECT_EQ(cli::prediction_in(" 320 threads", question), 320);
  std::istringstream in("320 GB/s\n0.32k\n");
  std::ostringstream out;
  cli::ask_learner(in, out, question);
  EXPECT_EQ(lines_of(out.str()).size(), 2U) << out.str();
  EXPECT_NE(out.str().find("Right: 320 threads."), std::string::npos) << out.str();
  std::istringstream nothing("\n");
  std::ostringstream silent;
  cli::ask_learner(nothing, silent, question);
  EXPECT_EQ(silent.str(), "your prediction [threads]: ");
}

// On a terminal of its own: nothing of the answer stands there before the prediction is typed.
TEST(Exercise, waits_on_a_terminal_for_the_prediction) {
  int terminal = -1;
  const pid_t child = ::forkpty(&terminal, nullptr, nullptr, nullptr);
  ASSERT_GE(child, 0);
  if (child == 0) {
    const int code =
        cli::run(words("exercise littles-law --hw m2090 --seed 7"), std::cout, std::cerr, {}, &shipped());
    std::cout.flush();
    ::_exit(code);
  }
  std::string shown;
  const auto read_on = [&](const std::string& until) {
    char piece[512];
    while (until.empty() || shown.find(until) == std::string::npos) {
      const ssize_t count = ::read(terminal, piece, sizeof piece);
      if (count <= 0) return; // the other end is closed
      shown.append(piece, static_cast<std::size_t>(count));
    }
  };
  read_on("your prediction");
  EXPECT_EQ(shown.find("answer:"), std::string::npos) << shown;
  ASSERT_EQ(::write(terminal, "1\n", 2), 2);
  read_on("");
  ::close(terminal);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_NE(shown.find("Not yet: "), std::string::npos) << shown;
  EXPECT_NE(shown.find("answer:"), std::string::npos) << shown;
}

TEST(Exercise, asks_only_where_nobody_can_type) {
  const Answer question = perfmodel(words("exercise littles-law --hw m2090 --seed 7"));
  EXPECT_EQ(question.code, 0) << question.err;
  EXPECT_EQ(question.out.find("answer:"), std::string::npos) << question.out;
  const Answer both = perfmodel(words("exercise littles-law --hw m2090 --seed 7 --answer"));
  EXPECT_EQ(both.out.substr(0, question.out.size()), question.out);
  EXPECT_NE(both.out.find("answer:"), std::string::npos) << both.out;
}

TEST(Exercise, asks_the_same_of_the_same_seed_and_something_else_of_others) {
  std::set<std::string> texts;
  for (const char* seed : {"1", "2", "3", "4", "5", "6", "7", "8"}) {
    const std::vector<std::string> ask = {"exercise", "occupancy", "--hw", "h200", "--seed", seed};
    const std::string text = perfmodel(ask).out;
    EXPECT_EQ(text, perfmodel(ask).out);
    texts.insert(text);
  }
  EXPECT_GT(texts.size(), 5U);
}

TEST(Exercise, makes_a_sheet_of_different_questions_and_its_key) {
  const Answer sheet = perfmodel(words("exercise all --hw m2090 --count 40 --format markdown"));
  const Answer key = perfmodel(words("exercise all --hw m2090 --count 40 --format markdown --key"));
  EXPECT_EQ(sheet.code, 0) << sheet.err;
  std::set<std::string> questions;
  int solutions = 0;
  for (const std::string& line : lines_of(sheet.out))
    if (!line.empty() && line.front() >= '1' && line.front() <= '9')
      questions.insert(line.substr(line.find(' ')));
  for (const std::string& line : lines_of(key.out))
    if (line.find("**") != std::string::npos) ++solutions;
  EXPECT_EQ(questions.size(), 40U) << sheet.out;
  EXPECT_EQ(solutions, 40) << key.out;
  EXPECT_EQ(sheet.out.find("**"), std::string::npos) << "an answer on the sheet";
}

TEST(Exercise, says_when_there_are_no_more_questions) {
  const Answer sheet = perfmodel(words("exercise operand-bandwidth --hw m2090 --count 20"));
  EXPECT_EQ(sheet.code, 0);
  EXPECT_EQ(sheet.err, "there are only 4 different questions\n"); // two columns, two levels
}

TEST(Exercise, refuses_bad_input_with_one_sentence) {
  const auto why = [](const char* line) {
    const Answer a = perfmodel(words(line));
    EXPECT_EQ(a.code, 2) << line << a.out;
    EXPECT_TRUE(one_sentence(a.err)) << a.err;
    EXPECT_TRUE(a.out.empty()) << a.out;
    return a.err;
  };
  const auto says = [&](const char* line, const char* piece) {
    EXPECT_NE(why(line).find(piece), std::string::npos) << why(line);
  };
  says("exercise ocupancy --hw m2090", "did you mean 'occupancy'?");
  says("exercise node", "there is no exercise about node; there are some about roofline, balance");
  says("exercise balance", "name the GPU that it is about");
  says("exercise balance --hw m2091", "did you mean 'm2090'?");
  says("exercise balance --hw m2090,h200", "names one GPU");
  says("exercise balance --hw m2090 --seed x", "--seed: a whole number");
  says("exercise balance --hw m2090 --seed 1.5", "--seed: a whole number");
  says("exercise balance --hw m2090 --seed -1", "--seed: a whole number");
  says("exercise balance --hw m2090 --count 0", "--count: a whole number");
  says("exercise balance --hw m2090 --count 1e9", "--count: a whole number");
  says("exercise balance --hw m2090 --format latx", "did you mean 'latex'?");
  says("exercise balance --hw m2090 --answer --key", "give one of them");
  says("exercise balance --hw m2090 -o sheet.docx", ".txt .md .tex");
}

TEST(Exercise, is_written_to_a_file_whose_extension_says_the_format) {
  const Scratch scratch;
  for (const char* name : {"sheet.tex", "sheet.md", "sheet.txt"}) {
    const Answer a = perfmodel(words("exercise balance --hw m2090 -o " + scratch / name));
    EXPECT_EQ(a.code, 0) << a.err;
    EXPECT_TRUE(a.out.empty());
  }
  EXPECT_EQ(contents(scratch / "sheet.tex").substr(0, 14), "\\documentclass");
  EXPECT_EQ(contents(scratch / "sheet.md").substr(0, 2), "# ");
}

TEST(Exercise, alone_lists_what_can_be_asked) {
  const Answer a = perfmodel({"exercise"});
  EXPECT_EQ(a.code, 0) << a.err;
  for (const std::string& name : hwdb::exercise_models(shipped().root()))
    EXPECT_NE(a.out.find("\n  " + name + " "), std::string::npos) << name;
  EXPECT_EQ(a.out.find('{'), std::string::npos);
}

TEST(Exercise, without_a_model_is_about_all_once_something_is_asked) {
  EXPECT_EQ(perfmodel(words("exercise --hw m2090 --count 3")).out,
            perfmodel(words("exercise all --hw m2090 --count 3")).out);
  const Answer a = perfmodel(words("exercise --count 3"));
  EXPECT_EQ(a.code, 2) << a.out;
  EXPECT_NE(a.err.find("name the GPU"), std::string::npos) << a.err;
}

TEST(PlainTerms, leave_out_a_factor_of_one_and_a_sum_with_nothing) {
  EXPECT_EQ(cli::plain_terms("loads word 1 x i + 0 of an array"), "loads word i of an array");
  EXPECT_EQ(cli::plain_terms("(1 x i + 0). 1 x n"), "(i). n");
  for (const char* kept : {"word 11 x i + 8", "1 x 32 threads", "0.1 x n + 0.5", "2 x i + 01", "1.1 x i"})
    EXPECT_EQ(cli::plain_terms(kept), kept);
}

TEST(LatexText, shows_what_latex_would_obey) {
  EXPECT_EQ(cli::latex_text("50 % of P_peak & #1 {x} $5 ~ ^2 \\ <|>"),
            "50 \\% of P\\_peak \\& \\#1 \\{x\\} \\$5 \\textasciitilde{} \\textasciicircum{}2 "
            "\\textbackslash{} \\textless{}\\textbar{}\\textgreater{}");
  EXPECT_EQ(cli::latex_text("--hw --- \"\a"), "-{}-hw -{}-{}- \\symbol{34}?");
}

} // namespace perfmodel::exercise_test
