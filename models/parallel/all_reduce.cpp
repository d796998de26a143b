#include "all_reduce.hpp"

#include "all_reduce_steps.hpp"
#include "all_reduce_winners.hpp"
#include "network.hpp"

#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/in_words.hpp"
#include "models/core/trace.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel {

namespace {

using Algorithm = AllReduceAlgorithm;

// What was measured of a protocol, and the share of a link that its flags leave.
struct ProtocolFacts {
  const Key<Seconds>&launch, &latency;
  const Key<BytesPerSecond>&bandwidth, &exchange, &reduction;
  double share;
};
ProtocolFacts facts_of(NcclProtocol protocol) {
  switch (protocol) {
  case NcclProtocol::ll:
    return {facts::nccl_ll_launch,   facts::nccl_ll_latency,   facts::nccl_ll_bandwidth,
            facts::nccl_ll_exchange, facts::nccl_ll_reduction, 1. / 2};
  case NcclProtocol::ll128:
    return {facts::nccl_ll128_launch,   facts::nccl_ll128_latency,   facts::nccl_ll128_bandwidth,
            facts::nccl_ll128_exchange, facts::nccl_ll128_reduction, 120. / 128};
  default:
    return {facts::nccl_simple_launch,   facts::nccl_simple_latency,   facts::nccl_simple_bandwidth,
            facts::nccl_simple_exchange, facts::nccl_simple_reduction, 1};
  }
}

template <class T> auto alpha_of(const Gpu& gpu, const AllReduce::Input& in, T& trace) {
  if (in.protocol && !in.latency)
    return trace.define("alpha", "a step of the protocol beside its bytes",
                        trace.cost(gpu, facts_of(*in.protocol).latency));
  return network::given_or(trace, "alpha", in.latency,
                           gpu.name.empty() ? network::latency : network::between_gpus);
}

template <class T> auto beta_of(const Gpu& gpu, const AllReduce::Input& in, T& trace) {
  if (in.bandwidth || gpu.name.empty())
    return network::given_or(trace, "beta", in.bandwidth, network::bandwidth);
  // Measured between two GPUs: between more, the link of one may have to carry messages of others.
  const auto measured = [&](const Key<BytesPerSecond>& key, std::string_view note) {
    if (in.ranks == 2) return trace.define("beta", note, trace.fact(gpu, key));
    return trace.define("beta", note, trace.assume("s", network::share_of_pair) * trace.fact(gpu, key));
  };
  // In every algorithm each rank sends and receives at once.
  if (in.protocol && gpu.find(facts_of(*in.protocol).exchange))
    return measured(facts_of(*in.protocol).exchange, "what the protocol carries in each direction at once");
  if (in.protocol && gpu.find(facts_of(*in.protocol).bandwidth))
    return measured(facts_of(*in.protocol).bandwidth, "what the protocol carries in one direction");
  const double share = in.protocol ? facts_of(*in.protocol).share : 1;
  if (share < 1) {
    if (gpu.find(facts::nvlink_bandwidth))
      return trace.define("beta", "one direction of NVLink, without the flags",
                          trace.number(share) * trace.fact(gpu, facts::nvlink_bandwidth) / 2.0);
    return trace.define("beta", "one direction of PCI Express, without the flags",
                        trace.number(share) * trace.fact(gpu, facts::pcie_bandwidth));
  }
  if (gpu.find(facts::nvlink_bandwidth))
    return trace.define("beta", "one direction of NVLink", trace.fact(gpu, facts::nvlink_bandwidth) / 2.0);
  return trace.define("beta", "one direction of PCI Express", trace.fact(gpu, facts::pcie_bandwidth));
}

void check(const Gpu& gpu, const AllReduce::Input& in) {
  if (in.ranks < 2) throw InputError("--ranks 1: one rank has its sum already, 2 or more are expected");
  if (in.protocol && gpu.name.empty())
    throw InputError("--protocol is NCCL's, between GPUs: --hw says of which");
  if (in.one_way && !in.costs)
    throw InputError("--one-way goes with --costs, which is of messages both ways at once");
  if (in.costs && (in.latency || in.bandwidth || in.reduction || in.protocol))
    throw InputError("--costs says alpha, beta and gamma of every size: --latency, --bandwidth, --reduction "
                     "and --protocol do not go with it");
}

AllReduce::Row row_of(Algorithm a, const AllReduce::Input& in, double steps, Seconds time) {
  return {.algorithm = a,
          .ranks = in.ranks,
          .bytes = in.bytes,
          .steps = steps,
          .time = time,
          .bus = 2 * (in.ranks - 1) / in.ranks * in.bytes / time};
}

// Each step at the size that it sends.
template <class T> AllReduce::Tables by_size(const AllReduce::Input& in, T& trace) {
  AllReduce::Tables tables;
  auto& [rows, won] = tables;
  const auto n = trace.input("n", in.bytes);
  for (std::size_t i = 0; i < names(Algorithm{}).size(); ++i) {
    const auto a = static_cast<Algorithm>(i);
    auto sum = trace.number(Seconds(0));
    for (const AllReduceSteps& s : steps_of(a, in.ranks)) {
      const MessageCost cost = cost_of(s, in, in.bytes);
      const auto size = trace.number(s.share) * n;
      sum = sum + trace.number(s.messages) * (trace.number(cost.alpha) + size / trace.number(cost.beta));
      if (cost.adding) sum = sum + trace.number(s.sums) * (size / trace.number(*cost.adding));
    }
    const auto time =
        trace.define(fmt::format("T({})", names(a)[i]), "each step at the size that it sends", sum);
    rows.push_back(row_of(a, in, counts_of(a, in.ranks, false).steps, value_of(time)));
  }
  const auto best = [&](Bytes size) {
    auto least = Algorithm{};
    for (std::size_t i = 1; i < names(least).size(); ++i)
      if (time_of(static_cast<Algorithm>(i), size, in) < time_of(least, size, in))
        least = static_cast<Algorithm>(i);
    return least;
  };
  won = winners(best, in.ranks);
  return tables;
}

void compare_with_fastest(std::vector<AllReduce::Row>& rows) {
  const auto by_time = [](const AllReduce::Row& a, const AllReduce::Row& b) { return a.time < b.time; };
  const Seconds least = std::min_element(rows.begin(), rows.end(), by_time)->time;
  for (AllReduce::Row& row : rows) row.slower = row.time / least;
}

} // namespace

template <class T>
AllReduce::Tables AllReduce::predict(const Gpu& gpu, const AllReduce::Input& in, T& trace) {
  check(gpu, in);
  if (in.costs) {
    Tables tables = by_size(in, trace);
    compare_with_fastest(std::get<0>(tables));
    return tables;
  }
  const auto alpha = alpha_of(gpu, in, trace);
  const auto beta = beta_of(gpu, in, trace);
  const auto n = trace.input("n", in.bytes);
  Tables tables;
  auto& [rows, won] = tables;
  const Key<BytesPerSecond>* adding = nullptr;
  if (in.protocol && gpu.find(facts_of(*in.protocol).reduction)) adding = &facts_of(*in.protocol).reduction;
  const auto rate = in.reduction ? in.reduction
                    : adding     ? std::optional(gpu.at(*adding).value)
                                 : std::nullopt;
  std::vector<CostLine> lines;
  for (std::size_t i = 0; i < names(Algorithm{}).size(); ++i) {
    const auto a = static_cast<Algorithm>(i);
    const AllReduceCounts c = counts_of(a, in.ranks, in.protocol.has_value());
    const auto alphas = trace.number(c.steps) * alpha;
    const auto flow = (in.protocol ? trace.cost(gpu, facts_of(*in.protocol).launch) + alphas : alphas) +
                      trace.number(c.sent) * n / beta;
    const auto all = in.reduction ? flow + trace.number(c.added) * n / trace.input("1/gamma", *in.reduction)
                     : adding != nullptr ? flow + trace.number(c.added) * n / trace.fact(gpu, *adding)
                                         : flow;
    const auto time = trace.define(fmt::format("T({})", names(a)[i]), "all steps one after the other", all);
    rows.push_back(row_of(a, in, c.steps, value_of(time)));
    const double slope = c.sent / value_of(beta).value + (rate ? c.added / rate->value : 0);
    lines.push_back({names(a)[i], c.steps * value_of(alpha).value, slope});
  }
  compare_with_fastest(rows);
  won = winners(std::move(lines), in.ranks);
  return tables;
}

namespace {
bool by_time(const AllReduce::Row& a, const AllReduce::Row& b) { return a.time < b.time; }
} // namespace

const void* AllReduce::said(const Input&, const Tables& tables) {
  const std::vector<Row>& rows = std::get<0>(tables);
  return rows.empty() ? nullptr : &std::min_element(rows.begin(), rows.end(), by_time)->time;
}

std::string AllReduce::verdict(const Gpu&, const AllReduce::Input& in, const Tables& tables) {
  const auto& [rows, won] = tables;
  const Row& best = *std::min_element(rows.begin(), rows.end(), by_time);
  const Row& worst = *std::max_element(rows.begin(), rows.end(), by_time);
  const auto name = [](const Row& row) {
    return names(row.algorithm)[static_cast<std::size_t>(row.algorithm)];
  };
  std::string text = fmt::format("{} is fastest for {} on {}: {}; {} takes {} times as long.", name(best),
                                 in_words(in.bytes), in_words(in.ranks, "ranks"), in_words(best.time),
                                 name(worst), in_words(worst.slower));
  if (won.size() > 1 && won.back().algorithm == name(best))
    text += fmt::format(" It wins from {} on.", in_words(won.back().from));
  else if (won.size() > 1)
    text += fmt::format(" From {} on {} wins.", in_words(won.back().from), won.back().algorithm);
  return text;
}

template AllReduce::Tables AllReduce::predict(const Gpu&, const AllReduce::Input&, Plain&);
template AllReduce::Tables AllReduce::predict(const Gpu&, const AllReduce::Input&, Recorder&);

} // namespace perfmodel
