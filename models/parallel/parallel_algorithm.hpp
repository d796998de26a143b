// The algorithms whose work, depth and cache misses a course counts, and what one operation of each is.
#pragma once

#include <array>
#include <string_view>

namespace perfmodel {

// n is the numbers that a reduction, a scan or an FFT takes, and the rows of the square matrices of a product
// or a transpose.
enum class ParallelAlgorithm {
  reduction,
  scan_serial,
  scan_hillis_steele,
  scan_blelloch,
  matmul_loops,
  matmul_divide_and_conquer,
  matmul_in_place,
  transpose,
  fft
};
constexpr auto names(ParallelAlgorithm) {
  return std::to_array<std::string_view>({"reduction", "scan-serial", "scan-hillis-steele", "scan-blelloch",
                                          "matmul-loops", "matmul-divide-and-conquer", "matmul-in-place",
                                          "transpose", "fft"});
}
constexpr std::string_view name_of(ParallelAlgorithm a) { return names(a)[static_cast<std::size_t>(a)]; }

constexpr std::string_view operation_of(ParallelAlgorithm a) {
  switch (a) {
  case ParallelAlgorithm::matmul_loops:
  case ParallelAlgorithm::matmul_divide_and_conquer:
  case ParallelAlgorithm::matmul_in_place:
    return "multiply-add";
  case ParallelAlgorithm::transpose:
    return "move";
  case ParallelAlgorithm::fft:
    return "butterfly";
  default:
    return "addition";
  }
}

// Whether work and depth are counted to the last operation; else they are a Theta whose constants are 1.
constexpr bool is_counted(ParallelAlgorithm a) {
  return a != ParallelAlgorithm::matmul_divide_and_conquer && a != ParallelAlgorithm::matmul_in_place;
}

// Whether its cache misses are those of its code, line by line; else a Theta with the constants of good
// tiles.
constexpr bool has_counted_misses(ParallelAlgorithm a) {
  return a == ParallelAlgorithm::reduction || a == ParallelAlgorithm::scan_serial ||
         a == ParallelAlgorithm::scan_hillis_steele || a == ParallelAlgorithm::matmul_loops;
}

} // namespace perfmodel
