// Messages between two GPUs, and sums of all of them, by NCCL, each protocol forced. `nccl` finds what a step
// of a protocol costs: a broadcast to one other rank is a message by that protocol (ncclSend chooses its own,
// and stands beside it), there and back as a ping-pong; a reduction to one other rank is that and the adding;
// broadcasts that never turn round do not wait for the other GPU, and show what a launch costs. Sums send and
// receive at once, by threads that do both: so does a gathering of all parts, an exchange between two. Calls
// are enqueued ahead: how fast the host enqueues them is no property of the link.
// `nccl-all-reduce` times the sums of all GPUs, which are predicted from these.
#include "kernels/core/probe.hpp"
#include "kernels/probes/parallel/nccl_ranks.hpp"

#include "models/parallel/hockney_fit.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel::kernels {
namespace {

struct Protocol {
  const char *name, *forced; // as the model and as NCCL call it
};
constexpr Protocol protocols[] = {{"ll", "LL"}, {"ll128", "LL128"}, {"simple", "Simple"}};
constexpr Protocol algorithms[] = {{"ring", "Ring"}, {"tree", "Tree"}};

int gpus() {
  int count = 0;
  PERFMODEL_CUDA(cudaGetDeviceCount(&count));
  return count;
}

std::vector<std::size_t> sizes(const Session& session) {
  std::vector<std::size_t> all;
  for (std::size_t bytes = 1024; bytes <= std::size_t{1} << (session.quick() ? 24 : 30); bytes *= 4)
    all.push_back(bytes);
  return all;
}

// Seconds of one of `calls` calls in a row, of samples.
Measurement in_a_row(Session& session, NcclRanks& ranks, const std::string& step,
                     const std::function<void(int)>& call, std::size_t bytes) {
  const int calls = bytes < (1u << 20) ? 50 : 4, samples = session.quick() ? 11 : 21;
  const auto once = [&] {
    for (int i = 0; i < calls; ++i) call(i);
  };
  ranks.seconds(step, once);
  Measurement m;
  for (int s = 0; s < samples; ++s) {
    m.values.push_back(ranks.seconds(step, once, true) / calls);
    m.sm_clock.push_back(session.nvml.state().sm_clock.value_or(0));
  }
  return m;
}

Timed timed(std::size_t bytes, const Measurement& m) {
  return {Bytes(static_cast<double>(bytes)), Seconds(m.median()), Seconds(m.low()), Seconds(m.high())};
}

Measurement just(double value) { return {.values = {value}, .sm_clock = {}}; }

// Between ranks 0 and 1, of one protocol.
class Pair {
public:
  Pair(Session& session, const Nccl& nccl, StragglerWatch& watch, Report& report, const Protocol& protocol,
       std::size_t most)
      : session_(session), nccl_(nccl), report_(report), protocol_(protocol.name),
        ranks_(nccl, watch, 2, most / sizeof(float), 2) {}

  // Whether a message brings what was sent.
  bool right() {
    constexpr std::size_t floats = 1000;
    ranks_.fill([](int rank) { return static_cast<float>(3 + rank); });
    ranks_.seconds("the check of a broadcast", [&] { broadcast(0, floats); });
    const bool came = ranks_.received(1, floats, 3);
    ranks_.fill([](int rank) { return static_cast<float>(3 + rank); });
    ranks_.seconds("the check of a reduction", [&] { reduce(1, floats); });
    const bool added = ranks_.received(1, floats, 7);
    // Rank 0 alone has the sum in its half before; then rank 1 is to have it there, too.
    ranks_.fill([](int rank) { return static_cast<float>(3 + rank); });
    ranks_.seconds("the check of an exchange", [&] {
      reduce(0, floats);
      exchange(floats);
    });
    return came && added && ranks_.received(1, floats, 7);
  }

  Timed row(const char* way, std::size_t bytes) {
    const std::size_t floats = bytes / sizeof(float);
    const std::string name = way;
    session_.say(fmt::format("NCCL {}, {} of {} B", protocol_, way, bytes));
    const Measurement m = in_a_row(
        session_, ranks_, fmt::format("NCCL {} of {} B by {}", way, bytes, protocol_),
        [&](int i) {
          if (name == "send")
            send(i % 2, floats);
          else if (name == "reduce")
            reduce(i % 2, floats);
          else if (name == "exchange")
            exchange(floats);
          else // there and back, or always the same way
            broadcast(name == "message" ? i % 2 : 0, floats);
        },
        bytes);
    report_.row({std::string(protocol_), name, std::int64_t{2}, static_cast<double>(bytes)}, m);
    return timed(bytes, m);
  }

private:
  void broadcast(int root, std::size_t n) {
    ranks_.together("ncclBroadcast", [&](int, const float* out, float* in, nccl::Comm c, nccl::Stream s) {
      return nccl_.broadcast(out, in, n, nccl::float32, root, c, s);
    });
  }
  void reduce(int root, std::size_t n) {
    ranks_.together("ncclReduce", [&](int, const float* out, float* in, nccl::Comm c, nccl::Stream s) {
      return nccl_.reduce(out, in, n, nccl::float32, nccl::sum, root, c, s);
    });
  }
  // Each rank sends n and receives n, of a vector of 2 n whose half with its number it has already: so nobody
  // copies what is its own.
  void exchange(std::size_t n) {
    ranks_.together("ncclAllGather", [&](int rank, const float*, float* in, nccl::Comm c, nccl::Stream s) {
      return nccl_.all_gather(in + static_cast<std::size_t>(rank) * n, in, n, nccl::float32, c, s);
    });
  }
  void send(int from, std::size_t n) {
    ranks_.together("ncclSend", [&](int rank, const float* out, float* in, nccl::Comm c, nccl::Stream s) {
      return rank == from ? nccl_.send(out, n, nccl::float32, 1 - from, c, s)
                          : nccl_.receive(in, n, nccl::float32, from, c, s);
    });
  }

  Session& session_;
  const Nccl& nccl_;
  Report& report_;
  const char* protocol_;
  NcclRanks ranks_;
};

std::string fact(const Protocol& p, const char* what) { return fmt::format("nccl.{}.{}", p.name, what); }

// alpha, beta and gamma of one protocol, and what its launch takes.
bool find_costs(Session& session, Pair& pair, Report& report, const Protocol& p) {
  if (!report.verify(pair.right(), fmt::format("a message by {}", p.name))) return false;
  const std::vector<std::size_t> all = sizes(session);
  const double launch = pair.row("one way", all.front()).time.value;
  report.constant(fact(p, "launch"), just(launch));
  std::vector<Timed> messages, sums, exchanges;
  for (const std::size_t bytes : all) {
    pair.row("send", bytes);
    messages.push_back(pair.row("message", bytes));
    sums.push_back(pair.row("reduce", bytes));
    exchanges.push_back(pair.row("exchange", bytes));
  }
  const Hockney line = hockney_fit(messages);
  report.constant(fact(p, "latency"), just(std::max(line.alpha.value - launch, 1e-8)));
  report.constant(fact(p, "bandwidth"), just(line.beta.value));
  report.constant(fact(p, "exchange"), just(hockney_fit(exchanges).beta.value));
  // Of the longest: short ones differ by less than they vary. Where adding hides behind receiving, it costs
  // nothing that can be seen, and there is no such fact.
  const double more = sums.back().time.value - messages.back().time.value;
  if (more > 0.02 * messages.back().time.value)
    report.constant(fact(p, "reduction"), just(messages.back().bytes.value / more));
  else
    report.note(fmt::format("{}: adding is hidden behind receiving", p.name));
  return true;
}

// What one GPU can do: a sum of a single rank, which is a copy.
void alone(Session& session, const Nccl& nccl, StragglerWatch& watch, Report& report) {
  for (const Protocol& p : protocols) {
    force_nccl(p.forced, "");
    NcclRanks rank(nccl, watch, 1, sizes(session).back() / sizeof(float));
    rank.fill([](int) { return 5.f; });
    for (const std::size_t bytes : sizes(session)) {
      const std::size_t floats = bytes / sizeof(float);
      const Measurement m = in_a_row(
          session, rank, fmt::format("NCCL all-reduce of {} B", bytes),
          [&](int) {
            rank.together("ncclAllReduce",
                          [&](int, const float* out, float* in, nccl::Comm c, nccl::Stream s) {
                            return nccl.all_reduce(out, in, floats, nccl::float32, nccl::sum, c, s);
                          });
          },
          bytes);
      if (!report.verify(rank.received(0, floats, 5), "an all-reduce of one rank")) return;
      report.row(
          {std::string(p.name), std::string("all-reduce"), std::int64_t{1}, static_cast<double>(bytes)}, m);
    }
  }
  report.note(
      "there is one GPU: its all-reduce is a copy, and what links between GPUs cost stays unmeasured");
}

ProbeResult run(Session& session) {
  const Nccl nccl;
  StragglerWatch watch(session.options.time_limit);
  Report report("messages of NCCL",
                {{"protocol", {}}, {"way", {}}, {"ranks", {"ranks", {}}}, {"bytes", unit_of<Bytes>()}},
                "time", unit_of<Seconds>());
  report.note("NCCL " + nccl.version());
  if (gpus() < 2) {
    alone(session, nccl, watch, report);
    return report.take();
  }
  for (const Protocol& p : protocols) {
    force_nccl(p.forced, "Ring");
    Pair pair(session, nccl, watch, report, p, sizes(session).back());
    if (!find_costs(session, pair, report, p)) break;
  }
  return report.take();
}

ProbeResult run_sums(Session& session) {
  const Nccl nccl;
  if (gpus() < 2)
    throw Unavailable(
        "there is one GPU, and an all-reduce is between two or more; 'measure nccl' times one alone");
  StragglerWatch watch(session.options.time_limit);
  Report report("all-reduce of NCCL",
                {{"protocol", {}}, {"algorithm", {}}, {"ranks", {"ranks", {}}}, {"bytes", unit_of<Bytes>()}},
                "time", unit_of<Seconds>());
  report.note("NCCL " + nccl.version());
  for (const Protocol& p : protocols)
    for (const Protocol& a : algorithms) {
      force_nccl(p.forced, a.forced);
      for (int n = 2; n <= gpus(); n *= 2) {
        NcclRanks ranks(nccl, watch, n, sizes(session).back() / sizeof(float));
        ranks.fill([](int rank) { return static_cast<float>(rank + 1); });
        for (const std::size_t bytes : sizes(session)) {
          const std::size_t floats = bytes / sizeof(float);
          const std::string step = fmt::format("NCCL all-reduce of {} B by {} and {}", bytes, p.name, a.name);
          session.say(step);
          const Measurement m = in_a_row(
              session, ranks, step,
              [&](int) {
                ranks.together("ncclAllReduce",
                               [&](int, const float* out, float* in, nccl::Comm c, nccl::Stream s) {
                                 return nccl.all_reduce(out, in, floats, nccl::float32, nccl::sum, c, s);
                               });
              },
              bytes);
          const int sum_of_ranks = n * (n + 1) / 2;
          for (int r = 0; r < n; ++r)
            if (!report.verify(ranks.received(r, floats, static_cast<float>(sum_of_ranks)), step))
              return report.take();
          report.row({std::string(p.name), std::string(a.name), std::int64_t{n}, static_cast<double>(bytes)},
                     m);
        }
      }
    }
  return report.take();
}

} // namespace

extern const Probe nccl_messages{
    .name = "nccl",
    .order = 730,
    .measures = "what messages between two GPUs cost by each protocol of NCCL",
    .provides = {"nccl.ll.launch", "nccl.ll128.launch", "nccl.simple.launch", "nccl.ll.latency",
                 "nccl.ll.bandwidth", "nccl.ll.exchange", "nccl.ll.reduction", "nccl.ll128.latency",
                 "nccl.ll128.bandwidth", "nccl.ll128.exchange", "nccl.ll128.reduction", "nccl.simple.latency",
                 "nccl.simple.bandwidth", "nccl.simple.exchange", "nccl.simple.reduction"},
    .run = run};

extern const Probe nccl_all_reduce{.name = "nccl-all-reduce",
                                   .order = 740,
                                   .model = "all-reduce",
                                   .measures =
                                       "time of sums over all GPUs by NCCL, protocol and algorithm forced",
                                   .run = run_sums};

} // namespace perfmodel::kernels
