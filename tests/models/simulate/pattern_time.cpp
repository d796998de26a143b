#include "models/simulate/pattern_time.hpp"

#include "models/core/facts.hpp"
#include "models/core/trace.hpp"
#include "tests/models/ask.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace perfmodel::pattern_time_test {

// GB/s of words of 4 bytes that are asked for, on an H200 at 1.98 GHz, 28 November 2026: one launch over 1
// GiB, blocks of 256 threads, no line in L2. The rules of rows, fills and banks were chosen with these in
// view.
struct Measured {
  bool loads, stores;
  int words;
  std::int64_t stride, offset;
  double rate;
};
const Measured measured[] = {
    {true, false, 1, 1, 0, 1687}, {true, false, 4, 1, 0, 4561}, {true, false, 4, 4, 0, 1138},
    {true, false, 8, 16, 0, 284}, {false, true, 1, 2, 0, 1061}, {false, true, 4, 1, 0, 4628},
    {false, true, 8, 8, 0, 259},  {false, true, 8, 32, 0, 91},  {false, true, 8, 64, 0, 66},
    {false, true, 8, 1, 1, 2435}, {true, true, 1, 1, 0, 2783},  {true, true, 1, 1, 31, 2661},
    {true, true, 4, 24, 0, 193},  {true, true, 8, 32, 0, 150},  {true, true, 8, 64, 0, 96}};

TEST(PatternTime, is_near_what_an_h200_takes) {
  const Gpu gpu = measured_gpu("h200");
  Plain plain;
  for (const Measured& m : measured) {
    const PatternKernel pattern{
        .words = m.words, .loads = m.loads, .stores = m.stores, .stride = m.stride, .offset = m.offset};
    const std::int64_t blocks = (std::int64_t{1} << 28) / m.stride / 256 / m.words;
    const double bytes = static_cast<double>(blocks) * 256 * m.words * 4 * (m.loads && m.stores ? 2 : 1);
    const double rate = bytes / pattern_time(gpu, pattern, blocks, 0, plain).time.value / 1e9;
    EXPECT_NEAR(rate / m.rate, 1, 0.13)
        << fmt::format("{}{} {} words, stride {}, offset {}", m.loads ? "load" : "", m.stores ? "store" : "",
                       m.words, m.stride, m.offset);
  }
}

} // namespace perfmodel::pattern_time_test
