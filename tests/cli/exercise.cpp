// What `exercise` asks and answers; exercises_all.cpp asks every exercise.
#include "asked.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <set>

namespace perfmodel::exercise_test {

using namespace asked_for_tests;

TEST(Exercise, of_all_models_other_seeds_ask_about_other_models) {
  std::set<std::string> asked;
  for (const char* seed : {"1", "2", "3", "4"}) {
    const Answer a = perfmodel(words(std::string("exercise all --hw h200 --seed ") + seed));
    EXPECT_EQ(a.code, 0) << a.err;
    std::string words; // without the numbers, which are drawn anew for each seed
    for (const char c : a.out.substr(0, a.out.find("given")))
      if (std::isalpha(static_cast<unsigned char>(c)) != 0) words += c;
    asked.insert(words);
  }
  EXPECT_EQ(asked.size(), 4u);
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
  const Answer sheet = perfmodel(words("exercise operand-bandwidth --hw m2090 --count 1000"));
  EXPECT_EQ(sheet.code, 0);
  EXPECT_NE(sheet.err.find(" questions, not 1000: there are no more about operand-bandwidth; 'all' in "
                           "its place asks about each model\n"),
            std::string::npos)
      << sheet.err;
  EXPECT_TRUE(one_sentence(sheet.err)) << sheet.err;
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
  says("exercise accuracy", "there is no exercise about accuracy; there are some about roofline, balance");
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
  says("exercise balance --hw m2090 -o sheet.tex --format markdown", "says latex, --format says markdown");
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
  EXPECT_EQ(a.out.find("..."), std::string::npos) << "an example has numbers";
  EXPECT_NE(a.out.find(" of a GPU"), std::string::npos) << a.out;
}

TEST(Exercise, without_a_model_is_about_all_once_something_is_asked) {
  EXPECT_EQ(perfmodel(words("exercise --hw m2090 --count 3")).out,
            perfmodel(words("exercise all --hw m2090 --count 3")).out);
  const Answer a = perfmodel(words("exercise --count 3"));
  EXPECT_EQ(a.code, 2) << a.out;
  EXPECT_NE(a.err.find("name the GPU"), std::string::npos) << a.err;
}

} // namespace perfmodel::exercise_test
