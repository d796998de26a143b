#include "rank_run.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <tuple>

namespace perfmodel {

namespace {

struct Message {
  std::int64_t value = 0;
  Seconds there;                             // buffered: when it has arrived
  std::optional<std::size_t> blocked_sender; // synchronous
  Seconds transfer;
};

using Channel = std::tuple<std::size_t, std::size_t, std::int64_t>; // sender, receiver, tag

struct Lock {
  std::optional<std::size_t> holder;
  std::deque<std::size_t> waiting;
};

class Run {
public:
  Run(const RankProgram& program, const MessageCosts& costs, bool logged)
      : logged_(logged), program_(program), code_(program.code), costs_(costs), ranks_(program.ranks),
        pc_(program.ranks), blocked_(program.ranks), locks_(program.locks.size()),
        has_value_(program.ranks, std::vector<bool>(program.variables.size())),
        shared_(program.variables.size()) {
    for (const auto& [variable, first] : program.shared) shared_[variable] = first;
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      ranks_[r].variables.resize(program.variables.size());
      ranks_[r].variables[0] = static_cast<std::int64_t>(r);
      ranks_[r].variables[1] = static_cast<std::int64_t>(program.ranks);
      has_value_[r][0] = has_value_[r][1] = true;
    }
  }

  RunOutcome all() {
    while (const std::optional<std::size_t> next = earliest()) step(*next);
    RunOutcome outcome;
    for (std::size_t r = 0; r < ranks_.size(); ++r)
      if (!ranks_[r].ended) outcome.waits.push_back(wait_of(r));
    for (const auto& [channel, messages] : sent_)
      for (const Message& message : messages)
        if (!message.blocked_sender) ++ranks_[std::get<0>(channel)].unreceived;
    for (const auto& [variable, first] : program_.shared) outcome.shared.push_back(shared_[variable]);
    outcome.ranks = std::move(ranks_);
    outcome.log = std::move(log_);
    return outcome;
  }

private:
  std::optional<std::size_t> earliest() {
    std::optional<std::size_t> next;
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      ranks_[r].ended = pc_[r] == code_[r].size();
      if (!ranks_[r].ended && !blocked_[r] && (!next || ranks_[r].time < ranks_[*next].time)) next = r;
    }
    return next;
  }

  std::int64_t& variable(std::size_t r, std::size_t v) {
    return program_.shared.count(v) ? shared_[v] : ranks_[r].variables[v];
  }

  std::int64_t value_of(std::size_t r, std::vector<Program>& expression, int line) {
    std::vector<const std::int64_t*> values;
    for (std::size_t v = 0; v < program_.variables.size(); ++v) {
      values.push_back(&variable(r, v));
      if (expression.front().uses(v) && !has_value_[r][v] && !program_.shared.count(v))
        throw InputError(
            fmt::format("line {}: rank {} reads '{}' before it has a value", line, r, program_.variables[v]));
    }
    std::int64_t out = 0;
    if (const auto fault = expression.front().evaluate(values, nullptr, std::span(&out, 1)))
      throw InputError(fmt::format("line {}: rank {}: {}", line, r, fault->what));
    return out;
  }

  std::size_t peer_of(std::size_t r, Statement& s) {
    const std::int64_t peer = value_of(r, s.peer, s.line);
    if (peer < 0 || peer >= static_cast<std::int64_t>(ranks_.size()))
      throw InputError(fmt::format("line {}: rank {} names rank {}, but there are {}, counted from 0", s.line,
                                   r, peer, ranks_.size()));
    return static_cast<std::size_t>(peer);
  }

  void set(std::size_t r, std::size_t v, std::int64_t value) {
    variable(r, v) = value;
    has_value_[r][v] = true;
  }

  void go_on(std::size_t r, Seconds at) {
    if (const Statement& s = code_[r][pc_[r]]; logged_ && at > ranks_[r].time)
      log_.spans.push_back({.rank = r, .action = s.action, .line = s.line, .from = ranks_[r].time, .to = at});
    ranks_[r].time = at;
    blocked_[r] = false;
    ++pc_[r];
  }

  void step(std::size_t r) {
    Statement& s = code_[r][pc_[r]];
    const Seconds now = ranks_[r].time;
    switch (s.action) {
    case Action::assign:
      set(r, s.variable, value_of(r, s.value, s.line));
      return go_on(r, now);
    case Action::print:
      ranks_[r].printed.push_back(value_of(r, s.value, s.line));
      return go_on(r, now);
    case Action::compute:
      ranks_[r].computing = ranks_[r].computing + s.time;
      return go_on(r, now + s.time);
    case Action::send:
      return send(r, s);
    case Action::receive:
      blocked_[r] = true;
      return deliver({peer_of(r, s), r, s.tag});
    case Action::barrier:
      return barrier(r);
    case Action::lock:
      locks_[s.variable].waiting.push_back(r);
      blocked_[r] = true;
      return hand_on(locks_[s.variable], now);
    case Action::unlock:
      if (locks_[s.variable].holder != r)
        throw InputError(fmt::format("line {}: rank {} unlocks '{}', which it does not hold", s.line, r,
                                     program_.locks[s.variable]));
      locks_[s.variable].holder.reset();
      go_on(r, now);
      return hand_on(locks_[s.variable], now);
    }
  }

  void send(std::size_t r, Statement& s) {
    const std::size_t to = peer_of(r, s);
    Message message{.value = value_of(r, s.value, s.line), .transfer = costs_.alpha + s.size / costs_.beta};
    const Channel channel{r, to, s.tag};
    ++ranks_[r].sent;
    if ((s.mode == SendMode::as_asked ? costs_.sends : s.mode) == SendMode::synchronous) {
      message.blocked_sender = r;
      blocked_[r] = true;
    } else {
      const Seconds copied = ranks_[r].time + costs_.overhead + s.size / costs_.copying;
      message.there = copied + message.transfer;
      go_on(r, copied);
    }
    sent_[channel].push_back(message);
    deliver(channel);
  }

  // The first message of the channel, if its receiver waits for it.
  void deliver(const Channel& channel) {
    const auto& [from, to, tag] = channel;
    std::deque<Message>& messages = sent_[channel];
    if (messages.empty() || !blocked_[to]) return;
    Statement& waiting = code_[to][pc_[to]];
    if (waiting.action != Action::receive || waiting.tag != tag || peer_of(to, waiting) != from) return;
    const Message message = messages.front();
    messages.pop_front();
    set(to, waiting.variable, message.value);
    const Seconds done = message.blocked_sender ? std::max(ranks_[to].time, ranks_[from].time) +
                                                      costs_.handshake + message.transfer
                                                : message.there;
    if (logged_)
      log_.deliveries.push_back({.sender = from,
                                 .receiver = to,
                                 .value = message.value,
                                 .tag = tag,
                                 .left = done - message.transfer,
                                 .there = done});
    if (!message.blocked_sender) return go_on(to, std::max(ranks_[to].time, done));
    go_on(to, done);
    go_on(from, done);
  }

  void barrier(std::size_t r) {
    blocked_[r] = true;
    Seconds last;
    for (std::size_t other = 0; other < ranks_.size(); ++other) {
      if (!is_at(other, Action::barrier)) return;
      last = std::max(last, ranks_[other].time);
    }
    const double rounds = std::ceil(std::log2(static_cast<double>(ranks_.size())));
    for (std::size_t other = 0; other < ranks_.size(); ++other) go_on(other, last + rounds * costs_.alpha);
  }

  bool is_at(std::size_t r, Action action) const {
    return blocked_[r] && pc_[r] < code_[r].size() && code_[r][pc_[r]].action == action;
  }

  void hand_on(Lock& lock, Seconds now) {
    if (lock.holder || lock.waiting.empty()) return;
    const std::size_t next = lock.waiting.front();
    lock.waiting.pop_front();
    lock.holder = next;
    go_on(next, std::max(now, ranks_[next].time) + costs_.lock);
  }

  Wait wait_of(std::size_t r) {
    Statement& s = code_[r][pc_[r]];
    Wait wait{.rank = r, .line = s.line, .action = s.action, .for_ranks = {}};
    if (s.action == Action::send || s.action == Action::receive) wait.for_ranks = {peer_of(r, s)};
    if (s.action == Action::lock) wait.for_ranks = {*locks_[s.variable].holder};
    for (std::size_t other = 0; other < ranks_.size() && s.action == Action::barrier; ++other)
      if (!is_at(other, Action::barrier)) wait.for_ranks.push_back(other);
    return wait;
  }

  bool logged_;
  RunLog log_;
  const RankProgram& program_;
  std::vector<std::vector<Statement>> code_; // a compiled expression has room of its own to compute in
  const MessageCosts& costs_;
  std::vector<RankOutcome> ranks_;
  std::vector<std::size_t> pc_;
  std::vector<bool> blocked_;
  std::vector<Lock> locks_;
  std::vector<std::vector<bool>> has_value_;
  std::vector<std::int64_t> shared_;
  std::map<Channel, std::deque<Message>> sent_;
};

} // namespace

RunOutcome run_ranks(const RankProgram& program, const MessageCosts& costs, bool logged) {
  return Run(program, costs, logged).all();
}

} // namespace perfmodel
