#include "models/kernel/value_slice.hpp"

#include <gtest/gtest.h>
namespace perfmodel::value_slice_test {
TEST(ValueSlice, placeholder) { SUCCEED(); }
}
