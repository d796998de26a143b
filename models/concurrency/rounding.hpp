// How far a multiply-add is from the exact result, in units in the last place (ulp), by each way of rounding,
// for operands that the model and the probe share. Operands of 24 bits in [1, 2) make products and sums that
// fp64 holds exactly, so that the exact result is at hand.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace perfmodel::rounding {

struct Operands {
  float x, y, z; // x y + z
};

// Positive addends; or, where `cancelled` bits are to cancel, the negative product but for its part 2^-bits,
// rounded. The same on every machine.
inline std::vector<Operands> operands(int cancelled, std::size_t count = std::size_t{1} << 16) {
  std::vector<Operands> all;
  std::uint64_t state = 0x9E3779B97F4A7C15u;
  const auto next = [&] { // splitmix64; 23 bits of it
    std::uint64_t bits = state += 0x9E3779B97F4A7C15u;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    return 1 + static_cast<float>((bits ^ (bits >> 31)) >> 41) * 0x1p-23f;
  };
  for (std::size_t i = 0; i < count; ++i) {
    const float x = next(), y = next();
    const double product = static_cast<double>(x) * y;
    all.push_back(
        {x, y, cancelled == 0 ? next() : -static_cast<float>(product * (1 - std::exp2(-cancelled)))});
  }
  return all;
}

inline double exact(const Operands& o) { return static_cast<double>(o.x) * o.y + o.z; }

// The distance from one float to the next where `value` lies.
inline double ulp_of(double value) {
  return value == 0 ? std::exp2(-149) : std::exp2(std::fmax(std::ilogb(value), -126) - 23);
}
inline double ulps_off(float result, double value) { return std::fabs(result - value) / ulp_of(value); }

// One rounding, at the end.
inline float fused(const Operands& o) { return static_cast<float>(exact(o)); }
// The product is rounded, then the sum.
inline float apart(const Operands& o) {
  const auto product = static_cast<float>(static_cast<double>(o.x) * o.y);
  return static_cast<float>(static_cast<double>(product) + o.z);
}
// The bits of the product behind the 24th are cut off; the sum is rounded.
inline float cut_off(const Operands& o) {
  const double product = static_cast<double>(o.x) * o.y;
  const double ulp = ulp_of(product);
  return static_cast<float>(std::trunc(product / ulp) * ulp + o.z);
}

} // namespace perfmodel::rounding
