#include "message.hpp"

#include "message_ranks.hpp"
#include "models/core/error.hpp"
#include "models/core/in_words.hpp"
#include "models/core/trace.hpp"
#include "network.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel {

namespace {

// What both sides and the network take, as terms of either trace.
template <class T> struct Parameters {
  explicit Parameters(const MessageModel::Input& in, T& trace)
      : latency(network::given_or(trace, "L", in.latency, network::latency)),
        beta(network::given_or(trace, "beta", in.bandwidth, network::bandwidth)),
        overhead(trace.input("o", in.overhead)),
        alpha(trace.define("alpha", "time of a message beside its bytes", latency + 2.0 * overhead)) {}
  using S = decltype(std::declval<T&>().input("", Seconds{}));
  using B = decltype(std::declval<T&>().input("", BytesPerSecond{}));
  S latency;
  B beta;
  S overhead, alpha;
};

template <class T>
MessageModel::Cost cost(const MessageModel::Input& in, const Parameters<T>& p, bool rendezvous, T& trace) {
  const std::string name = rendezvous ? "rendezvous" : "eager";
  const auto of = [&](const char* symbol) { return fmt::format("{}({})", symbol, name); };
  const auto n = trace.input("n", in.bytes);
  const auto start =
      rendezvous ? trace.define("alpha(rendezvous)", "with request and answer", 2.0 * p.alpha) : p.alpha;
  const auto time = trace.define(of("T"), "after Hockney", start + n / p.beta);
  const auto loggp =
      trace.define(of("LogGP"), "after LogGP, G = 1 / beta", start + (n - trace.number(Bytes(1))) / p.beta);
  MessageModel::Cost row{.protocol = name,
                         .bytes = in.bytes,
                         .latency = value_of(p.latency),
                         .bandwidth = value_of(p.beta),
                         .overhead = in.overhead > Seconds(0) ? in.overhead : Seconds(absent),
                         .gap = in.gap.value_or(Seconds(absent)),
                         .messages = in.messages > 1 ? in.messages : absent,
                         .time = value_of(time),
                         .loggp = value_of(loggp),
                         .rate = in.bytes / value_of(time),
                         .half = value_of(start) * value_of(p.beta),
                         .used = {}};
  if (in.messages > 1) {
    const Seconds each = std::max({in.gap.value_or(in.overhead), in.overhead, in.bytes / value_of(p.beta)});
    row.train = row.loggp + (in.messages - 1) * each;
  }
  if (in.eager_limit) row.used = (in.bytes > *in.eager_limit) == rendezvous ? "yes" : "no";
  return row;
}

// What each way of moving the bytes does on a side: Giorgi, lesson 30, slide 10.
struct Method {
  const char* name;
  bool system_call, copies;
  bool by_processor; // else by a processor of the interface's own
  const char* what;
};
constexpr Method methods[] = {
    {"processor", false, true, true, "the processor moves every word to the interface"},
    {"operating-system", true, true, true, "a system call and a copy into system space; DMA sends it"},
    {"dma", true, false, true, "a system call programs the DMA engine with address and size"},
    {"message-processor", true, true, false, "a processor of the interface does all of it"},
    {"zero-copy", false, false, true, "tagged messages go from user space to user space"}};

template <class T>
MessageModel::Copying copying(const MessageModel::Input& in, const Parameters<T>& p, const Method& method,
                              T& trace) {
  const auto zero = trace.number(Seconds(0));
  const auto call =
      method.system_call ? network::given_or(trace, "s", in.system_call, network::system_call) : zero;
  const auto n = trace.input("n", in.bytes);
  const auto copy = method.copies ? n / network::given_or(trace, "c", in.copy, network::copying) : zero;
  const auto side = call + copy;
  const auto time = trace.define(fmt::format("T({})", method.name), "both sides and the network",
                                 2.0 * side + p.alpha + n / p.beta);
  const Seconds busy = in.overhead + (method.by_processor ? value_of(side) : Seconds(0));
  return {.method = method.name,
          .time = value_of(time),
          .busy = busy > Seconds(0) ? busy : Seconds(absent),
          .rate = in.bytes / value_of(time),
          .copies = method.copies ? 2.0 : 0.0,
          .by = method.what};
}

void check(const MessageModel::Input& in) {
  const auto of_one = [&](bool given, const char* option) {
    if (in.program && given)
      throw InputError(
          fmt::format("{} is of one message: the statements of --program say it themselves", option));
  };
  of_one(in.compute.has_value(), "--compute");
  of_one(in.bytes != MessageModel::Input{}.bytes, "--bytes");
  of_one(in.messages != 1, "--messages");
  of_one(in.gap.has_value(), "--gap");
  of_one(in.eager_limit.has_value(), "--eager-limit");
  of_one(in.system_call.has_value(), "--system-call");
  if (!in.program && in.sends != MessageModel::Input{}.sends)
    throw InputError("--sends is of a program: --program says which");
  if (!in.program && in.lock) throw InputError("--lock is of a program: --program says which");
}

bool has_buffered(const RankProgram& program, SendMode asked) {
  for (const std::vector<Statement>& code : program.code)
    for (const Statement& s : code)
      if (s.action == Action::send && (s.mode == SendMode::as_asked ? asked : s.mode) == SendMode::buffered)
        return true;
  return false;
}

template <class T>
RunOutcome run_program(const MessageModel::Input& in, const Parameters<T>& p, T& trace, bool logged) {
  const Seconds alpha = value_of(p.alpha);
  const SendMode sends = in.sends == Sends::buffered ? SendMode::buffered : SendMode::synchronous;
  BytesPerSecond speed{1}; // of nobody
  if (has_buffered(*in.program, sends))
    speed = value_of(network::given_or(trace, "c", in.copy, network::copying));
  try {
    return run_ranks(*in.program,
                     {.alpha = alpha,
                      .handshake = alpha,
                      .overhead = in.overhead,
                      .lock = in.lock.value_or(alpha),
                      .beta = value_of(p.beta),
                      .copying = speed,
                      .sends = sends},
                     logged);
  } catch (const InputError& e) {
    throw InputError(std::string("--program: ") + e.what());
  }
}

} // namespace

template <class T>
MessageModel::Tables MessageModel::predict(const Gpu&, const MessageModel::Input& in, T& trace) {
  check(in);
  Tables tables;
  const Parameters<T> p(in, trace);
  if (in.program) {
    add_ranks(tables, run_program(in, p, trace, false));
    return tables;
  }
  auto& [costs, ways, beside, ranks, waits] = tables;
  costs = {cost(in, p, false, trace), cost(in, p, true, trace)};
  for (const Method& method : methods) ways.push_back(copying(in, p, method, trace));
  if (in.compute) {
    const bool rendezvous = in.eager_limit && in.bytes > *in.eager_limit;
    const Seconds time = costs[rendezvous ? 1 : 0].time, compute = *in.compute;
    const Seconds waits_for = compute + time, overlaps = std::max(compute + in.overhead, time);
    beside = {{"blocking", compute, waits_for, 1}, {"non-blocking", compute, overlaps, waits_for / overlaps}};
  }
  return tables;
}

RunOutcome run_logged(const MessageModel::Input& in) {
  check(in);
  if (!in.program) throw InputError("--draw messages is of a program of ranks: --program says which");
  Plain trace;
  return run_program(in, Parameters<Plain>(in, trace), trace, true);
}

std::string MessageModel::verdict(const Gpu&, const MessageModel::Input& in, const Tables& rows) {
  const auto& [costs, ways, beside, ranks, waits] = rows;
  if (costs.empty()) return verdict_of_ranks(rows);
  const Cost &eager = costs[0], &rendezvous = costs[1];
  std::string text =
      fmt::format("A message of {} takes {}, with the handshake of a synchronous send {}; {} are sent at "
                  "half the bandwidth",
                  in_words(in.bytes), in_words(eager.time), in_words(rendezvous.time), in_words(eager.half));
  if (beside.empty()) return text + ".";
  return text + fmt::format(". Computing meanwhile makes both {} times as fast as waiting.",
                            in_words(beside.back().gain));
}

template MessageModel::Tables MessageModel::predict(const Gpu&, const MessageModel::Input&, Plain&);
template MessageModel::Tables MessageModel::predict(const Gpu&, const MessageModel::Input&, Recorder&);

} // namespace perfmodel
