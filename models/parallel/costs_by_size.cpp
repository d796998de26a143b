#include "costs_by_size.hpp"

#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace perfmodel {

namespace {

std::vector<std::string_view> parts_of(std::string_view text, char between) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = std::min(text.find(between), text.size());
    parts.push_back(trimmed(text.substr(0, end)));
    if (end == text.size()) return parts;
    text.remove_prefix(end + 1);
  }
}

template <class Q> Q positive(std::string_view text, bool may_be_zero = false) {
  const double value = parse_quantity_as(text, unit_of<Q>());
  if (!(value > 0) && !(may_be_zero && value == 0))
    throw InputError(fmt::format("{} is not above 0", quoted(text)));
  return Q(value);
}

MessageCost piece_of(std::string_view text) {
  const std::vector<std::string_view> parts = parts_of(text, ':');
  if (parts.size() < 3 || parts.size() > 4)
    throw InputError(fmt::format("{} is no piece such as 2KiB:0.4us:3GB/s:20GB/s (sizes up to, alpha, beta, "
                                 "rate of adding)",
                                 quoted(text)));
  MessageCost piece{
      .most = Bytes(std::numeric_limits<double>::infinity()), .alpha = {}, .beta = {}, .adding = {}};
  if (parts[0] != "rest") piece.most = positive<Bytes>(parts[0]);
  piece.alpha = positive<Seconds>(parts[1], true);
  piece.beta = positive<BytesPerSecond>(parts[2]);
  if (parts.size() == 4) piece.adding = positive<BytesPerSecond>(parts[3]);
  return piece;
}

} // namespace

CostsBySize CostsBySize::from_text(std::string_view text) {
  constexpr std::size_t most_pieces = 32;
  const std::vector<std::string_view> parts = parts_of(text, ',');
  if (parts.size() > most_pieces) throw InputError(fmt::format("more than {} ranges of sizes", most_pieces));
  CostsBySize costs;
  for (const std::string_view part : parts) {
    costs.pieces.push_back(piece_of(part));
    if (costs.pieces.size() > 1 && !(costs.pieces.back().most > costs.pieces[costs.pieces.size() - 2].most))
      throw InputError(fmt::format("the size of {} is not above that before it", quoted(part)));
  }
  if (std::isfinite(costs.pieces.back().most.value))
    throw InputError("the last piece is of the 'rest', as in rest:1.2us:9GB/s");
  return costs;
}

std::string CostsBySize::text() const {
  std::string all;
  const auto word = [](double value, const Unit& unit) {
    std::string text = format_quantity(value, unit);
    std::erase(text, ' ');
    return text;
  };
  for (const MessageCost& p : pieces) {
    all +=
        fmt::format("{}{}:{}:{}", all.empty() ? "" : ",",
                    std::isfinite(p.most.value) ? fmt::format("{:.0f}B", p.most.value) : "rest",
                    word(p.alpha.value, unit_of<Seconds>()), word(p.beta.value, unit_of<BytesPerSecond>()));
    if (p.adding) all += ":" + word(p.adding->value, unit_of<BytesPerSecond>());
  }
  return all;
}

const MessageCost& CostsBySize::of(Bytes n) const {
  return *std::find_if(pieces.begin(), pieces.end() - 1, [&](const MessageCost& p) { return n <= p.most; });
}

MessageCost CostsBySize::of_parts(Bytes n, Bytes vector) const {
  MessageCost cost = of(n);
  const MessageCost& whole = of(vector);
  cost.beta = std::min(cost.beta, whole.beta);
  if (cost.adding && whole.adding) cost.adding = std::min(*cost.adding, *whole.adding);
  return cost;
}

} // namespace perfmodel
