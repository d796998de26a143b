#include "program.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace perfmodel::chosen_gpus_test {

// The GPUs that a balance is told of, in order.
std::vector<std::string> chosen(const std::string& hw) {
  const Answer answer =
      perfmodel({"balance", "--hw", hw, "--precision", "fp32", "--basis", "spec", "--format", "csv"});
  std::vector<std::string> names;
  for (const std::string& line : lines_of(answer.out)) {
    const std::string name = line.substr(0, line.find(','));
    const hwdb::Database shipped(hwdb::default_folder());
    const std::vector<std::string> known = shipped.names();
    if (std::find(known.begin(), known.end(), name) != known.end() && (names.empty() || names.back() != name))
      names.push_back(name);
  }
  return names;
}

std::string why(const std::string& hw) { return perfmodel({"balance", "--hw", hw}).err; }

TEST(ChosenGpus, the_maker_may_be_called_vendor) {
  const std::string rest = " --format csv";
  EXPECT_EQ(perfmodel(words("balance --hw vendor=apple" + rest)).out,
            perfmodel(words("balance --hw maker=apple" + rest)).out);
  EXPECT_NE(perfmodel(words("balance --help")).out.find("maker=nvidia"), std::string::npos);
}

TEST(ChosenGpus, conditions_on_capability_and_facts) {
  EXPECT_EQ(chosen("cc=9.0"), (std::vector<std::string>{"h100-pcie", "h100-sxm", "h200"}));
  EXPECT_EQ(chosen("cc>=9&dram.size>=100GB&cc<10"), (std::vector<std::string>{"h200"}));
  EXPECT_EQ(chosen("cc>=9&cc<10,h200"), (std::vector<std::string>{"h100-pcie", "h100-sxm", "h200"}));
  EXPECT_EQ(chosen("m2090,cc=7.5"), (std::vector<std::string>{"m2090", "rtx2080ti", "t4"}));
  EXPECT_EQ(chosen("dram.bandwidth>=4TB/s"), (std::vector<std::string>{"b200", "h200"}));
  EXPECT_EQ(chosen("maker=apple"), (std::vector<std::string>{"apple-m1"}));
  EXPECT_EQ(chosen("maker=NVIDIA & cc=9.0"), (std::vector<std::string>{"h100-pcie", "h100-sxm", "h200"}));
  EXPECT_EQ(chosen("dram.type=HBM2e & cc>=8"), (std::vector<std::string>{"a100-80", "h100-pcie"}));
  EXPECT_EQ(chosen("memory=HBM2e & memory>=40GB"), (std::vector<std::string>{"a100-80", "h100-pcie"}));
  EXPECT_EQ(chosen("maker==nvidia && cc==9.0"), (std::vector<std::string>{"h100-pcie", "h100-sxm", "h200"}))
      << "as in C";
  EXPECT_EQ(chosen("year<2008"), (std::vector<std::string>{"8800gtx"}));
  EXPECT_EQ(chosen("year=2016"), (std::vector<std::string>{"gtx1080", "p100-pcie", "p100"}));
}

TEST(ChosenGpus, are_listed_by_hw_list_too) {
  const auto listed = [](const std::string& which) {
    const Answer a = perfmodel({"hw", "list", which, "--format", "csv", "--table", "1"});
    EXPECT_EQ(a.code, 0) << a.err;
    return a.out;
  };
  const std::string three = listed("cc=9.0");
  EXPECT_EQ(std::count(three.begin(), three.end(), '\n'), 4) << three;
  EXPECT_NE(three.find("\nh200,9.0,"), std::string::npos) << three;
  EXPECT_EQ(listed("h100-pcie,h100,h200"), three);
}

TEST(ChosenGpus, every_gpu_of_the_database_has_a_year) { EXPECT_EQ(chosen("year>=2006"), chosen("all")); }

TEST(ChosenGpus, one_that_has_no_capability_is_in_all_alone) {
  const std::vector<std::string> all = chosen("all"), nvidia = chosen("cc>=0");
  EXPECT_EQ(all.size(), nvidia.size() + 1);
  EXPECT_NE(std::find(all.begin(), all.end(), "apple-m1"), all.end());
}

TEST(ChosenGpus, those_that_have_no_answer_are_left_out_and_said_to_be) {
  const Answer answer = perfmodel(words("occupancy --hw all --format csv"));
  EXPECT_EQ(answer.code, 0);
  EXPECT_EQ(answer.err.substr(0, 27), "left out: apple-m1 has no u") << "and not its name twice";
  EXPECT_NE(answer.err.find("CUDA code, which it does not run"), std::string::npos) << answer.err;
  EXPECT_EQ(answer.err.find("add it to"), std::string::npos) << "no file can";
}

// Of roofs alone, too, where no kernel is asked about.
TEST(ChosenGpus, without_a_rate_of_the_precision_are_left_out) {
  const Answer answer = perfmodel({"roofline", "--hw", "all", "--precision", "fp64"});
  ASSERT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(answer.err.substr(0, 26), "left out: 8800gtx has no r");
  EXPECT_NE(answer.out.substr(0, answer.out.find('\n')).find(" GPUs: "), std::string::npos) << answer.out;
  const Answer one = perfmodel({"roofline", "--hw", "8800gtx,h200", "--precision", "fp64"});
  EXPECT_EQ(one.code, 2) << "who names a GPU wants it";
}

TEST(ChosenGpus, of_energy_those_whose_prices_are_known_answer) {
  const Answer answer = perfmodel(words("energy --hw all --format csv"));
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_EQ(answer.err.substr(0, 18), "left out: apple-m1");
}

TEST(ChosenGpus, what_is_wrong_is_said_in_a_sentence) {
  EXPECT_EQ(why("dram.sise>4GB"), "perfmodel: 'dram.sise>4GB': unknown fact 'dram.sise' (did you mean "
                                  "'dram.size'?); 'perfmodel hw keys' lists all\n");
  EXPECT_EQ(why("cc>=x"), "perfmodel: 'cc>=x': a compute capability such as 9.0 is expected, not 'x'\n");
  EXPECT_EQ(why("maker>apple"), "perfmodel: 'maker>apple': the maker is a word, which is compared by '='\n");
  EXPECT_EQ(why("cc>=99"), "perfmodel: no GPU is such that 'cc>=99'\n");
  EXPECT_NE(why("year>=2099").find("no GPU is such that"), std::string::npos);
  EXPECT_NE(why("memory>HBM2").find("is compared by '='"), std::string::npos);
  EXPECT_NE(why("dram.size>4GB/s").find("'dram.size>4GB/s': "), std::string::npos);
  EXPECT_NE(why("dram.type>HBM2").find("is compared by '='"), std::string::npos);
  EXPECT_NE(why("cc>=8&").find("compares nothing"), std::string::npos);
}

// `hw list` has no --hw to blame.
TEST(ChosenGpus, what_is_wrong_in_a_list_is_told_by_the_words_that_were_typed) {
  for (const char* typed :
       {"foo>9", "cc>=x", "maker>apple", "shared.carveouts>3", "year>=2099", "memory>4GB/s"}) {
    const Answer listed = perfmodel({"hw", "list", typed});
    EXPECT_EQ(listed.code, 2) << typed;
    EXPECT_EQ(listed.err.find("--hw"), std::string::npos) << listed.err;
    EXPECT_NE(listed.err.find(fmt::format("'{}'", typed)), std::string::npos) << listed.err;
  }
}

// As every other command names them.
TEST(ChosenGpus, are_listed_by_hw_too) {
  const Answer a = perfmodel(words("hw list --hw cc>=9&maker=nvidia"));
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(a.out, perfmodel(words("hw list cc>=9&maker=nvidia")).out);
}

} // namespace perfmodel::chosen_gpus_test
