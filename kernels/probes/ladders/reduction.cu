// The reduction ladder: the sum of an array by every rung, from the lecture's first to the yardstick of a
// library. Times are those of the whole sum, the passes over partial sums with it, one sum after another: an
// array that fits L2 stays there. Counts are of the whole sum, too.
#include "kernels/core/counters.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/probes/ladders/in_a_row.hpp"
#include "kernels/probes/ladders/reduction_rungs.cuh"
#include "kernels/probes/ladders/summands.hpp"

#include <utility>

namespace perfmodel::kernels {
namespace {

const std::vector<KeyColumn> keys{{"version", {}}, {"type", {}}, {"n", {}}, {"threads", {}}},
    library_keys{{"version", {}}, {"type", {}}, {"n", {}}}; // a library chooses its blocks

// Sums by one rung in blocks of so many threads.
struct Kind {
  Rung rung;
  unsigned threads = 256;
};

template <class T> constexpr std::string_view type_name = "int32";
template <> constexpr std::string_view type_name<float> = "fp32";
template <> constexpr std::string_view type_name<unsigned long long> = "int64";
template <> constexpr std::string_view type_name<Min> = "min";
template <> constexpr std::string_view type_name<Max> = "max";

std::vector<Kind> ladder_kinds(bool all_rungs, bool all_blocks) {
  std::vector<Kind> list;
  for (std::size_t i = 0; i < rung_names.size(); ++i) {
    const auto rung = static_cast<Rung>(i);
    if (rung == Rung::cub || rung == Rung::warp_synchronous) continue; // which may be wrong
    if (!(all_rungs || rung == Rung::sequential || rung >= Rung::unrolled)) continue;
    list.push_back({rung});
    if (!all_blocks) continue;
    for (const unsigned threads : {128u, 512u, 1024u}) list.push_back({rung, threads});
  }
  return list;
}
// The yardstick, which chooses its blocks.
std::vector<Kind> library_kinds(bool, bool) {
  return has_cub() ? std::vector<Kind>{{Rung::cub}} : std::vector<Kind>{};
}

// The lengths that are timed; then those that fill no block, no warp or no vector, or are none.
std::vector<std::size_t> timed_lengths(bool quick) {
  if (quick) return {1 << 22};
  return {1 << 22, 1 << 24, 1 << 30}; // within an L2 of 60 MiB, somewhat more, 70 times as much
}
// Those that are counted: of an array that stays in L2 it depends on what was there before which bytes come
// from DRAM.
std::vector<std::size_t> counted_lengths(const Session& session) {
  std::vector<std::size_t> list;
  for (const std::size_t n : {std::size_t{1} << 24, std::size_t{1} << 30})
    if (4 * n > static_cast<std::size_t>(session.device.properties.l2CacheSize) &&
        (n == std::size_t{1} << 24 || !session.quick()))
      list.push_back(n);
  return list;
}
constexpr std::size_t odd_lengths[]{0, 1, 2, 31, 1021, 65537, 999983};

template <class T> class Ladder {
public:
  Ladder(Session& session, std::vector<std::size_t> lengths)
      : session_(session), lengths_(std::move(lengths)),
        most_(session.buffer_bytes(sizeof(T) * lengths_.back()) / sizeof(T)), in_(most_, session.stream) {}

  // Calls back with the keys of a row and the sum that they name, seen to be right, for every row.
  template <class Kinds, class Each> void each(Report& report, const Kinds& kinds, const Each& call) {
    constexpr bool all = std::is_same_v<T, unsigned>;
    for (const std::size_t n : lengths_)
      for (const Kind& kind : n <= most_ ? kinds(all, all && !session_.quick()) : std::vector<Kind>{}) {
        const std::string rung(rung_names[static_cast<std::size_t>(kind.rung)]);
        const std::string name = rung + " of " + std::to_string(n) + " " + std::string(type_name<T>) +
                                 " in blocks of " + std::to_string(kind.threads);
        session_.say("reduction: " + name);
        Reduction<T> reduction(session_.device, kind.rung, kind.threads, most_);
        bool all_right = right(reduction, n);
        for (const std::size_t length : odd_lengths) all_right = all_right && right(reduction, length);
        if (!report.verify(all_right, name)) return;
        std::vector<Cell> cells{rung, std::string(type_name<T>), static_cast<std::int64_t>(n)};
        if (kind.rung != Rung::cub) cells.push_back(std::int64_t{kind.threads});
        call(cells, [&] { reduction.enqueue(in_.data(), static_cast<unsigned>(n), session_.stream); });
      }
  }

private:
  bool right(Reduction<T>& reduction, std::size_t n) {
    reduction.poison();
    // Twice: the second finds what the first left behind.
    for (int i = 0; i < 2; ++i) reduction.enqueue(in_.data(), static_cast<unsigned>(n), session_.stream);
    session_.stream.synchronize();
    return reduction.total() == in_.sum(n);
  }

  Session& session_;
  std::vector<std::size_t> lengths_;
  std::size_t most_;
  Summands<T> in_;
};

template <class T, class Kinds> void time_sums(Session& session, Report& report, const Kinds& kinds) {
  Ladder<T>(session, timed_lengths(session.quick()))
      .each(report, kinds, [&](const std::vector<Cell>& key, const std::function<void()>& sum) {
        report.row(key, seconds_in_a_row(session, sum));
      });
}

ProbeResult run(Session& session) {
  Report report("reduction ladder", keys, "time", unit_of<Seconds>());
  time_sums<unsigned>(session, report, ladder_kinds);
  time_sums<float>(session, report, ladder_kinds);
  time_sums<unsigned long long>(session, report, ladder_kinds);
  time_sums<Min>(session, report, ladder_kinds);
  time_sums<Max>(session, report, ladder_kinds);
  return report.take();
}

ProbeResult run_library(Session& session) {
  Report report("reduction by a library", library_keys, "time", unit_of<Seconds>());
  if (!has_cub()) report.note("built without CUB: nothing was timed");
  time_sums<unsigned>(session, report, library_kinds);
  time_sums<float>(session, report, library_kinds);
  return report.take();
}

template <class T> void count_ladder(Session& session, Report& report, Counters& counters) {
  bool first = true;
  Ladder<T>(session, counted_lengths(session))
      .each(report, ladder_kinds, [&](const std::vector<Cell>& key, const std::function<void()>& sum) {
        if (std::exchange(first, false)) counters.count(sum, sum); // moves 4 MB more than the next
        const std::vector<double> c = counters.count(sum, sum);
        report.row(key, std::vector<double>{c[0], c[1] + c[2], c[3], c[4] + c[5]});
      });
}

// A pass begins as the one before it left L2. Wavefronts are those that the accesses need; the data stage's
// own counter adds up to 16 % that it repeats when loads of global memory come between.
ProbeResult count(Session& session) {
  Report report(
      "reduction ladder, counted", keys,
      {{"sectors", {}}, {"wavefronts", {}}, {"instructions", {}}, {"dram_bytes", unit_of<Bytes>()}});
  const std::string wavefronts = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_";
  Counters counters(session, {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", wavefronts + "ld.sum",
                              wavefronts + "st.sum", "smsp__inst_executed.sum", "dram__bytes_read.sum",
                              "dram__bytes_write.sum"});
  if (counted_lengths(session).empty()) return report.take();
  count_ladder<unsigned>(session, report, counters);
  count_ladder<float>(session, report, counters);
  count_ladder<unsigned long long>(session, report, counters);
  count_ladder<Min>(session, report, counters);
  return report.take();
}

} // namespace

extern const Probe reduction_library{
    .name = "reduction-library",
    .order = 520,
    .model = "reduction",
    .measures = "seconds of the same sums by CUB, the yardstick of the ladder's last rung",
    .run = run_library};

extern const Probe reduction{
    .name = "reduction",
    .order = 510,
    .model = "reduction",
    .measures = "seconds of the sum of an array, by rung of the ladder, type, length and block",
    .run = run,
    .count = count,
    .counts = "sectors, wavefronts of shared memory, instructions and DRAM bytes of the same sums"};

} // namespace perfmodel::kernels
