// Numbers, units and ranges that a user types wrong.
#include "refused.hpp"

#include "models/core/model.hpp"

namespace perfmodel::wrong_numbers_test {

using namespace refused;

TEST(WrongNumbers, words_units_and_numbers) {
  for (const Slip& slip :
       {roofline({"--precision", "fp3"}, "--precision: unknown value 'fp3' (did you mean 'fp32'?)"),
        roofline({"--precision", "fp32,"}, "--precision: unknown value ''"),
        roofline({"--basis", "measurd"}, "(did you mean 'measured'?)"),
        roofline({"--level", "l3"}, "--level: unknown value 'l3'"),
        roofline({"--format", "jsn"}, "--format: unknown format 'jsn' (did you mean 'json'?)"),
        roofline({"--format", "svg"}, "a picture is written with -o FILE.svg"),
        roofline({"--combine", "mix"}, "--combine: max, sum or p=NUMBER"),
        roofline({"--combine", "p=0"}, "--combine: max, sum or p=NUMBER"),
        roofline({"--intensity", "1", "--combine", "p=nan"}, "--combine"),
        roofline({"--intensity", "1s"}, "an intensity such as 0.25flop/B is expected"),
        roofline({"--bytes", "64GHz"}, "bytes such as 64KiB is expected"),
        roofline({"--time", "20"
                            "lightyears"},
                 "--time: '20lightyears' has an unknown unit 'lightyears'; a time such as 20ms is expected"),
        roofline({"--intensity", "nan"}, "--intensity: 'nan' is not a number"),
        roofline({"--intensity", "inf"}, "--intensity: 'inf' is not a number"),
        roofline({"--intensity", "0x10"}, "--intensity: '0x10'"),
        roofline({"--intensity", "1e400"}, "--intensity: '1e400' is larger than a number can be"),
        roofline({"--bytes", "1e308EB", "--flops", "1"}, "larger than a number can be"),
        roofline({"--intensity", "0"}, "--intensity: 0 flop/B given, a value above zero is expected"),
        roofline({"--intensity", "1e-400"}, "a value above zero is expected"),
        roofline({"--intensity", "-1"}, "--intensity: -1 flop/B given, a value above zero is expected"),
        roofline({"--time", "-5ms"}, "--time: -5 ms given, a value above zero is expected"),
        roofline({"--time=-5ms"}, "--time: -5 ms given, a value above zero is expected"),
        roofline({"--intensity", "1/0"}, "'1/0' divides by zero"),
        roofline({"--intensity", "1", "--flops", "2", "--bytes", "3"}, "give two of the three"),
        roofline({"--flops", "1e9"}, "--flops needs --bytes"),
        roofline({"--time", "1ms"}, "--time needs --flops"),
        roofline({"--flops", "1e300", "--bytes", "1"}, "given, at most 1 000 000 000 000 Eflop is expected"),
        roofline({"--flops", "1", "--bytes", "1e-300"}, "given, at least 1 B is expected"),
        roofline({"--flops", "1", "--bytes", "1", "--time", "1e-300"},
                 "given, at least 1e-06 ps is expected"),
        Slip{{"littles-law", "--hw", "m2090", "--ilp", "1.5"}, "a whole number from 1 to 65536 is expected"},
        Slip{{"compare", "a", "b", "--tolerance", "-3%"}, "--tolerance"},
        Slip{{"compare", "a", "b", "--tolerance", "%"}, "--tolerance"},
        Slip{{"compare", "a", "b", "--tolerance", "3s"}, "--tolerance"},
        // Nothing ever gets ten times slower, and the test of a regression would pass for ever.
        Slip{{"compare", "a", "b", "--tolerance", "10"}, "--tolerance: 10 would be 1000 %; is 10% meant?"},
        Slip{words("kernel --hw h200 --fail-over 10 --measured " PERFMODEL_SOURCE_DIR
                   "/tests/profiles/raw.csv"),
             "--fail-over: 10 would be 1000 %; is 10% meant?"},
        Slip{words("hw list memory>=80"), "'memory>=80': 80 B is far outside"}})
    expect_refused(slip);
}

// The value of another option that it belongs together with.
std::vector<std::string> companions(const std::string& command, const std::string& option) {
  if (command == "rank") return option == "flops" ? words("--bytes 1") : words("--flops 1");
  return {};
}

TEST(WrongNumbers, every_option_of_a_number_is_named_where_it_is_given_a_word) {
  std::size_t asked = 0;
  const auto expect_named = [&](const std::vector<std::string>& command, const std::string& option) {
    ++asked;
    expect_refused(
        {command + companions(command.front(), option) + std::vector<std::string>{"--" + option, "abc"},
         ("--" + option).c_str()});
  };
  for (const Model& model : models())
    for (const Option& option : model.options)
      if (option.kind == OptionKind::number) expect_named(question(model, "h200"), option.name);
  EXPECT_GT(asked, 60u);
  for (const auto& [line, option] : std::initializer_list<std::pair<const char*, const char*>>{
           {"rank", "flops"},
           {"rank", "bytes"},
           {"compare a.json b.json", "tolerance"},
           {"exercise littles-law --hw m2090", "seed"},
           {"exercise littles-law --hw m2090", "count"},
           {"kernel --hw h200", "fail-over"},
           {"kernel --hw h200", "shared"}})
    expect_named(words(line), option);
  for (const auto& [line, said] : std::initializer_list<std::pair<const char*, const char*>>{
           {"roofline --hw h200 --top abc --profile " PERFMODEL_SOURCE_DIR
            "/tests/benchmarks/babelstream.csv",
            "--top"},
           {"rank --flops 1 --bytes 1 --price h200=abc", "--price"},
           {"kernel --hw h200 --arg n=abc", "--arg"},
           {"rank softmax --let rows=abc", "--let"},
           {"bank-conflicts --hw h200 --index x --let n=abc", "--let"},
           {"balance --hw h200 --set clock=abc", "--set clock"},
           {"instruction-throughput --hw h200 --class abc", "--class"},
           {"kernel --hw h200 --kernel abc", "--kernel"},
           {"rank --kernel abc", "--kernel"},
           {"slips --model abc", "--model"},
           {"validate --hw h200 --model abc", "--model"},
           {"validate --hw h200 --hide abc", "--hide"}})
    expect_refused({words(line), said});
}

// a[i*32] of a kernel means the thread; as an expression it would be one word for all of them.
TEST(WrongNumbers, the_step_of_a_loop_is_no_name_where_there_is_no_loop) {
  for (const char* line :
       {"coalescing --hw h200 --index i*32", "coalescing --hw h200 --index gid --if i<4",
        "bank-conflicts --hw h200 --index (tid+i)%32", "constant-cache --hw h200 --index i"})
    expect_refused({words(line), "write gid for the thread's number in the grid"});
  const Answer stepped = perfmodel(words("divergence --hw h200 --if (lane+i)%2 --steps 4"));
  EXPECT_EQ(stepped.code, 0) << stepped.err;
}

TEST(WrongNumbers, an_access_where_its_index_is_expected_is_told_which_part_that_is) {
  for (const char* model : {"coalescing", "bank-conflicts"})
    expect_refused({words(std::string(model) + " --hw m2090 --index a[gid*32]"),
                    "--index: the number of the word alone is expected, such as 'gid*32', not 'a[gid*32]'"});
  expect_refused({words("coalescing --hw m2090 --index gid]2["), "--index"});
}

TEST(WrongNumbers, an_unknown_unit_is_told_with_what_is_expected) {
  for (const Model& model : models())
    for (const Option& option : model.options)
      if (option.kind == OptionKind::number)
        expect_refused({question(model, "m2090") + std::vector<std::string>{"--" + option.name, "3furlong"},
                        " is expected"});
  for (const char* line :
       {"littles-law --hw m2090 --set dram.bandwidth=3furlong", "balance --hw dram.size>=3furlong",
        "rank --flops 3furlong --bytes 1GB", "rank --flops 1Gflop --bytes 3furlong"})
    expect_refused({words(line), "has an unknown unit 'furlong'; "});
  expect_refused(
      {words("transfer --hw m2090 --bytes many"), "'many' is not a number; bytes such as 64KiB is expected"});
  expect_refused({words("transfer --hw m2090 --bytes 1KiB,,1MiB"),
                  "a value is missing; bytes such as 64KiB is expected"});
}

TEST(WrongNumbers, ranges_and_grids) {
  std::string many = "1";
  for (int i = 0; i < 200'000; ++i) many += ",1";
  for (const Slip& slip :
       {roofline({"--intensity", "1:2:0"}, "never ends"), roofline({"--intensity", "1:2:-1"}, "never ends"),
        roofline({"--intensity", "1:2:*1"}, "never ends"), roofline({"--intensity", "0:2:*2"}, "never ends"),
        roofline({"--intensity", "2:1"}, "ends below its start"),
        roofline({"--intensity", "0:3"}, "a value above zero"),
        roofline({"--intensity", "1:100000000"}, "more than 10 million values"),
        roofline({"--intensity", "1:1e300"}, "more than 10 million values"),
        roofline({"--intensity", "1:1e300:*1.0000001"}, "more than 10 million values"),
        roofline({"--intensity", "1e16:2e16:0.5"}, "more than 10 million values"),
        roofline({"--intensity", "1:10000", "--bytes", "1:10000"},
                 "the grid has more than 10 million points"),
        roofline({"--intensity", many, "--set", "clock=1GHz:2GHz:1MHz"},
                 "the grid has more than 10 million points"),
        roofline({"--intensity", many + ",x"}, "--intensity: 'x' is not a number"),
        roofline({"--intensity", "1,2,"}, "--intensity:"), roofline({"--intensity", ":"}, "--intensity:"),
        roofline({"--intensity", "1:2:3:4"}, "FIRST:LAST:STEP")})
    expect_refused(slip);
}

// Not after all of them, nor when memory is at its end.
TEST(WrongNumbers, sweeps_that_nobody_can_wait_for_are_refused_at_once) {
  for (const Slip& slip :
       {Slip{words("coalescing --hw h200,m2090 --stride 1:9000 --set clock=1GHz:2GHz:1MHz --format csv"),
             "hours: give --stride"},
        Slip{words("message --bytes 1:10000000 -o /dev/null/m.svg"), "can hold, 1 000 000 at most"},
        Slip{words("roofline --hw h200 --intensity 1:2000000 --plot"), "can hold, 1 000 000 at most"}})
    expect_refused(slip);
}

TEST(WrongNumbers, long_sweeps_that_end_in_time_are_answered) {
  const Answer a = perfmodel(words("message --bytes 1:100000 --format csv --table 1"));
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_GT(std::count(a.out.begin(), a.out.end(), '\n'), 100'000);
}

TEST(WrongNumbers, extreme_numbers_are_answered_or_refused_but_never_printed_as_inf) {
  for (const Model& model : models())
    for (const Option& option : model.options) {
      if (option.kind != OptionKind::number) continue;
      std::vector<std::string> asked = question(model, "m2090");
      for (const auto& [name, text] : small_problem(model))
        if (name != option.name) asked = asked + std::vector{"--" + name, text};
      for (const char* value : {"1e-300", "1e300", "1e308", "1e15", "4e18", "1"}) {
        const Answer a = perfmodel(asked + std::vector<std::string>{"--" + option.name, value});
        EXPECT_TRUE(a.code == 0 || a.code == 2)
            << model.info.name << " --" << option.name << " " << value << "\n"
            << a.err;
        EXPECT_EQ(a.out.find("nan"), std::string::npos) << a.out;
        EXPECT_EQ(a.out.find(" inf "), std::string::npos) << a.out;
        if (a.code == 2) {
          EXPECT_TRUE(one_sentence(a.err)) << a.err;
        }
      }
    }
}

} // namespace perfmodel::wrong_numbers_test
