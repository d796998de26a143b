#include "block_runs.hpp"
#include "division_code.hpp"

#include <gtest/gtest.h>

#include <random>

namespace perfmodel::division_test {

// Where the first allocation lies.
std::int64_t out_of(std::string_view arguments) {
  return static_cast<std::int64_t>(KernelArguments::from_text(arguments).allocations[0].address);
}

// Addresses are those that C++ computes, for random operands of every length.
TEST(Division, of_32_bits_is_exact_in_every_lane) {
  std::mt19937 random(1);
  for (int n = 0; n < 100; ++n) {
    const auto a = static_cast<std::uint32_t>(random()) >> random() % 32,
               b = static_cast<std::uint32_t>(random());
    const auto c = static_cast<std::int32_t>(random()) >> random() % 31,
               d = static_cast<std::int32_t>(random());
    const std::string arguments = fmt::format("out=1MiB,a={},b={},c={},d={}", a, b, c, d);
    const SeenBlock seen = run_listing(division_code, "divmod", {.arguments = arguments});
    ASSERT_EQ(seen.issued("STG"), 4u);
    for (std::uint32_t t = 0; t < 32; ++t) {
      const std::uint32_t x = a * (t * 2654435761U + 1), y = (b >> t) | 1;
      const auto u = static_cast<std::int32_t>(static_cast<std::uint32_t>(c) * (t * 2246822519U + 1));
      const std::int32_t v = (d >> t) | 1;
      const std::int64_t quotient = std::int64_t{u} / v; // of 64 bits: -2^31 / -1 does not trap
      const std::vector<std::int64_t> at = stored_at(seen, t);
      const std::int64_t out = out_of(arguments);
      ASSERT_EQ(at.size(), 4u) << arguments;
      std::vector<std::int64_t> expected{out + x / y, out + x % y, out + static_cast<std::int32_t>(quotient),
                                         out + u % std::int64_t{v}};
      EXPECT_EQ(at, expected) << arguments << ", thread " << t;
    }
  }
}

// LaneWords whose operands fit into 32 bits take one way, the others call a function; all meet again.
TEST(Division, of_64_bits_calls_a_function_where_it_must) {
  std::mt19937_64 random(2);
  for (int n = 0; n < 100; ++n) {
    const std::uint64_t a = random() >> random() % 64, b = random() >> random() % 64;
    const std::string arguments = fmt::format("out=1MiB,a=0x{:x}l,b=0x{:x}l", a, b);
    const SeenBlock seen = run_listing(division_code, "divmod64", {.arguments = arguments});
    ASSERT_EQ(seen.issued("STG"), 2u) << arguments;
    EXPECT_EQ(seen.issued("CALL"), seen.issued("RET"));
    for (std::uint64_t t = 0; t < 32; ++t) {
      const std::uint64_t x = a * (t * 2654435761U + 1), y = (b >> t) | 1, mask = 0xffffffffff;
      const std::int64_t out = out_of(arguments);
      std::vector<std::int64_t> at = stored_at(seen, t);
      EXPECT_EQ(at, (std::vector{out + static_cast<std::int64_t>(x / y & mask),
                                 out + static_cast<std::int64_t>(x % y & mask)}))
          << arguments << ", thread " << t;
    }
  }
}

} // namespace perfmodel::division_test
