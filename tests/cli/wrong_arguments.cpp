// What a user types wrong: one clear sentence on stderr, exit code 2, no answer.
#include "refused.hpp"

#include "models/core/model.hpp"

namespace perfmodel::wrong_arguments_test {

using namespace refused;

TEST(WrongArguments, commands) {
  for (const Slip& slip :
       {Slip{{}, "perfmodel: a command is expected"},
        Slip{{"rofline"}, "unknown command 'rofline' (did you mean 'roofline'?)"},
        Slip{{"rofline", "--hw", "m2090"}, "(did you mean 'roofline'?)"},
        Slip{{"litles-law", "--hw", "m2090"}, "(did you mean 'littles-law'?)"},
        Slip{{"xyzzy"}, "unknown command 'xyzzy'; 'perfmodel --help' lists them"},
        Slip{{"softmax"}, "it is a template: 'perfmodel kernel softmax --hw h200'"},
        Slip{{"gemv", "--hw", "h200"}, "it is a template: 'perfmodel kernel gemv --hw h200'"},
        Slip{{"h200"}, "it is a GPU: 'perfmodel hw show h200'"},
        Slip{{"sector"}, "'perfmodel explain sector' says what it means"},
        Slip{{"bankconflicts", "--hw", "h200"}, "'perfmodel bank-conflicts' may be meant"},
        Slip{{"Littles_Law"}, "'perfmodel littles-law' may be meant"},
        Slip{{"ncu"}, "'perfmodel roofline --hw h200 --profile FILE' may be meant"},
        Slip{{"--hwdb", "/nowhere", "xyzzy"}, "unknown command 'xyzzy'"},
        Slip{{""}, "unknown command ''"},
        Slip{{"hw"}, "perfmodel hw: a command is expected"},
        Slip{{"hw", "lst"}, "perfmodel hw: unknown command 'lst' (did you mean 'list'?)"},
        Slip{{"hw", "keys", "more"}, "perfmodel hw keys: 'more' is one argument too many"},
        Slip{{"hw", "show"}, "perfmodel hw show: gpu is missing"},
        Slip{{"hw", "diff", "m2090"}, "second is missing"},
        Slip{{"hw", "check"}, "file is missing"},
        Slip{{"compare"}, "before is missing"},
        Slip{{"compare", "a.json"}, "after is missing"},
        Slip{{"validate"}, "--hw is missing"},
        Slip{{"roofline"}, "--hw is missing"},
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
        roofline({"--intensity"}, "--intensity needs a value; 'perfmodel roofline --help' says which"),
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
        Slip{{"roofline", "--hw", "m2090,M2090"}, "m2090 is named twice"},
        Slip{{"roofline", "--hw", "c2050,fermi"}, "c2050 is named twice"},
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

} // namespace perfmodel::wrong_arguments_test
