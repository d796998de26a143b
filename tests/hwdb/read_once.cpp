#include "hwdb/read_once.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace perfmodel::hwdb {

TEST(ReadOnce, a_text_is_read_once_and_another_anew) {
  ReadOnce<std::size_t> lengths;
  int read = 0;
  const auto length = [&](const std::string& text) {
    ++read;
    return text.size();
  };
  EXPECT_EQ(*lengths.of("four", length), 4u);
  EXPECT_EQ(*lengths.of("four", length), 4u);
  EXPECT_EQ(read, 1);
  EXPECT_EQ(*lengths.of("three", length), 5u);
  EXPECT_EQ(read, 2);
}

TEST(ReadOnce, what_cannot_be_read_is_tried_again) {
  ReadOnce<int> numbers;
  EXPECT_THROW(numbers.of("one", [](const std::string&) -> int { throw std::runtime_error("no"); }),
               std::runtime_error);
  EXPECT_EQ(*numbers.of("one", [](const std::string&) { return 1; }), 1);
}

} // namespace perfmodel::hwdb
