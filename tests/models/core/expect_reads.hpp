// A text that is read as so much of a unit.
#pragma once

#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"

#include <string>

#include <gtest/gtest.h>

namespace perfmodel {

inline void expect_reads(const std::string& text, double value, const Dimension& dimension) {
  try {
    const ParsedQuantity q = parse_quantity(text);
    EXPECT_DOUBLE_EQ(q.value, value) << text;
    EXPECT_TRUE(q.dimension && *q.dimension == dimension) << text;
  } catch (const InputError& e) {
    ADD_FAILURE() << text << ": " << e.what();
  }
}

} // namespace perfmodel
