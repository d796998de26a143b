// Copies between host and device, timed on the host from the call until the bytes are there. `host-link`
// finds latency and bandwidth from the smallest and the largest copies, and what both directions carry
// together; `transfer`, `transfer-back` and `transfer-both` time the sizes in between, which Hockney's line
// through the two is held against; none of the sizes of `host-link` is among theirs. Pinned memory is copied
// by the GPU itself, pageable memory first by the driver, piece by piece, into pinned memory of its own.
#include "kernels/core/buffer.hpp"
#include "kernels/core/host_clock.hpp"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"

#include "models/parallel/staged_copy.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

namespace perfmodel::kernels {
namespace {

enum class Way { in, back, both };

// Host memory whose pages have been touched.
class HostBuffer {
public:
  HostBuffer(std::size_t bytes, bool pinned) : pinned_(pinned) {
    if (pinned) {
      void* memory = nullptr;
      PERFMODEL_CUDA(cudaMallocHost(&memory, bytes));
      data_ = static_cast<unsigned char*>(memory);
    } else {
      pages_.resize(bytes);
      data_ = pages_.data();
    }
    for (std::size_t i = 0; i < bytes; ++i) data_[i] = static_cast<unsigned char>(i * 2654435761u >> 13);
  }
  HostBuffer(const HostBuffer&) = delete;
  HostBuffer& operator=(const HostBuffer&) = delete;
  ~HostBuffer() {
    if (pinned_) (void)cudaFreeHost(data_);
  }
  unsigned char* data() { return data_; }

private:
  bool pinned_;
  unsigned char* data_ = nullptr;
  std::vector<unsigned char> pages_;
};

class Copies {
public:
  Copies(Session& session, std::size_t most, bool pinned)
      : session_(session), to_(most, pinned), from_(most, pinned), device_(most), second_(most) {}

  // Whether what was sent comes back.
  bool right(std::size_t bytes) {
    std::memset(from_.data(), 0, bytes);
    send(bytes);
    session_.stream.synchronize();
    fetch(device_, bytes, session_.stream);
    session_.stream.synchronize();
    return std::memcmp(to_.data(), from_.data(), bytes) == 0;
  }

  // Seconds of one copy, each waited for.
  Measurement times(Way way, std::size_t bytes, int samples) {
    const auto once = [&] {
      const double start = host_time();
      if (way != Way::back) send(bytes);
      if (way != Way::in)
        fetch(way == Way::both ? second_ : device_, bytes, way == Way::both ? other_ : session_.stream);
      session_.stream.synchronize();
      if (way == Way::both) other_.synchronize();
      return host_time() - start;
    };
    const double warm = host_time();
    do once();
    while (host_time() - warm < 0.02);
    Measurement m;
    for (int i = 0; i < samples; ++i) {
      m.values.push_back(once());
      m.sm_clock.push_back(session_.nvml.state().sm_clock.value_or(0));
    }
    return m;
  }

private:
  void send(std::size_t bytes) {
    PERFMODEL_CUDA(
        cudaMemcpyAsync(device_.data(), to_.data(), bytes, cudaMemcpyHostToDevice, session_.stream));
  }
  void fetch(const Buffer<unsigned char>& from, std::size_t bytes, cudaStream_t stream) {
    PERFMODEL_CUDA(cudaMemcpyAsync(from_.data(), from.data(), bytes, cudaMemcpyDeviceToHost, stream));
  }

  Session& session_;
  HostBuffer to_, from_;
  Buffer<unsigned char> device_, second_;
  Stream other_;
};

std::size_t largest(const Session& session) { return std::size_t{1} << (session.quick() ? 26 : 30); }
// Of `host-link`, which is to share no size with the copies that are predicted from it: their sizes are
// powers of 4.
std::size_t largest_of_link(const Session& session) { return std::size_t{3} << (session.quick() ? 24 : 28); }

// Times of copies of these sizes, which take turns in rounds: for a while a host runs the program on another
// core, or others have its memory, and all copies take longer, never shorter. So a round is spoilt, and not a
// size; of each size the round counts whose median is the lower quartile.
std::vector<Measurement> in_turns(const Session& session, Copies& copies, Way way,
                                  const std::vector<std::size_t>& sizes) {
  constexpr std::size_t long_one = 1u << 22;
  std::vector<std::vector<Measurement>> rounds(sizes.size());
  for (int round = 0; round < (session.quick() ? 1 : 9); ++round)
    for (std::size_t i = 0; i < sizes.size(); ++i)
      rounds[i].push_back(copies.times(way, sizes[i], sizes[i] < long_one ? 21 : 3));
  std::vector<Measurement> quiet;
  for (std::vector<Measurement>& of : rounds) {
    std::sort(of.begin(), of.end(),
              [](const Measurement& a, const Measurement& b) { return a.median() < b.median(); });
    quiet.push_back(of[of.size() / 4]);
  }
  return quiet;
}

// Bandwidth: what the second half of the largest copy adds to the first. Latency: what a copy of 128 KiB
// takes beside its bytes, because copies up to some 8 KiB to the device go another way, with the command, and
// start 2 us sooner.
void find_line(const Session& session, Report& report, Copies& copies, Way way, std::size_t most,
               const std::string& latency, const std::string& bandwidth) {
  constexpr std::size_t small = 128 << 10;
  const std::vector<Measurement> times = in_turns(session, copies, way, {small, most / 2, most});
  const Measurement &half = times[1], &whole = times[2];
  Measurement rate;
  for (const double seconds : whole.values)
    rate.values.push_back(static_cast<double>(most - most / 2) / (seconds - half.median()));
  rate.sm_clock = whole.sm_clock;
  report.constant(bandwidth, rate);
  Measurement start = times[0];
  for (double& seconds : start.values) seconds -= static_cast<double>(small) / rate.median();
  report.constant(latency, start);
}

Measurement only(double value) { return {.values = {value}, .sm_clock = {}}; }

// What staging by the driver costs: copies of 6 B to the largest, each half as long again as a power of 2.
// `cache` is found by the first direction, and where the caches end for the other, too.
void find_staging(const Session& session, Report& report, Copies& copies, Way way, std::size_t most,
                  std::optional<Bytes>& cache) {
  std::vector<std::size_t> sizes;
  for (std::size_t bytes = 6; bytes <= most; bytes *= 2) sizes.push_back(bytes);
  const std::vector<Measurement> times = in_turns(session, copies, way, sizes);
  std::vector<Timed> points;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    points.push_back({Bytes(static_cast<double>(sizes[i])), Seconds(times[i].median()),
                      Seconds(times[i].low()), Seconds(times[i].high())});
  const StagedCopies found = staged_copies(points, cache);
  const std::string name = way == Way::in ? "host.in.pageable_" : "host.back.pageable_";
  report.constant(name + "latency", only(found.cached.alpha.value));
  report.constant(name + "piece", only(found.cached.piece.value));
  report.constant(name + "piece_bandwidth", only(found.cached.first.value));
  report.constant(name + "cached_bandwidth", only(found.cached.rest.value));
  report.constant(name + "bandwidth", only(found.memory.value_or(found.cached.rest).value));
  if (!cache && found.cache) {
    cache = found.cache;
    report.constant("host.cache", only(cache->value));
  }
}

ProbeResult run_link(Session& session) {
  Report report("copies in both directions at once", {{"bytes", unit_of<Bytes>()}}, "bandwidth",
                unit_of<BytesPerSecond>());
  const std::size_t most = largest_of_link(session);
  std::optional<Bytes> cache;
  for (const bool pinned : {true, false}) {
    session.say(pinned ? "host link: pinned" : "host link: pageable");
    Copies copies(session, most, pinned);
    if (!report.verify(copies.right(most), pinned ? "pinned copies" : "pageable copies"))
      return report.take();
    if (!pinned) {
      find_staging(session, report, copies, Way::in, most, cache);
      find_staging(session, report, copies, Way::back, most, cache);
      continue;
    }
    find_line(session, report, copies, Way::in, most, "host.in.latency", "host.in.bandwidth");
    find_line(session, report, copies, Way::back, most, "host.back.latency", "host.back.bandwidth");
    Measurement both = in_turns(session, copies, Way::both, {most}).front();
    for (double& seconds : both.values) seconds = 2 * static_cast<double>(most) / seconds;
    report.row({static_cast<double>(most)}, both);
    report.constant("host.both.bandwidth", both);
  }
  return report.take();
}

ProbeResult time_copies(Session& session, Way way) {
  std::vector<KeyColumn> keys{{"memory", {}}, {"direction", {}}, {"bytes", unit_of<Bytes>()}};
  if (way != Way::in) keys.push_back({"back", unit_of<Bytes>()});
  Report report("time of copies by size", keys, "time", unit_of<Seconds>());
  const char* const direction = way == Way::in ? "to the device" : way == Way::back ? "back" : "both at once";
  for (const bool pinned : {true, false}) {
    if (!pinned && way == Way::both) break; // the host waits for each by itself
    Copies copies(session, largest(session), pinned);
    const std::string memory = pinned ? "pinned" : "pageable";
    session.say("copies of " + memory + " memory");
    std::vector<std::size_t> sizes;
    for (std::size_t bytes = 4; bytes <= largest(session); bytes *= 4) {
      if (!report.verify(copies.right(bytes), memory + " copies")) return report.take();
      sizes.push_back(bytes);
    }
    const std::vector<Measurement> times = in_turns(session, copies, way, sizes);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      std::vector<Cell> cells{memory, std::string(direction), static_cast<double>(sizes[i])};
      if (way != Way::in) cells.emplace_back(static_cast<double>(sizes[i]));
      report.row(cells, times[i]);
    }
  }
  return report.take();
}

ProbeResult run_in(Session& session) { return time_copies(session, Way::in); }
ProbeResult run_back(Session& session) { return time_copies(session, Way::back); }
ProbeResult run_both(Session& session) { return time_copies(session, Way::both); }

} // namespace

extern const Probe host_link{
    .name = "host-link",
    .order = 700,
    .measures = "latency and bandwidth of copies between host and device",
    .provides = {"host.in.latency", "host.in.bandwidth", "host.back.latency", "host.back.bandwidth",
                 "host.both.bandwidth", "host.cache", "host.in.pageable_latency", "host.in.pageable_piece",
                 "host.in.pageable_piece_bandwidth", "host.in.pageable_cached_bandwidth",
                 "host.in.pageable_bandwidth", "host.back.pageable_latency", "host.back.pageable_piece",
                 "host.back.pageable_piece_bandwidth", "host.back.pageable_cached_bandwidth",
                 "host.back.pageable_bandwidth"},
    .run = run_link};

extern const Probe transfer{.name = "transfer",
                            .order = 710,
                            .model = "transfer",
                            .measures = "time of copies to the device, 4 B to 1 GiB, pinned and pageable",
                            .run = run_in};

extern const Probe transfer_back{.name = "transfer-back",
                                 .order = 720,
                                 .model = "transfer",
                                 .measures =
                                     "time of copies back to the host, 4 B to 1 GiB, pinned and pageable",
                                 .run = run_back};

extern const Probe transfer_both{.name = "transfer-both",
                                 .order = 725,
                                 .model = "transfer",
                                 .measures = "time of copies both ways at once, 4 B to 1 GiB, pinned",
                                 .run = run_both};

} // namespace perfmodel::kernels
