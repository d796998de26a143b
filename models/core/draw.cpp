#include "draw.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <utility>

namespace perfmodel {

namespace {

// FNV-1a: a seed that is the same everywhere, as std::hash is not.
std::uint64_t seed_of(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

using Order = std::array<int, draws>;

Order order_of(std::string_view name) {
  Order order{};
  std::iota(order.begin(), order.end(), 0);
  std::uint64_t state = seed_of(name);
  for (std::size_t i = draws - 1; i > 0; --i) std::swap(order[i], order[next_random(state) % (i + 1)]);
  return order;
}

} // namespace

double place_in_range(std::string_view name, int draw) {
  thread_local std::map<std::string, Order, std::less<>> orders;
  auto at = orders.find(name);
  if (at == orders.end()) at = orders.emplace(name, order_of(name)).first;
  return (at->second[static_cast<std::size_t>(draw - 1)] + 0.5) / draws;
}

double value_at(double place, double low, double value, double high) {
  const double p = std::clamp(place, 0.05, 0.95);
  return p < 0.5 ? value - (value - low) * (0.5 - p) / 0.45 : value + (high - value) * (p - 0.5) / 0.45;
}

} // namespace perfmodel
