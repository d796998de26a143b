#include "warp.hpp"

#include "launch.hpp"
#include "models/core/error.hpp"
#include "models/core/facts.hpp"
#include "models/core/in_words.hpp"
#include "models/core/trace.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel {

ThreadIndex ThreadIndex::from_text(std::string_view text) {
  const auto refuse = [&] {
    return InputError(fmt::format("{} is no thread x,y,z such as 3,4,0", quoted(text)));
  };
  ThreadIndex thread;
  std::int64_t* const coordinates[] = {&thread.x, &thread.y, &thread.z};
  std::string_view rest = text;
  for (std::int64_t* coordinate : coordinates) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    const std::string_view digits = rest.substr(0, end);
    if (digits.empty() || digits.size() > 9 || digits.find_first_not_of("0123456789") != digits.npos)
      throw refuse();
    *coordinate = std::stoll(std::string(digits));
    if (end == rest.size()) return thread;
    rest.remove_prefix(end + 1);
  }
  throw refuse(); // a fourth coordinate
}

std::string ThreadIndex::text() const { return fmt::format("{},{},{}", x, y, z); }

namespace {

// The thread of number `tid`.
ThreadIndex thread_at(std::int64_t tid, Shape block, ThreadOrder order) {
  if (order == ThreadOrder::cuda) return {tid % block.x, tid / block.x % block.y, tid / (block.x * block.y)};
  return {tid / (block.z * block.y), tid / block.z % block.y, tid % block.z};
}

std::string advice(ThreadOrder order, double threads, double lanes, double idle) {
  if (order == ThreadOrder::x_slowest) return "no GPU numbers threads so: x is fastest";
  if (idle == 0) return "none: every lane has a thread";
  return fmt::format(
      "{:.0f} of the last warp's {:.0f} lanes never work: a block of {:.0f} threads costs as much", idle,
      lanes, threads + idle);
}

template <class T> std::vector<Warp::Thread> one_thread(const Warp::Input& in, const auto& lanes, T& trace) {
  if (!in.thread) return {};
  const ThreadIndex t = *in.thread;
  if (t.x >= in.block.x || t.y >= in.block.y || t.z >= in.block.z)
    throw InputError(fmt::format("--thread {}: no thread of a block of {}", t.text(), in.block.text()));
  const auto given = [&](std::string_view name, std::int64_t value) {
    return trace.input(name, static_cast<double>(value));
  };
  const auto x = given("x", t.x), y = given("y", t.y), z = given("z", t.z);
  const auto dx = given("dx", in.block.x), dy = given("dy", in.block.y), dz = given("dz", in.block.z);
  const auto tid =
      trace.define("tid", "number of the thread in its block",
                   in.order == ThreadOrder::cuda ? x + y * dx + z * dx * dy : z + y * dz + x * dz * dy);
  const auto warp = trace.define("warp", "warp of the block", round_down(tid / lanes));
  const auto lane = trace.define("lane", "lane of the warp", tid - lanes * warp);
  return {{.thread = t, .tid = value_of(tid), .warp = value_of(warp), .lane = value_of(lane)}};
}

} // namespace

template <class T> Warp::Tables Warp::predict(const Gpu& gpu, const Input& in, T& trace) {
  check_block(gpu, in.block);
  const auto lanes = trace.fact(gpu, facts::warp_size);
  const auto threads =
      trace.define("threads", "threads of the block", trace.number(static_cast<double>(in.block.count())));
  const auto warps = trace.define("warps", "warps they fill", round_up(threads / lanes));
  const auto idle = trace.define("idle_lanes", "lanes without a thread", warps * lanes - threads);
  const auto efficiency = trace.define("efficiency", "lanes that have a thread", threads / (warps * lanes));
  const Block block{.block = in.block,
                    .threads = value_of(threads),
                    .warps = value_of(warps),
                    .idle_lanes = value_of(idle),
                    .efficiency = value_of(efficiency),
                    .advice = advice(in.order, value_of(threads), value_of(lanes), value_of(idle))};
  std::vector<Members> members;
  const auto width = static_cast<std::int64_t>(value_of(lanes));
  for (std::int64_t first = 0; first < in.block.count(); first += width) {
    const std::int64_t last = std::min(first + width, in.block.count()) - 1;
    members.push_back({.warp = fmt::format("{}", first / width),
                       .first = thread_at(first, in.block, in.order),
                       .last = thread_at(last, in.block, in.order),
                       .first_tid = first,
                       .last_tid = last,
                       .threads = last - first + 1});
  }
  return {{block}, one_thread(in, lanes, trace), std::move(members)};
}

std::string Warp::verdict(const Gpu&, const Input&, const Tables& rows) {
  const auto& [blocks, threads, members] = rows;
  const Block& b = blocks.front();
  std::string text = fmt::format("A block of {} is {} in {}", b.block.text(), in_words(b.threads, "threads"),
                                 in_words(b.warps, "warps"));
  text += b.idle_lanes > 0 ? fmt::format(", with {} of the last idle: {} of the lanes work",
                                         in_words(b.idle_lanes, "lanes"), in_percent(b.efficiency))
                           : ", with a thread in every lane";
  if (!threads.empty()) {
    const Thread& t = threads.front();
    text +=
        fmt::format(". Thread {} is lane {} of warp {}", t.thread.text(), in_words(t.lane), in_words(t.warp));
  }
  return text + ".";
}

template Warp::Tables Warp::predict(const Gpu&, const Input&, Plain&);
template Warp::Tables Warp::predict(const Gpu&, const Input&, Recorder&);

} // namespace perfmodel
