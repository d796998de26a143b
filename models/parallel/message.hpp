// What a message costs, and what programs of several ranks that send them do.
//   T(n) = alpha + n / beta, alpha = L + 2 o; n(1/2) = alpha beta      R. W. Hockney, 1994
//   T(n) = L + 2 o + (n - 1) G;  k messages in a row: + (k - 1) max(g, o, n G)   Alexandrov et al., LogGP,
//   1995 rendezvous: + L + 2 o, for the sender's request and the receiver's answer come first blocking:
//   compute + T; non-blocking: max(compute + o, T)
// How the bytes get from memory to the network interface adds, on each side, what the processor or the
// operating system does: a system call, a copy. Programs: rank_program.hpp; how they are run: rank_run.hpp.
// Assumes an idle network and messages that do not share a link.
#pragma once

#include "models/core/model.hpp"
#include "rank_run.hpp"

#include <array>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace perfmodel {

enum class Sends : std::uint8_t { synchronous, buffered };
constexpr auto names(Sends) { return std::to_array<std::string_view>({"synchronous", "buffered"}); }

struct MessageModel {
  static constexpr ModelInfo info{
      .name = "message",
      .summary = "Message: what it costs by each protocol, and what a program of several ranks does",
      .equation =
          "T = alpha + n / beta, alpha = L + 2 o; rendezvous: + L + 2 o; non-blocking: max(compute + o, T)",
      .source = "Hockney, Parallel Computing 20(3), 1994; Alexandrov et al., SPAA 1995; Giorgi, lesson 30",
      .reading =
          "Few long messages cost less than many short ones. A synchronous send goes on when it has been "
          "received; a buffered one when it has been copied.",
      .tolerance = 0.15,
      .chart = ChartKind::lines,
      .x = "bytes",
      .y = "time",
      .series = "protocol",
      .log_x = true,
      .log_y = true,
      .gpu = GpuUse::none,
      .communication = true,
      .examples = "--bytes 20kB --latency 2us --bandwidth 10GB/s; --program two-sends --latency 5us "
                  "--bandwidth 10GB/s"};

  struct Input {
    Bytes bytes{1024};
    std::optional<Seconds> latency;
    std::optional<BytesPerSecond> bandwidth;
    Seconds overhead{0};
    std::optional<Seconds> gap;
    Count messages = 1;
    std::optional<Bytes> eager_limit;
    std::optional<Seconds> compute;
    std::optional<BytesPerSecond> copy;
    std::optional<Seconds> system_call;
    std::optional<RankProgram> program;
    Sends sends = Sends::synchronous;
    std::optional<Seconds> lock;
    static void fields(auto& field) {
      field(&Input::bytes, "bytes", "bytes of the message");
      field(&Input::latency, "latency", "L: time from one process to the other (default: assumed)");
      field(&Input::bandwidth, "bandwidth",
            "beta, 1 / G: bytes per time of a long message (default: "
            "assumed)");
      field(&Input::overhead, "overhead", "o: time of a processor for a message, beside the latency",
            Range::not_negative);
      field(&Input::gap, "gap", "g: least time between two messages (default: the overhead)",
            Range::not_negative);
      field(&Input::messages, "messages", "k: messages one after the other", Range::whole);
      field(&Input::eager_limit, "eager-limit", "longer messages go by rendezvous");
      field(&Input::compute, "compute", "computation that needs no message");
      field(&Input::copy, "copy", "what a processor copies from memory to memory (default: assumed)");
      field(&Input::system_call, "system-call",
            "time of the operating system for a message and side "
            "(default: assumed)");
      field(&Input::program, "program", "a program of ranks: a file, or the name of one of the tool's");
      field(&Input::sends, "sends", "what a program's 'send' does");
      field(&Input::lock, "lock", "time that taking a free lock costs a program (default: alpha)",
            Range::not_negative);
    }
  };

  struct Cost {
    static constexpr std::string_view title = "cost of a message";
    std::string protocol;
    Bytes bytes;
    Seconds latency;
    BytesPerSecond bandwidth;
    Seconds overhead{absent}, gap{absent};
    Count messages = absent;
    Seconds time, loggp, train{absent};
    BytesPerSecond rate;
    Bytes half;
    std::string used;
    static void fields(auto& field) {
      using R = Cost;
      field(&R::protocol, "protocol", "with or without a handshake", Range::any, Role::key);
      field(&R::bytes, "bytes", "bytes of the message", Range::positive, Role::key);
      field(&R::latency, "latency", "L, given or assumed", Range::any, Role::key);
      field(&R::bandwidth, "bandwidth", "beta, given or assumed", Range::any, Role::key);
      field(&R::overhead, "overhead", "o; empty: none", Range::any, Role::key);
      field(&R::gap, "gap", "g; empty: the overhead", Range::any, Role::key);
      field(&R::messages, "messages", "k; empty: one", Range::any, Role::key);
      field(&R::time, "time", "from the send to the end of the receive, after Hockney");
      field(&R::loggp, "loggp_time", "the same after LogGP");
      field(&R::train, "all_messages", "of all messages in a row; empty: one");
      field(&R::rate, "rate", "bytes over time");
      field(&R::half, "half_rate_bytes", "bytes that are sent at half the bandwidth");
      field(&R::used, "used", "what a library with this eager limit does", Range::any, Role::note);
    }
  };

  struct Copying {
    static constexpr std::string_view title = "how it gets from memory to memory";
    std::string method;
    Seconds time, busy;
    BytesPerSecond rate;
    Count copies = 0;
    std::string by;
    static void fields(auto& field) {
      using R = Copying;
      field(&R::method, "method", "who moves the bytes", Range::any, Role::key);
      field(&R::time, "end_to_end", "one message, without a handshake");
      field(&R::busy, "processor_time",
            "of the sender's processor, and as much of the receiver's; empty: "
            "none");
      field(&R::rate, "end_to_end_rate", "bytes over time");
      field(&R::copies, "copies", "on both sides, besides the network's own", Range::any, Role::note);
      field(&R::by, "on_each_side", "what is done there", Range::any, Role::note);
    }
  };

  struct Overlap {
    static constexpr std::string_view title = "beside a computation";
    std::string send;
    Seconds compute, time;
    double gain = 1;
    static void fields(auto& field) {
      using R = Overlap;
      field(&R::send, "send", "whether the processor waits", Range::any, Role::key);
      field(&R::compute, "compute", "the computation", Range::any, Role::key);
      field(&R::time, "both", "until both are done");
      field(&R::gain, "overlap_gain", "over waiting", Range::any, Role::predicted, "times");
    }
  };

  struct Rank {
    static constexpr std::string_view title = "what every rank does";
    std::string rank, prints, state;
    Seconds time, computing, waiting;
    Count sends = 0, unreceived = 0;
    static void fields(auto& field) {
      using R = Rank;
      field(&R::rank, "rank", "which process", Range::any, Role::key);
      field(&R::prints, "prints", "the numbers that it prints", Range::any, Role::note);
      field(&R::state, "state", "ended, or in which statement it waits for ever", Range::any, Role::note);
      field(&R::time, "rank_time", "until its end, or until it waits for ever");
      field(&R::computing, "computing", "of it in compute statements");
      field(&R::waiting, "waiting", "of it in messages, barriers and locks");
      field(&R::sends, "sends", "that it began", Range::any, Role::predicted, "sends");
      field(&R::unreceived, "unreceived", "of its buffered messages, those that nobody took", Range::any,
            Role::predicted, "messages");
    }
  };

  struct Waiting {
    static constexpr std::string_view title = "wait-for graph";
    std::string rank, waits_for, statement, in_cycle;
    static void fields(auto& field) {
      using R = Waiting;
      field(&R::rank, "rank", "who waits", Range::any, Role::key);
      field(&R::waits_for, "waits_for", "for whom", Range::any, Role::key);
      field(&R::statement, "in", "its statement and line", Range::any, Role::note);
      field(&R::in_cycle, "in_the_cycle", "yes: none of these can go on first", Range::any, Role::note);
    }
  };

  using Tables = std::tuple<std::vector<Cost>, std::vector<Copying>, std::vector<Overlap>, std::vector<Rank>,
                            std::vector<Waiting>>;
  template <class T> static Tables predict(const Gpu& gpu, const Input& in, T& trace);
  static std::string verdict(const Gpu&, const Input&, const Tables&);
};

// The program that is asked about, run with a log. Throws InputError: there is none, or it is wrong.
RunOutcome run_logged(const MessageModel::Input& in);

} // namespace perfmodel
