// What a user types wrong: one clear sentence on stderr, exit code 2, no answer.
#include "program.hpp"

#include "models/core/model.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <chrono>

namespace perfmodel::wrong_arguments_test {

struct Slip {
  std::vector<std::string> arguments;
  const char* said; // part of the sentence
};

std::string shown(const std::vector<std::string>& arguments) {
  std::string line = "perfmodel";
  for (const std::string& word : arguments) line += " " + word.substr(0, 80);
  return line;
}

void expect_refused(const Slip& slip) {
  const auto start = std::chrono::steady_clock::now();
  const Answer a = perfmodel(slip.arguments);
  EXPECT_EQ(a.code, 2) << shown(slip.arguments) << "\n" << a.err;
  EXPECT_EQ(a.out, "") << shown(slip.arguments);
  EXPECT_TRUE(one_sentence(a.err)) << shown(slip.arguments) << "\n" << a.err;
  EXPECT_NE(a.err.find(slip.said), std::string::npos) << shown(slip.arguments) << "\n" << a.err;
  EXPECT_TRUE(std::none_of(a.err.begin(), a.err.end(), [](char c) {
    return c != '\n' && std::iscntrl(static_cast<unsigned char>(c)) != 0;
  })) << shown(slip.arguments);
  for (const char* jargon : {"TEXT", "required but", "subcommand", "terminate", "std::", "a bug"})
    EXPECT_EQ(a.err.find(jargon), std::string::npos) << a.err;
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20)) << shown(slip.arguments);
}

// roofline --hw m2090 and what goes wrong after it.
Slip roofline(std::vector<std::string> more, const char* said) {
  more.insert(more.begin(), {"roofline", "--hw", "m2090"});
  return {more, said};
}

TEST(WrongArguments, commands) {
  for (const Slip& slip :
       {Slip{{}, "perfmodel: a command is expected"},
        Slip{{"rofline"}, "unknown command 'rofline' (did you mean 'roofline'?)"},
        Slip{{"rofline", "--hw", "m2090"}, "(did you mean 'roofline'?)"},
        Slip{{"litles-law", "--hw", "m2090"}, "(did you mean 'littles-law'?)"},
        Slip{{"xyzzy"}, "unknown command 'xyzzy'; 'perfmodel --help' lists them"},
        Slip{{""}, "unknown command ''"}, Slip{{"hw"}, "perfmodel hw: a command is expected"},
        Slip{{"hw", "lst"}, "perfmodel hw: unknown command 'lst' (did you mean 'list'?)"},
        Slip{{"hw", "keys", "more"}, "perfmodel hw keys: 'more' is one argument too many"},
        Slip{{"hw", "show"}, "perfmodel hw show: gpu is missing"},
        Slip{{"hw", "diff", "m2090"}, "second is missing"}, Slip{{"hw", "check"}, "file is missing"},
        Slip{{"compare"}, "before is missing"}, Slip{{"compare", "a.json"}, "after is missing"},
        Slip{{"validate"}, "--hw is missing"}, Slip{{"roofline"}, "--hw is missing"},
        Slip{{"roofline", "balance", "--hw", "m2090"}, "'balance'"},
        Slip{{"roof\nline\x1b[2J"}, "unknown command 'roof line?[2J'"}})
    expect_refused(slip);
}

TEST(WrongArguments, options) {
  for (const Slip& slip :
       {roofline({"--precisoin", "fp32"}, "unknown option '--precisoin' (did you mean '--precision'?)"),
        roofline({"--precisoin=fp32"}, "(did you mean '--precision'?)"),
        roofline({"--formt", "csv"}, "(did you mean '--format'?)"),
        roofline({"--pre", "fp32"}, "unknown option '--pre'"),
        roofline({"-z"}, "unknown option '-z'; 'perfmodel roofline --help' lists them"),
        roofline({"extra"}, "'extra' is one argument too many"),
        roofline({"--explain=no"}, "--explain takes no value"),
        roofline({"--plot=3"}, "--plot takes no value"),
        roofline({"--hw", "h200"}, "--hw is given 2 times"),
        roofline({"--format", "csv", "--format", "json"}, "--format is given 2 times"),
        roofline({"--intensity"}, "--intensity needs a value"),
        roofline({"--intensity", "1", "--explain", "--bytes"}, "--bytes needs a value"),
        roofline({"--set"}, "--set needs a value"),
        roofline({"-o"}, "--output needs a value"),
        Slip{{"--hwdb"}, "--hwdb needs a value"},
        Slip{{"roofline", "--hw"}, "--hw needs a value"},
        Slip{{"--nonsense", "hw", "list"}, "unknown option '--nonsense'"},
        Slip{{"hw", "costs", "--hw", "h200"}, "named without --hw: 'perfmodel hw costs h200'"},
        Slip{{"hw", "show", "--hw=m2090"}, "named without --hw: 'perfmodel hw show m2090'"},
        Slip{{"hw", "costs", "--hw"}, "named without --hw: 'perfmodel hw costs NAME'"},
        Slip{{"hw", "list", "--nonsense"}, "unknown option '--nonsense'"},
        Slip{{"hw", "show", "m2090", "--formt", "csv"}, "(did you mean '--format'?)"}})
    expect_refused(slip);
}

TEST(WrongArguments, empty_values) {
  for (const char* option : {"--intensity", "--flops", "--precision", "--basis", "--points", "--kernel",
                             "--combine", "--format", "-o", "--set", "--chart-x"})
    for (const bool glued : {false, true}) {
      if (glued && option[1] != '-') continue;
      if (glued)
        expect_refused(roofline({std::string(option) + "="}, "needs a value"));
      else
        expect_refused(roofline({option, ""}, "needs a value"));
    }
  expect_refused({{"roofline", "--hw", ""}, "--hw needs a value"});
  expect_refused({{"hw", "show", ""}, "gpu needs a value"});
  expect_refused({{"compare", "", ""}, "needs a value"});
}

TEST(WrongArguments, devices) {
  for (const Slip& slip :
       {Slip{{"roofline", "--hw", "m290"}, "unknown GPU 'm290' (did you mean 'm2090'?)"},
        Slip{{"roofline", "--hw", "h2000"}, "(did you mean 'h200'?)"},
        Slip{{"roofline", "--hw", "M-2091"}, "(did you mean 'm2090'?)"},
        Slip{{"roofline", "--hw", "quadro"}, "unknown GPU 'quadro'; 'perfmodel hw list' shows all"},
        Slip{{"roofline", "--hw", "x"}, "unknown GPU 'x'; 'perfmodel hw list' shows all"},
        Slip{{"roofline", "--hw", ","}, "a GPU's name is missing"},
        Slip{{"roofline", "--hw", "m2090,"}, "a GPU's name is missing"},
        Slip{{"roofline", "--hw", "m2090,,h200"}, "a GPU's name is missing"},
        Slip{{"roofline", "--hw", "m2090,M2090"}, "names m2090 twice"},
        Slip{{"roofline", "--hw", "c2050,fermi"}, "names c2050 twice"},
        Slip{{
                 "roofline",
                 "--hw",
                 "..",
             },
             "unknown GPU '..'"},
        Slip{{"roofline", "--hw", std::string(100'000, 'a')}, "unknown GPU 'aaa"},
        Slip{{"roofline", "--hw", "a\nb"}, "unknown GPU 'a b'"},
        Slip{{"hw", "show", "m290"}, "(did you mean 'm2090'?)"},
        Slip{{"hw", "diff", "m2090", "h20"}, "unknown GPU 'h20'"},
        Slip{{"validate", "--hw", "m2090,h200"}, "one GPU at a time"},
        Slip{{"--hwdb", "/nowhere", "hw", "list"}, "/nowhere is no hardware database"},
        Slip{{"balance", "--hw", "m2090", "--precision", "bf16"},
             "m2090 has no rate for bf16; it has fp64, fp32"}})
    expect_refused(slip);
}

TEST(WrongArguments, words_units_and_numbers) {
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
                 "unknown unit 'lightyears'"),
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
        Slip{{"compare", "a", "b", "--tolerance", "3s"}, "--tolerance"}})
    expect_refused(slip);
}

// The value of another option that it belongs together with.
std::vector<std::string> companions(const std::string& command, const std::string& option) {
  if (command == "rank") return option == "flops" ? words("--bytes 1") : words("--flops 1");
  return {};
}

TEST(WrongArguments, every_option_of_a_number_is_named_where_it_is_given_a_word) {
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

TEST(WrongArguments, words_of_choices_are_known_in_any_case) {
  for (const char* line :
       {"roofline --hw h200 --precision Double", "roofline --hw h200 --precision FP64",
        "balance --hw h200 --basis Measured", "memory-parallelism --hw h200 --word Double"})
    EXPECT_EQ(perfmodel(words(line)).code, 0) << line << perfmodel(words(line)).err;
}

TEST(WrongArguments, what_an_sm_cannot_hold_or_reach) {
  for (const auto& [line, said] : std::initializer_list<std::pair<const char*, const char*>>{
           {"latency-hiding --hw h200 --threads 0", "--threads: 0 given, a whole number from 1"},
           {"latency-hiding --hw h200 --threads -32", "--threads: -32 given"},
           {"latency-hiding --hw h200 --threads 2000", "a block has at most 1024 threads"},
           {"latency-hiding --hw h200 --threads 2048:4096:32", "a block has at most 1024 threads"},
           {"latency-hiding --hw h200 --ilp 0", "--ilp: 0 given"},
           {"latency-hiding --hw h200 --ilp 300", "h200 allows 255"},
           {"latency-hiding --hw h200 --operands 4", "reads 2 or 3 different registers"},
           {"latency-hiding --hw h200 --blocks 99", "holds 8 blocks of 256 threads"},
           {"latency-hiding --hw h200 --target 2", "a share of the peak is at most 1"},
           {"latency-hiding --hw h200 --target 0", "--target: 0 % given"},
           {"latency-hiding --hw h200 --target 95%%", "'95%%' has an unknown unit '%%'"},
           {"latency-hiding --hw h200 --threads 95%", "'95%' has an unknown unit '%'"},
           {"latency-hiding --hw h200 --word 4", "unknown option '--word'"},
           {"latency-hiding --hw h200 --oprands 2", "(did you mean '--operands'?)"},
           {"memory-parallelism --hw h200 --threads 0", "--threads: 0 given"},
           {"memory-parallelism --hw h200 --threads 2000", "a block has at most 1024 threads"},
           {"memory-parallelism --hw h200 --ilp 300", "h200 allows 255"},
           {"memory-parallelism --hw h200 --blocks 99", "holds 8 blocks of 256 threads"},
           {"memory-parallelism --hw h200 --target 2", "a share of the bandwidth is at most 1"},
           {"memory-parallelism --hw h200 --word 5", "words of 4, 8 or 16 bytes"},
           {"memory-parallelism --hw h200 --word 4GB/s", "--word: '4GB/s' is in B/s"}})
    expect_refused({words(line), said});
}

TEST(WrongArguments, facts) {
  for (const Slip& slip :
       {roofline({"--set", "clock"}, "--set clock: FACT=VALUE is expected"),
        roofline({"--set", "=3"}, "--set =3: FACT=VALUE is expected"),
        roofline({"--set", "clock="}, "--set clock=: FACT=VALUE is expected"),
        roofline({"--set", "clok=1GHz"}, "unknown fact 'clok' (did you mean 'clock'?)"),
        roofline({"--set", "a\nb=3"}, "unknown fact 'a b'"),
        roofline({"--set", "clock=3s"}, "--set clock: '3s' is in s; a clock such as 1.3GHz is expected"),
        roofline({"--set", "clock=fast"}, "--set clock: 'fast' is not a number"),
        roofline({"--set", "clock=-3GHz"}, "--set clock: the value must be above zero"),
        roofline({"--set", "clock=0"}, "--set clock: the value must be above zero"),
        roofline({"--set", "clock=1GHz,-2GHz"}, "--set clock: the value must be above zero"),
        roofline({"--set", "clock=1GHz,"}, "--set clock:"),
        roofline({"--set", "clock=1GHz:2GHz:0"}, "--set clock: the range '1GHz:2GHz:0' never ends"),
        roofline({"--set", "clock=1300"},
                 "--set clock: 1.3 kHz is far outside 100 MHz to 10 GHz: is a prefix wrong?"),
        roofline({"--set", "sm_count=1e308"}, "far outside"),
        roofline({"--set", "warp_size=16"}, "--set warp_size: 32 it is, on every GPU"),
        Slip{{"occupancy", "--hw", "h200", "--threads", "64", "--shared", "232449"},
             "a block with 232449 B of shared memory cannot launch on h200: a block has at most 227 KiB"},
        roofline({"--set", "clock=1e400"}, "--set clock: '1e400' is larger"),
        roofline({"--set", "clock=1GHz", "--set", "clock=2GHz"}, "--set gives 'clock' twice"),
        Slip{{"validate", "--hw", "m2090", "--set", "clock=1GHz,2GHz"}, "--set takes one value"}})
    expect_refused(slip);
}

TEST(WrongArguments, ranges_and_grids) {
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

TEST(WrongArguments, extreme_numbers_are_answered_or_refused_but_never_printed_as_inf) {
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

} // namespace perfmodel::wrong_arguments_test
