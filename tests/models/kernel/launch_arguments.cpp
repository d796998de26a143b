#include "models/kernel/launch_arguments.hpp"

#include <gtest/gtest.h>

#include <bit>

namespace perfmodel::launch_arguments_test {

std::optional<std::uint64_t> in_bank(const KernelCode& code, std::string_view arguments, std::uint64_t at,
                                     std::size_t bytes) {
  const KernelLaunch launch{.grid = {.x = 7, .y = 6, .z = 5},
                            .block = {.x = 64, .y = 2, .z = 1},
                            .arguments = KernelArguments::from_text(arguments)};
  return constant_bank(code, launch).read(at, bytes);
}

KernelCode code_with(std::vector<Parameter> parameters, int capability = 90) {
  KernelCode code{.name = "f", .capability = capability};
  code.parameters = std::move(parameters);
  return code;
}

std::uint64_t of(double x) { return std::bit_cast<std::uint64_t>(x); }

TEST(LaunchArguments, without_a_layout_they_are_packed_as_c_does) {
  const KernelCode code = code_with({});
  constexpr std::string_view list = "n=7,in=1MiB,a=1.5,b=2.5d,m=-1,k=5l";
  EXPECT_EQ(in_bank(code, list, 0x210, 4), 7u);
  EXPECT_EQ(in_bank(code, list, 0x214, 4), std::nullopt); // a gap
  EXPECT_EQ(in_bank(code, list, 0x218, 8), 0x7f0000000000u);
  EXPECT_EQ(in_bank(code, list, 0x220, 4), std::bit_cast<std::uint32_t>(1.5F));
  EXPECT_EQ(in_bank(code, list, 0x228, 8), of(2.5));
  EXPECT_EQ(in_bank(code, list, 0x230, 4), 0xffffffffu);
  EXPECT_EQ(in_bank(code, list, 0x238, 8), 5u);
}

// [seen] on listings: specification of machine code, launch state.
TEST(LaunchArguments, the_bank_holds_the_sides_of_block_and_grid) {
  const KernelCode code = code_with({});
  for (const auto& [at, value] : {std::pair{0x0, 64}, {0x4, 2}, {0x8, 1}, {0xc, 7}, {0x10, 6}, {0x14, 5}})
    EXPECT_EQ(in_bank(code, "", static_cast<std::uint64_t>(at), 4), static_cast<std::uint64_t>(value)) << at;
  EXPECT_TRUE(in_bank(code, "", 0x28, 4));
}

TEST(LaunchArguments, where_the_first_lies_depends_on_the_architecture) {
  for (const auto& [capability, at] :
       {std::pair{90, 0x210}, {89, 0x160}, {70, 0x160}, {100, 0x380}, {35, 0x140}})
    EXPECT_EQ(in_bank(code_with({}, capability), "n=3", static_cast<std::uint64_t>(at), 4), 3u) << capability;
  KernelCode code = code_with({});
  code.parameter_base = 0x300;
  EXPECT_EQ(in_bank(code, "n=3", 0x300, 4), 3u);
}

TEST(LaunchArguments, a_layout_gives_places_and_sizes) {
  const KernelCode code = code_with({{0, 8}, {16, 8}, {24, 4}});
  constexpr std::string_view list = "n=-5,x=1.5,p=1KiB";
  EXPECT_EQ(error_of([&] { in_bank(code, list, 0, 4); }), "--arg p: it has 4 bytes in 'f', not 8");
  constexpr std::string_view fits = "n=-5,x=1.5,y=1.5";
  EXPECT_EQ(in_bank(code, fits, 0x210, 8), static_cast<std::uint64_t>(-5));
  EXPECT_EQ(in_bank(code, fits, 0x220, 8), of(1.5)); // a double, as it has 8 bytes
  EXPECT_EQ(in_bank(code, fits, 0x228, 4), std::bit_cast<std::uint32_t>(1.5F));
}

// 4294967295 is no -1.
TEST(LaunchArguments, only_negative_numbers_are_extended_by_their_sign) {
  const KernelCode code = code_with({{0, 8}});
  EXPECT_EQ(in_bank(code, "n=-1", 0x210, 8), 0xffffffffffffffffu);
  EXPECT_EQ(in_bank(code, "n=4294967295", 0x210, 8), 0xffffffffu);
  EXPECT_EQ(in_bank(code, "n=0x80000000", 0x210, 8), 0x80000000u);
  EXPECT_EQ(in_bank(code, "n=-2147483648", 0x210, 8), 0xffffffff80000000u);
}

TEST(LaunchArguments, a_number_that_fits_into_fewer_bytes_is_taken) {
  const KernelCode code = code_with({{0, 1}, {2, 2}, {4, 4}});
  EXPECT_EQ(in_bank(code, "a=1,b=-2,c=-3l", 0x210, 1), 1u);
  EXPECT_EQ(in_bank(code, "a=1,b=-2,c=-3l", 0x212, 2), 0xfffeu);
  EXPECT_EQ(in_bank(code, "a=1,b=-2,c=-3l", 0x214, 4), 0xfffffffdu);
  EXPECT_EQ(error_of([&] { in_bank(code, "a=256,b=0,c=0", 0, 1); }), "--arg a: it has 1 bytes in 'f', not 4");
  EXPECT_EQ(error_of([&] { in_bank(code, "a=0,b=-40000,c=0", 0, 1); }),
            "--arg b: it has 2 bytes in 'f', not 4");
}

TEST(LaunchArguments, a_wrong_number_of_them_is_refused) {
  EXPECT_EQ(error_of([] {
              in_bank(code_with({{0, 8}, {8, 4}}), "n=1", 0, 4);
            }),
            "'f' has 2 arguments, of 8, 4 bytes; --arg gives 1");
  EXPECT_EQ(error_of([] {
              in_bank(code_with({{0, 8}}), "n=1,m=2", 0, 4);
            }),
            "'f' has 1 argument, of 8 bytes; --arg gives 2");
}

TEST(LaunchArguments, pointers_are_allocations_apart_from_one_another) {
  const KernelArguments made = KernelArguments::from_text("a=64MiB,b=4B,n=5,c=1KiB+4,d=0B");
  ASSERT_EQ(made.allocations.size(), 4u);
  EXPECT_EQ(made.allocations[0].bytes, 64u << 20);
  EXPECT_EQ(made.allocations[2].name, "c");
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(made.allocations[i].address % (2 << 20), 0u);
    if (i > 0) {
      const Allocation& before = made.allocations[i - 1];
      EXPECT_GE(made.allocations[i].address, before.address + before.bytes + (1 << 20));
    }
  }
  const auto address = made.allocations[2].address;
  EXPECT_EQ(in_bank(code_with({}), "a=64MiB,b=4B,n=5,c=1KiB+4,d=0B", 0x228, 8), address + 4);
  EXPECT_TRUE(made.list[3].points);
  EXPECT_EQ(made.list[2].name, "n");
  EXPECT_FALSE(made.list[2].points);
}

TEST(LaunchArguments, numbers_are_decimal_or_hexadecimal) {
  const KernelCode code = code_with({});
  EXPECT_EQ(in_bank(code, "n=010", 0x210, 4), 10u);
  EXPECT_EQ(in_bank(code, "n=0x1e", 0x210, 4), 30u);
  EXPECT_EQ(in_bank(code, "n=-0xe", 0x210, 4), static_cast<std::uint32_t>(-14));
  EXPECT_EQ(in_bank(code, "n=0x1d", 0x210, 4), 29u);
  EXPECT_EQ(in_bank(code, "n=0xffffffffffffffffl", 0x210, 8), 0xffffffffffffffffu);
  EXPECT_EQ(in_bank(code, "n=-9223372036854775808l", 0x210, 8), 0x8000000000000000u);
  EXPECT_EQ(in_bank(code, "n=1.0e3", 0x210, 4), std::bit_cast<std::uint32_t>(1000.0F));
  EXPECT_EQ(in_bank(code, "n=3d", 0x210, 8), of(3.0));
}

TEST(LaunchArguments, what_is_too_large_or_no_number_is_refused) {
  const auto error = [](std::string_view text) {
    return error_of([&] { KernelArguments::from_text(text); });
  };
  EXPECT_EQ(error("n=4294967296"), "'n=4294967296': more than 32 bits; with a trailing l it has 64");
  EXPECT_EQ(error("n=-2147483649"), "'n=-2147483649': more than 32 bits; with a trailing l it has 64");
  EXPECT_EQ(error("n=99999999999999999999l"), "'n=99999999999999999999l': more than 64 bits");
  EXPECT_EQ(error("n=1.5l"), "'n=1.5l': a whole number is expected in front of l");
  EXPECT_EQ(error("p=2PB"), "'p=2PB': a size of an allocation is expected, up to 1 PB");
  EXPECT_EQ(error("p=1KiB+x"), "'p=1KiB+x': bytes are expected behind +");
  EXPECT_EQ(error("p=1KiB+-4"), "'p=1KiB+-4': bytes are expected behind +");
  for (const char* text :
       {"n=1ll", "n=four", "n=1 2", "n=0x", "n=-", "n=.", "p=1KiB+4+4", "p=-1KiB", "n=0x1p3"})
    EXPECT_NE(error(text), "no error") << text;
}

TEST(LaunchArguments, names_are_what_stands_in_front_of_the_first_equals_sign) {
  const auto error = [](std::string_view text) {
    return error_of([&] { KernelArguments::from_text(text); });
  };
  EXPECT_EQ(error("n=1,m=2,n=3"), "'n=3': the name is given twice");
  EXPECT_EQ(error("=1"), "'=1': name=value is expected, such as n=1024 or in=64MiB");
  EXPECT_EQ(error("n"), "'n': name=value is expected, such as n=1024 or in=64MiB");
  EXPECT_EQ(error("n="), "'n=': a value is missing behind =");
  EXPECT_EQ(error("n=1,,m=2"), "'': name=value is expected, such as n=1024 or in=64MiB");
  EXPECT_EQ(KernelArguments::from_text("").list.size(), 0u);
  EXPECT_EQ(KernelArguments::from_text("größe x.y[0]=1").list[0].name, "größe x.y[0]");
  EXPECT_NE(error("a=b=c"), "no error");
}

TEST(LaunchArguments, a_real_number_is_no_whole_one_where_the_name_says_the_types) {
  KernelCode code = code_with({});
  code.name = "_Z5scalePfif";
  const std::string expected = "--arg n: a whole number is expected, for it is of type int in 'scale'";
  EXPECT_EQ(error_of([&] { in_bank(code, "p=1KiB,n=1.5,a=2.0", 0, 4); }), expected);
  EXPECT_EQ(error_of([&] { in_bank(code, "p=1KiB,n=1.5d,a=2.0", 0, 4); }), expected);
  EXPECT_EQ(in_bank(code, "p=1KiB,n=3,a=2.0", 0x218, 4), 3u);
  code.name = "scale"; // of C: it does not say
  EXPECT_EQ(in_bank(code, "p=1KiB,n=1.5,a=2.0", 0x218, 4), std::bit_cast<std::uint32_t>(1.5F));
}

TEST(LaunchArguments, a_whole_number_is_a_real_one_where_the_name_says_that_the_kernel_takes_one) {
  KernelCode code = code_with({});
  code.name = "_Z5scalePfif";
  EXPECT_EQ(in_bank(code, "p=1KiB,n=3,a=2", 0x21c, 4), std::bit_cast<std::uint32_t>(2.0F));
  EXPECT_EQ(in_bank(code, "p=1KiB,n=3,a=-2", 0x21c, 4), std::bit_cast<std::uint32_t>(-2.0F));
  EXPECT_EQ(in_bank(code, "p=1KiB,n=3,a=0x40", 0x21c, 4), 0x40u) << "bits, as they are given";
  EXPECT_EQ(in_bank(code, "p=1KiB,n=3,a=2", 0x218, 4), 3u);
  code.name = "_Z5scalePfd";
  EXPECT_EQ(in_bank(code, "p=1KiB,a=-2", 0x218, 8), of(-2.0));
  code.name = "scale"; // of C: it does not say
  EXPECT_EQ(in_bank(code, "p=1KiB,n=3,a=2", 0x21c, 4), 2u);
}

} // namespace perfmodel::launch_arguments_test
