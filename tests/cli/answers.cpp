// What goes where: the answer to stdout, everything else to stderr, and the exit code.
#include "program.hpp"

#include "models/core/model.hpp"

#include <gtest/gtest.h>

namespace perfmodel::answers_test {

TEST(Answers, every_model_answers_on_stdout_alone) {
  for (const Model& model : models()) {
    const Answer a = perfmodel(small_question(model, "m2090"));
    EXPECT_EQ(a.code, 0) << model.info.name << ": " << a.err;
    EXPECT_NE(a.out.find(model.info.summary.substr(0, 40)), std::string::npos) << model.info.name;
    EXPECT_EQ(a.err, "") << model.info.name;
  }
}

TEST(Answers, every_command_of_the_database_answers_on_stdout_alone) {
  for (const char* line : {"hw list", "hw keys", "hw show m2090", "hw show fermi", "hw diff c2050 c2070",
                           "hw diff m2090 m2090"}) {
    const Answer a = perfmodel(words(line));
    EXPECT_EQ(a.code, 0) << line << ": " << a.err;
    EXPECT_NE(a.out, "") << line;
    EXPECT_EQ(a.err, "") << line;
  }
}

// hw check asks as every other command does: with estimates of what nobody has measured.
TEST(Answers, hw_check_names_the_models_that_answer) {
  for (const char* gpu : {"m2090", "rtx4090", "gtx280"}) {
    const Answer a =
        perfmodel({"hw", "check", std::string(PERFMODEL_SOURCE_DIR "/hwdb/gpus/") + gpu + ".yaml"});
    EXPECT_EQ(a.code, 0) << a.err;
    EXPECT_EQ(a.err, "") << gpu;
    for (const Model& model : models()) {
      if (model.info.gpu == GpuUse::none) continue;
      const bool answers = perfmodel(small_question(model, gpu)).code == 0;
      const std::string name(model.info.name);
      EXPECT_EQ(a.out.find("\n" + name + ": has the facts") != std::string::npos, answers) << gpu << a.out;
    }
  }
}

TEST(Answers, costs_are_numbers_where_programs_read_them) {
  const Answer a = perfmodel(words("hw costs m2090 --format csv"));
  EXPECT_NE(a.out.find("cost,value,low,high,base_unit,grade,from\n"), std::string::npos) << a.out;
  EXPECT_NE(a.out.find("\npower.constant,"), std::string::npos);
}

TEST(Answers, the_list_of_gpus_has_the_year_and_two_gpus_the_ratio_of_what_is_no_year) {
  const auto line_of = [](const std::string& command, const std::string& name) {
    for (const std::string& line : lines_of(perfmodel(words(command)).out))
      if (line.starts_with(name + ",")) return line;
    return std::string();
  };
  EXPECT_TRUE(line_of("hw list --format csv", "name").starts_with("name,cc,year,"));
  EXPECT_TRUE(line_of("hw list --format csv", "c2050").starts_with("c2050,2.0,2010,"));
  EXPECT_TRUE(line_of("hw diff c2050 h200 --format csv", "fact").starts_with("fact,c2050,h200,ratio,"));
  EXPECT_TRUE(line_of("hw diff c2050 h200 --format csv", "sm_count").starts_with("sm_count,14,132,9.42857"));
  EXPECT_TRUE(line_of("hw diff c2050 h200 --format csv", "year").starts_with("year,2010,2024,,"));
}

TEST(Answers, help_and_version_are_answers) {
  for (const char* line : {"--help", "--version", "roofline --help", "hw --help", "hw show --help",
                           "measure --help", "validate --help", "compare --help"}) {
    const Answer a = perfmodel(words(line));
    EXPECT_EQ(a.code, 0) << line;
    EXPECT_NE(a.out, "") << line;
    EXPECT_EQ(a.err, "") << line;
  }
}

TEST(Answers, the_lecture_numbers_are_on_the_page) {
  const Answer a = perfmodel(
      words("littles-law --hw m2090 --set clock=1.3GHz --set dram.bandwidth=177GB/s --set dram.latency=800"));
  EXPECT_EQ(a.code, 0) << a.err;
  for (const char* number : {"640", "106.4 KiB", "27 231"})
    EXPECT_NE(a.out.find(number), std::string::npos) << number;
}

TEST(Answers, what_was_fitted_says_so) {
  bool listed = false;
  for (const std::string& line : lines_of(perfmodel(words("hw show m2090")).out))
    listed |= line.find("loop.latency") != std::string::npos && line.find(" fitted ") != std::string::npos;
  EXPECT_TRUE(listed);
  EXPECT_NE(perfmodel(words("latency-hiding --hw m2090 --explain")).out.find("fitted: R. Vuduc"),
            std::string::npos);
}

TEST(Answers, a_sweep_is_answered_with_its_points_and_a_target_with_what_reaches_it) {
  const auto out = [](const std::string& line) { return perfmodel(words(line)).out; };
  for (const char* model : {"latency-hiding", "memory-parallelism"}) {
    const std::string line = std::string(model) + " --hw h200";
    const std::string needed = "that reach a share of the";
    EXPECT_NE(out(line).find(needed), std::string::npos) << model;
    EXPECT_EQ(out(line + " --threads 32:128:32 --ilp 1,2").find(needed), std::string::npos) << model;
    EXPECT_NE(out(line + " --threads 64,128 --target 0.95").find(needed), std::string::npos) << model;
  }
}

TEST(Answers, out_of_tolerance_is_exit_code_1_with_the_answer_on_stdout) {
  // A tenth of the latency needs a tenth of the concurrency that the lecture printed for this card.
  const Answer right = perfmodel(words("validate --hw gtx480"));
  EXPECT_EQ(right.code, 0) << right.err;
  EXPECT_NE(right.err.find("0 of "), std::string::npos) << right.err;
  const Answer wrong = perfmodel(words("validate --hw gtx480 --set fma.latency=2"));
  EXPECT_EQ(wrong.code, 1) << wrong.err;
  EXPECT_NE(wrong.out, "");
  EXPECT_TRUE(one_sentence(wrong.err)) << wrong.err;
}

TEST(Answers, validate_reads_what_is_published_about_any_gpu_and_the_host) {
  const Answer a = perfmodel(words("validate --hw m2090"));
  for (const char* line : {"\ndivergence warp_steps: ", "\ndivergence divergent: ",
                           "\nwork-depth parallelism: ", "\n  transfer "})
    EXPECT_NE(a.out.find(line), std::string::npos) << line;
  EXPECT_EQ(perfmodel(words("validate --hw k40")).code, 2) << "nothing is published about it";
}

TEST(Answers, a_worse_prediction_is_exit_code_1) {
  const Scratch scratch;
  ASSERT_EQ(perfmodel({"balance", "--hw", "m2090", "-o", scratch / "a.json"}).code, 0);
  ASSERT_EQ(
      perfmodel({"balance", "--hw", "m2090", "--set", "dram.bandwidth=100GB/s", "-o", scratch / "b.json"})
          .code,
      0);
  EXPECT_EQ(perfmodel({"compare", scratch / "a.json", scratch / "a.json"}).code, 0);
  const Answer a =
      perfmodel({"compare", scratch / "a.json", scratch / "a.json", "--tolerance", "3%", "--format", "csv"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_NE(a.out, "");
}

TEST(Answers, a_ladders_result_file_is_points_of_a_roofline) {
  const Scratch scratch;
  const std::string file = scratch / "ladder.json";
  ASSERT_EQ(perfmodel({"matmul", "--hw", "h200,gtx280", "--n", "64", "-o", file}).code, 0);
  const Answer a = perfmodel({"roofline", "--hw", "h200", "--points", file, "--format", "csv"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_NE(a.out.find("\nh200,register-tiled,matmul,fp32,l1,32,"), std::string::npos) << a.out;
  EXPECT_NE(a.out.find("\nh200,tensor-bf16,matmul,bf16,l2,128,"), std::string::npos) << a.out;
  EXPECT_EQ(a.out.find("gtx280"), std::string::npos) << "its points are another device's";
}

TEST(Answers, a_machine_without_gpu_is_exit_code_3) {
  if (perfmodel({"hw", "detect"}).code == 0) GTEST_SKIP() << "this machine has a GPU";
  for (const char* line : {"measure", "hw detect"}) {
    const Answer a = perfmodel(words(line));
    EXPECT_EQ(a.code, 3) << line;
    EXPECT_EQ(a.out, "") << line;
    EXPECT_TRUE(one_sentence(a.err)) << a.err;
  }
}

TEST(Answers, several_devices_stand_in_one_table) {
  const Answer a = perfmodel(words("balance --hw m2090,h200 --format csv"));
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_NE(a.out.find("\nm2090,"), std::string::npos);
  EXPECT_NE(a.out.find("\nh200,"), std::string::npos);
}

TEST(Answers, names_are_taken_in_either_case_and_by_alias) {
  const std::string by_name = perfmodel(words("balance --hw c2050 --format csv")).out;
  EXPECT_EQ(perfmodel(words("balance --hw fermi --format csv")).out, by_name);
  EXPECT_EQ(perfmodel(words("balance --hw C2050 --format csv")).out, by_name);
}

TEST(Answers, a_word_given_with_set_is_seen_in_the_answer) {
  const Answer a = perfmodel(words("balance --hw m2090 --set dram.type=HBM9 --format csv"));
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_NE(a.out.find("m2090,HBM9,"), std::string::npos) << a.out;
}

TEST(Answers, a_swept_fact_has_a_row_for_each_value) {
  const Answer a = perfmodel(words(
      "balance --hw m2090 --precision fp64 --basis spec --set dram.bandwidth=100GB/s,200GB/s --format csv"));
  if (a.code == 0) {
    EXPECT_EQ(lines_of(a.out).size(), 2u + 3u) << "the verdicts, then header and rows\n" << a.out;
  } else {
    const Answer b = perfmodel(
        words("balance --hw m2090 --precision fp64 --set dram.bandwidth=100GB/s,200GB/s --format csv"));
    EXPECT_EQ(b.code, 0) << b.err;
    EXPECT_GE(lines_of(b.out).size(), 3u) << b.out;
  }
}

TEST(Answers, integers_do_operations_and_not_flops) {
  // Beside fp32 in one column, alone where the precision stands in the heading, turned on its side, in a
  // fact.
  const auto has = [](const char* line, const char* text) {
    const Answer a = perfmodel(words(line));
    EXPECT_NE(a.out.find(text), std::string::npos) << line << "\n" << a.out;
  };
  has("roofline --hw m2090", "1.332 Tflop/s");
  has("roofline --hw m2090", "666.1 Gop/s");
  has("roofline --hw h200 --precision int8", "1.979 Pop/s");
  has("roofline --hw h200 --precision int8 --intensity 100", "performance       481.4 Top/s");
  has("roofline --hw h200 --precision int8 --set peak.int8_tensor=2Pop/s", "tensor 2 Pop/s");
  has("balance --hw m2090 --format markdown", "| 666.1 Gop/s |");
  has("hw show h200", "1.979 Pop/s");
  EXPECT_EQ(perfmodel(words("roofline --hw h200 --precision int8")).out.find("flop/"), std::string::npos);
  EXPECT_EQ(perfmodel(words("roofline --hw h200 --precision fp32")).out.find("op/B "),
            perfmodel(words("roofline --hw h200 --precision fp32")).out.find("flop/B ") + 2);
}

TEST(Answers, a_name_cannot_break_the_page) {
  const Answer a = perfmodel({"roofline", "--hw", "m2090", "--intensity", "1", "--kernel", "a\nb\x1b[31m"});
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(a.out.find('\x1b'), std::string::npos);
  EXPECT_NE(a.out.find("a b?[31m"), std::string::npos) << a.out;
}

} // namespace perfmodel::answers_test
