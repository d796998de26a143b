#include "program.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace perfmodel::rank_test {

// What they cost there nobody has measured; nothing at all they had once been charged.
TEST(Rank, gpus_whose_global_atomics_have_no_known_cost_are_without_an_answer) {
  const Answer a = perfmodel(words("rank histogram-global --let n=4096 --hw gtx280,8800gtx,h200"));
  EXPECT_EQ(a.code, 0) << a.err;
  EXPECT_EQ(a.out.substr(0, 10), "h200 takes") << a.out;
  EXPECT_NE(a.out.find("2 without an answer"), std::string::npos) << a.out;
  EXPECT_NE(a.out.find("compute capability 1.0 has"), std::string::npos) << a.out;
}

// Operations over the peak, or bytes over the pins' bandwidth, whichever takes longer: by hand from the
// H200's data sheet (66.9 Tflop/s, 4.8 TB/s) and the M2090's (1331 Gflop/s, 177.4 GB/s).
TEST(Rank, work_alone_takes_what_the_roofline_says) {
  const Answer answer = perfmodel(words("rank --flops 1Tflop --bytes 1GB --hw m2090,h200 --format csv"));
  ASSERT_EQ(answer.code, 0) << answer.err;
  const std::vector<std::string> lines = lines_of(answer.out);
  const auto of = [&](const std::string& gpu) {
    for (const std::string& line : lines)
      if (line.starts_with(gpu + ",")) {
        std::istringstream in(line.substr(line.find(',', gpu.size() + 1) + 1));
        double time = 0;
        in >> time;
        return time;
      }
    return 0.0;
  };
  EXPECT_NEAR(of("h200"), 1e12 / 66.9e12, 1e-4);
  EXPECT_NEAR(of("m2090"), 1e12 / 1331e9, 2e-3);
}

TEST(Rank, json_has_the_constants_of_every_gpu_and_rows_say_how_many_are_not_known) {
  const Answer answer = perfmodel(words("rank axpy --hw h200,c1060,gtx280 --format json"));
  ASSERT_EQ(answer.code, 0) << answer.err;
  const nlohmann::json result = nlohmann::json::parse(answer.out);
  std::size_t assumed = 0, of_h200 = 0;
  for (const auto& constant : result.at("constants")) {
    const std::string place = constant.at("place");
    of_h200 += place.rfind("h200: ", 0) == 0 ? 1 : 0;
    assumed += place == "c1060" && constant.value("grade", "") == "assumed" ? 1 : 0;
  }
  EXPECT_GT(of_h200, 10u);
  EXPECT_GT(assumed, 10u);
  for (const auto& column : result.at("tables").at(0).at("columns")) {
    if (column.at("name") == "grade") {
      EXPECT_EQ(column.at("values"), (std::vector<std::string>{"known", "known", "inherited"}))
          << "most costs of compute capability 1.x are assumed, and do not move this time by 2 %";
    }
    if (column.at("name") == "not_known") {
      EXPECT_EQ(column.at("values")[0], "");
    }
  }
}

// Of some 30, that is; of all GPUs every other name has room.
TEST(Rank, a_narrow_picture_has_the_name_of_every_gpu_below_its_bar) {
  const Scratch scratch;
  const Answer answer = perfmodel(
      words("rank --flops 1Tflop --bytes 1GB --hw year>=2010 --size column -o " + scratch / "x.svg"));
  ASSERT_EQ(answer.code, 0) << answer.err;
  const std::string svg = contents(scratch / "x.svg");
  for (const char* gpu : {"b200", "h200", "v100", "l4", "gtx1080", "m2090", "c2050", "c2070", "k20c"})
    EXPECT_NE(svg.find(">" + std::string(gpu) + "<"), std::string::npos) << gpu;
}

TEST(Rank, names_itself_to_programs_and_lists_no_constants_to_people) {
  const std::vector<std::string> line = words("rank --flops 1Tflop --bytes 100GB --hw h200,m2090");
  const nlohmann::json result = nlohmann::json::parse(perfmodel(line + words("--format json")).out);
  EXPECT_EQ(result.at("model"), "rank");
  EXPECT_EQ(result.at("grade"), "known");
  EXPECT_EQ(perfmodel(line).out.find("Rests on"), std::string::npos) << perfmodel(line).out;
}

// E = W e_flop + Q e_mem + pi0 T, by hand at the prices that `energy` names; of the M2090 nobody knows them.
TEST(Rank, energy_stands_where_its_prices_were_measured_and_nowhere_else) {
  const auto column = [](const std::string& question, const char* table, const char* name) {
    const Answer answer = perfmodel(words(question + " --format json"));
    EXPECT_EQ(answer.code, 0) << answer.err;
    const nlohmann::json result = nlohmann::json::parse(answer.out);
    for (const auto& one : result.at("tables"))
      for (const auto& of : one.at("columns"))
        if (one.at("title") == table && of.at("name") == name) return of.at("values");
    return nlohmann::json();
  };
  const auto ranked = [&](const char* name) {
    return column("rank --flops 1Tflop --bytes 100GB --hw h200,m2090", "GPUs by time", name);
  };
  const auto price = [&](const char* name) {
    return column("energy --hw h200 --intensity 1", "time and energy balance", name)[0].get<double>();
  };
  const nlohmann::json energies = ranked("energy");
  ASSERT_EQ(energies.size(), 2u);
  const double time = ranked("time")[0];
  EXPECT_NEAR(energies[0],
              1e12 * price("per_flop") + 100e9 * price("per_byte") + time * price("constant_power"), 1e-6);
  EXPECT_TRUE(energies[1].is_null());
}

TEST(Rank, says_of_work_that_its_power_is_above_the_limit) {
  // At the ridge of an H200 operations and bytes take 930 W together, more than its 700 W.
  const Answer above = perfmodel(words("rank --flops 14Tflop --bytes 1TB --hw h200"));
  EXPECT_NE(above.out.find("more power than the limit of h200 allows"), std::string::npos) << above.out;
  const Answer below = perfmodel(words("rank --flops 1Gflop --bytes 1TB --hw h200"));
  EXPECT_EQ(below.out.find("more power than the limit"), std::string::npos) << below.out;
}

// By hand, at the prices of the database alone, which lie within 5 % of those of our runs: flops, bytes of
// device memory and those of L2 alone at their prices, and constant power over the
// time.
TEST(Rank, energy_of_a_kernel_is_that_of_its_operations_bytes_and_time) {
  const Answer rank = perfmodel(words("rank stencil7 --let n=256 --hw h200,m2090 --format json"));
  const Answer kernel = perfmodel(words("kernel stencil7 --let n=256 --hw h200 --format json"));
  const auto column = [](const Answer& of, const char* name) {
    const nlohmann::json result = nlohmann::json::parse(of.out);
    for (const auto& table : result.at("tables"))
      for (const auto& one : table.at("columns"))
        if (one.at("name") == name) return one.at("values");
    return nlohmann::json();
  };
  const auto cost = [](const char* name) {
    static const hwdb::Database shipped(hwdb::default_folder());
    static const Gpu h200 = shipped.completed(shipped.gpu("h200"));
    return h200.cost_of(name)->value;
  };
  const nlohmann::json bytes = column(kernel, "bytes"); // of device memory, L2 and L1
  const double memory = bytes[0], l2 = bytes[1], flops = column(kernel, "flops")[0],
               time = column(kernel, "time")[0];
  EXPECT_NEAR(column(rank, "energy")[0],
              flops * cost("energy.fp64") + memory * cost("energy.dram") + (l2 - memory) * cost("energy.l2") +
                  time * cost("power.constant"),
              0.05 * flops * cost("energy.fp64") + 0.05 * memory * cost("energy.dram"));
  EXPECT_TRUE(column(rank, "energy")[1].is_null()) << "nobody measured it on an M2090";
}

TEST(Rank, its_grade_is_that_of_the_same_kernel) {
  const auto grade = [](const Answer& of) {
    const nlohmann::json result = nlohmann::json::parse(of.out);
    for (const auto& column : result.at("tables").at(0).at("columns"))
      if (column.at("name") == "grade") return column.at("values").at(0).get<std::string>();
    return std::string();
  };
  for (const char* gpu : {"h100-sxm", "a100-80"}) {
    const std::string question = std::string("stencil7 --hw ") + gpu + " --format json";
    EXPECT_EQ(grade(perfmodel(words("rank " + question))), grade(perfmodel(words("kernel " + question))))
        << gpu;
  }
}

TEST(Rank, without_a_kernel_says_which_it_is_of_and_with_a_template_its_sizes) {
  EXPECT_EQ(perfmodel(words("rank --hw h200")).out.find("No kernel was named, so this is vector-copy. h200"),
            0u);
  EXPECT_NE(perfmodel(words("rank axpy --hw h200")).out.find("Time of axpy, n=10000000,"), std::string::npos);
}

TEST(Rank, every_template_is_understood_in_any_size) {
  const hwdb::Database shipped(hwdb::default_folder());
  for (const std::string& name : shipped.template_names()) {
    const KernelTemplate one = shipped.kernel_template(name);
    std::string let;
    for (const auto& [size, usual] : one.sizes.values) // odd ones, too small for the usual blocks
      let += (let.empty() ? "" : ",") + size + "=" + std::to_string(std::min<std::int64_t>(usual, 300));
    const Answer answer = perfmodel({"kernel", name, "--hw", "h200", "--let", let});
    EXPECT_EQ(answer.code, 0) << name << ": " << answer.err;
  }
}

TEST(Rank, a_gpu_that_cannot_run_it_says_why) {
  const Answer answer = perfmodel(words("rank softmax --let rows=64,columns=256 --hw h200,m2090"));
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_NE(answer.out.find("before compute capability 3.0"), std::string::npos);
  const Answer large = perfmodel(words("rank axpy --let n=1000000000 --hw t4,gtx980"));
  EXPECT_NE(large.out.find("does not hold the arrays"), std::string::npos) << large.err;
}

TEST(Rank, takes_prices_one_by_one_and_with_commas_between) {
  const std::string question = "rank axpy --let n=1048576 --hw h200,a100-80 --format csv ";
  const Answer list = perfmodel(words(question + "--price h200=3.5,a100-80=1.5"));
  EXPECT_EQ(list.code, 0) << list.err;
  EXPECT_EQ(list.out, perfmodel(words(question + "--price h200=3.5 --price a100-80=1.5")).out);
}

// 64 GB over 4.814 TB/s.
TEST(Rank, of_operations_and_bytes_says_their_units_and_at_which_roof) {
  const Answer answer = perfmodel(words("rank --flops 2e12 --bytes 64GB --precision bf16 --hw h200"));
  EXPECT_NE(answer.out.find("h200 takes 13.29 ms"), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("Time of 2e12 flop over 64GB, bf16, by GPU"), std::string::npos) << answer.out;
  EXPECT_NE(answer.out.find("device memory at its pins"), std::string::npos) << answer.out;
}

TEST(Rank, wrong_questions_end_in_a_sentence) {
  const auto why = [](const std::string& line) {
    const Answer answer = perfmodel(words(line));
    EXPECT_EQ(answer.code, 2) << line;
    return answer.err;
  };
  EXPECT_NE(why("rank axpi").find("(did you mean 'axpy'?)"), std::string::npos);
  EXPECT_NE(why("rank axpy --let m=4").find("has no size 'm'"), std::string::npos);
  EXPECT_NE(why("rank --let n=4").find("--let gives sizes to a template"), std::string::npos);
  EXPECT_NE(why("rank axpy --flops 3").find("not both"), std::string::npos);
  EXPECT_NE(why("rank --flops 3").find("--bytes is missing"), std::string::npos);
  EXPECT_NE(why("rank axpy --cache cold,warm").find("at one point"), std::string::npos);
  EXPECT_NE(why("rank axpy --let n=2147483648").find("takes at most"), std::string::npos);
  EXPECT_NE(why("rank --flops 3flop --bytes 3B --block 32").find("--block is of a kernel"),
            std::string::npos);
  EXPECT_NE(why("rank axpy --precision fp64").find("--precision is of --flops"), std::string::npos);
  EXPECT_NE(why("rank axpy --hw h200 --price m2090=3").find("not among the GPUs"), std::string::npos);
  EXPECT_NE(why("rank axpy --price h200").find("GPU=NUMBER"), std::string::npos);
  EXPECT_NE(why("rank axpy --price h2000=3").find("unknown GPU"), std::string::npos);
  EXPECT_NE(why("rank softmax --hw m2090").find("no GPU has an answer"), std::string::npos);
}

TEST(Rank, knows_what_others_call_a_template) {
  for (const auto& [said, meant] : {std::pair{"reduction", "sum"},
                                    {"matmul", "gemm"},
                                    {"sofmax", "softmax"},
                                    {"softmax-2pass", "softmax-two-pass"}}) {
    const Answer a = perfmodel({"rank", said});
    EXPECT_EQ(a.code, 2);
    EXPECT_NE(a.err.find(std::string("(did you mean '") + meant + "'?)"), std::string::npos) << a.err;
  }
}

TEST(Rank, offers_no_view_and_refuses_one_in_a_sentence) {
  EXPECT_EQ(perfmodel(words("rank --help")).out.find("--view"), std::string::npos);
  for (const char* view : {"what-if", "summary"}) {
    const Answer a = perfmodel({"rank", "axpy", "--hw", "h200", "--view", view});
    EXPECT_EQ(a.code, 2);
    EXPECT_EQ(a.err, "perfmodel: rank shows no views: ask 'perfmodel kernel' of one GPU\n");
  }
}

TEST(Rank, says_how_to_get_bands_and_asks_few_draws_for_them) {
  const std::vector<std::string> line = words("rank axpy --let n=65536 --hw h200,v100");
  const Answer without = perfmodel(line), with = perfmodel(line + words("--bands"));
  EXPECT_NE(without.out.find("--bands adds how far"), std::string::npos) << without.out;
  EXPECT_EQ(without.out.find("time low"), std::string::npos) << without.out;
  EXPECT_EQ(with.out.find("--bands adds"), std::string::npos) << with.out;
  EXPECT_NE(with.out.find("time low"), std::string::npos) << with.out;
}

TEST(Rank, takes_one_kernel_and_says_who_compares_several) {
  const Answer a = perfmodel(words("rank axpy,gemv --hw h200"));
  EXPECT_EQ(a.code, 2);
  EXPECT_NE(a.err.find("'perfmodel kernel axpy,gemv --hw h200' compares several"), std::string::npos)
      << a.err;
  EXPECT_EQ(perfmodel(words("rank --help")).out.find("several, with commas"), std::string::npos);
}

TEST(Rank, a_gpu_that_runs_no_such_code_is_said_to_be_one_and_how_to_rank_it) {
  const Answer alone = perfmodel(words("rank axpy --hw apple-m1"));
  EXPECT_EQ(alone.code, 2);
  EXPECT_NE(alone.err.find("apple-m1 does not run the machine code of NVIDIA GPUs"), std::string::npos)
      << alone.err;
  EXPECT_NE(alone.err.find("'perfmodel rank --flops 2Gflop --bytes 12GB'"), std::string::npos) << alone.err;
  EXPECT_EQ(perfmodel(words("rank --flops 2Gflop --bytes 12GB --hw apple-m1")).code, 0);
}

} // namespace perfmodel::rank_test
