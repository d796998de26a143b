// What somebody meets who has only --help and the README.
#include "program.hpp"

#include "hwdb/database.hpp"

#include <gtest/gtest.h>

namespace perfmodel::first_steps_test {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(FirstSteps, who_names_no_gpu_is_told_how_and_where_they_stand) {
  const Answer a = perfmodel({"occupancy"});
  EXPECT_EQ(a.code, 2);
  EXPECT_EQ(a.err, "perfmodel occupancy: --hw is missing: which GPU, as in 'perfmodel occupancy --hw h200'; "
                   "'perfmodel hw list' shows all\n");
}

TEST(FirstSteps, a_cards_number_is_enough_to_be_told_its_name) {
  const Answer a = perfmodel(words("balance --hw 4090"));
  EXPECT_EQ(a.code, 2);
  EXPECT_EQ(a.err,
            "perfmodel: unknown GPU '4090' (did you mean 'rtx4090'?); 'perfmodel hw list' shows all\n");
  EXPECT_FALSE(holds(perfmodel(words("balance --hw zzz")).err, "did you mean"));
}

TEST(FirstSteps, of_several_gpus_each_is_named_once_in_its_sentence) {
  const Answer a = perfmodel(words("kernel axpy --hw h200,v100 --let n=1048576"));
  EXPECT_EQ(a.out.rfind("h200: axpy takes ", 0), 0u) << a.out;
  EXPECT_TRUE(holds(a.out, "\nv100: axpy takes ")) << a.out;
  EXPECT_FALSE(holds(a.out, " on h200,") || holds(a.out, " on v100,")) << a.out;
  EXPECT_TRUE(holds(perfmodel(words("kernel axpy --hw h200 --let n=1048576")).out, " on h200, bound by"));
}

TEST(FirstSteps, a_view_is_answered_before_its_table) {
  const auto first = [](const std::string& view) {
    const std::string out = perfmodel(words("kernel vector-copy --hw h200 --grid 4096 --view " + view)).out;
    return out.substr(0, out.find("\n\n"));
  };
  EXPECT_TRUE(holds(first("stalls"), "Most of the time of resident warps, ")) << first("stalls");
  EXPECT_TRUE(holds(first("stalls"), "long scoreboard: the warp waits for data from global"))
      << first("stalls");
  EXPECT_TRUE(holds(first("pipes"), "The busiest unit is ")) << first("pipes");
}

TEST(FirstSteps, sizes_of_a_template_are_not_given_as_arguments) {
  const Answer few = perfmodel(words("kernel axpy --hw h200 --arg n=1.5"));
  EXPECT_EQ(few.code, 2);
  EXPECT_TRUE(holds(few.err, "--arg: 'axpy' takes 4 arguments, not 1: ")) << few.err;
  EXPECT_TRUE(holds(few.err, "as in --let n=10000000")) << few.err;
  const Answer broken = perfmodel(words("kernel axpy --hw h200 --arg y=4MiB,x=4MiB,n=1.5,a=0.5"));
  EXPECT_EQ(broken.code, 2);
  EXPECT_TRUE(holds(broken.err, "--arg n: a whole number is expected")) << broken.err;
  const Answer other = perfmodel(words("kernel axpy --hw h200 --arg y=4MiB,x=4MiB,n=1048576,a=0.5"));
  EXPECT_EQ(other.code, 0);
  EXPECT_TRUE(holds(other.err, "--arg leaves the grid as it is for n=10000000: --let changes both"))
      << other.err;
}

TEST(FirstSteps, a_function_of_a_listing_is_chosen_by_the_name_that_people_write) {
  const std::string listing = (hwdb::default_folder() / "kernels/templates/9.0.sass").string();
  const auto ask = [&](const std::string& more) {
    return perfmodel(words("kernel " + listing + " --hw h200 --grid 4 --block 256 --index spread " + more));
  };
  const Answer histogram = ask("--kernel histogram --arg in=1MiB,counts=1KiB,words=262144");
  EXPECT_EQ(histogram.out.rfind("histogram takes ", 0), 0u) << histogram.err; // there is histogram_global
  const Answer none = ask("");
  EXPECT_EQ(none.code, 2);
  EXPECT_EQ(none.err.rfind("perfmodel: --kernel is missing: which of the listing's ", 0), 0u) << none.err;
  EXPECT_TRUE(holds(none.err, "functions, 'axpy', 'gemv', ") && holds(none.err, " more?")) << none.err;
  const Answer several = ask("--kernel softmax");
  EXPECT_EQ(several.code, 2);
  EXPECT_TRUE(holds(several.err, "--kernel: 'softmax' may be one of 'softmax_kept', 'softmax_online'"))
      << several.err;
  EXPECT_TRUE(holds(ask("--kernel histogramm").err,
                    "is named 'histogramm' (did you mean 'histogram'?); it has 'axpy', "));
}

// Its template arguments tell a function from its namesakes, as far as they are asked to.
TEST(FirstSteps, a_function_is_chosen_by_its_template_arguments) {
  const std::string listing = (hwdb::default_folder() / "kernels/matmul/9.0.sass").string();
  const auto ask = [&](const std::string& kernel) {
    return perfmodel({"kernel", listing, "--hw", "h200", "--grid", "2x2", "--block", "16x16", "--arg",
                      "a=4KiB,b=4KiB,c=4KiB,n=32", "--kernel", kernel});
  };
  EXPECT_EQ(ask("matmul_tiled<16>").code, 0) << ask("matmul_tiled<16>").err;
  EXPECT_TRUE(holds(ask("matmul_tiled").err, "'matmul_tiled' may be one of 'matmul_tiled<10>', "))
      << ask("matmul_tiled").err;
}

TEST(FirstSteps, who_has_asked_for_reasons_is_not_told_to_ask_for_them) {
  EXPECT_TRUE(
      holds(perfmodel(words("littles-law --hw h200")).out, "assumed constants; --explain shows on what."));
  const std::string reasons = perfmodel(words("littles-law --hw h200 --explain")).out;
  EXPECT_TRUE(holds(reasons, "assumed constants.\n")) << reasons;
}

TEST(FirstSteps, one_warp_diverges_and_two_diverge) {
  EXPECT_EQ(perfmodel(words("divergence --hw h200 --if tid<3")).out.rfind("1 of 8 warps diverges, ", 0), 0u);
  EXPECT_EQ(perfmodel(words("divergence --hw h200 --if tid%40<3")).out.find("1 of 8 warps"),
            std::string::npos);
}

TEST(FirstSteps, the_help_of_a_kernel_lists_the_templates_with_their_sizes) {
  const std::string help = perfmodel(words("kernel --help")).out;
  const std::size_t list = help.find("\nTemplates, with their usual sizes, which --let changes:\n");
  ASSERT_NE(list, std::string::npos);
  EXPECT_LT(help.find("stencil7 ", list), help.find("\nExamples:", list));
}

TEST(FirstSteps, a_ranking_of_a_function_of_a_file_is_titled_by_both) {
  const std::string listing = (hwdb::default_folder() / "kernels/templates/9.0.sass").string();
  const Answer a = perfmodel({"rank", listing, "--hw", "h200", "--kernel", "4axpyE", "--grid", "4", "--arg",
                              "y=4KiB,x=4KiB,n=1024,a=2"});
  EXPECT_TRUE(holds(a.out, "\nTime of axpy of 9.0.sass by GPU\n")) << a.out << a.err;
}

// A count that is the same on every GPU is not said to be of another one.
TEST(FirstSteps, what_is_published_of_any_gpu_is_left_out_of_a_picture_for_its_own_reason) {
  const Scratch scratch;
  const Answer a = perfmodel(words("divergence --hw h200 --published -o") + std::vector{scratch / "a.svg"});
  ASSERT_EQ(a.code, 0) << a.err;
  const std::string svg = contents(scratch / "a.svg");
  EXPECT_TRUE(holds(svg, "2 published rows name their blocks, which this chart does not"));
  EXPECT_FALSE(holds(svg, "other values of GPU"));
  EXPECT_FALSE(holds(svg, ">published<"));
}

TEST(FirstSteps, words_that_answers_and_courses_use_are_explained) {
  for (const char* word : {"pieces", "coalesced", "warp divergence", "tensor core", "tail effect",
                           "register spilling", "HBM", "local memory"})
    EXPECT_EQ(perfmodel({"explain", word}).code, 0) << word;
}

} // namespace perfmodel::first_steps_test
