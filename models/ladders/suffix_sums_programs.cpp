#include "suffix_sums_programs.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace perfmodel {

namespace {

constexpr std::int64_t lanes = 32;

std::int64_t warps_of(std::int64_t n) { return (n + lanes - 1) / lanes; }

std::int64_t steps_of(std::int64_t n) {
  return static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(n - 1)));
}

// One warp of the block; words of neighbouring threads neighbour, so that no access meets a bank conflict.
class Warp {
public:
  // `again`: in a loop, out of which the compiler takes what does not change.
  Warp(const SmModel& sm, ScanVersion version, std::int64_t n, std::int64_t warp, bool again)
      : sm_(sm), version_(version), n_(n), first_(warp * lanes), again_(again) {}

  // From register to register, where `first` says what is waited for.
  void scan(WarpCode& code, WarpWait first) const {
    if (version_ == ScanVersion::warps) return exchange(code, first);
    const bool synchronised = version_ != ScanVersion::unsynchronised;
    const bool buffered = version_ == ScanVersion::two_buffers;
    code.slots(again_ ? 1 : 5).shared_store(1, first);
    if (synchronised) code.barrier();
    if (again_ && synchronised) code.compare(); // is there a step at all?
    code.slots(!buffered ? 3 : again_ ? 9 : 6, WarpWait::results);
    for (std::int64_t s = 1; s < n_; s *= 2)
      if (buffered)
        buffered_step(code, first_ + s < n_);
      else
        step(code, first_ + s < n_, synchronised);
    code.slots(buffered ? 1 : 0).shared_load();
  }

  void load(WarpCode& code, bool in_l2) const {
    code.enter(11).compare();
    code.load(traffic(in_l2), WarpWait::results);
  }
  void store(WarpCode& code, bool in_l2) const { code.slots(1).store(traffic(in_l2)).slots(1); }

private:
  Traffic traffic(bool in_l2) const {
    constexpr double sector = 32, bytes_of_word = 4;
    const double words = static_cast<double>(std::min(lanes, n_ - first_));
    const double bytes = std::max(sector, words * bytes_of_word);
    return {.wavefronts = bytes / sm_.l1_bytes, .l2_bytes = bytes, .dram_bytes = in_l2 ? 0 : bytes};
  }

  // `active`: some of its lanes have a partner.
  void add_partner(WarpCode& code, bool active) const {
    code.run("iadd", 1, WarpWait::results).compare();
    if (active)
      code.run("imad", 1, WarpWait::results).shared_load().shared_load(1, WarpWait::nothing);
    else
      code.slots(1, WarpWait::results).predicated_off(2, WarpWait::nothing);
    code.run("iadd", 1, WarpWait::results);
  }
  void put(WarpCode& code, bool active) const {
    if (active)
      code.shared_store();
    else
      code.predicated_off(1);
  }

  void step(WarpCode& code, bool active, bool synchronised) const {
    add_partner(code, active);
    if (synchronised) code.barrier();
    put(code, active);
    if (synchronised) code.barrier();
    code.loop_end(true);
  }

  // Its own number moves from buffer to buffer, whether or not it has a partner.
  void buffered_step(WarpCode& code, bool active) const {
    code.slots(5).run("iadd", 1, WarpWait::results).compare().run("imad", 1, WarpWait::results);
    code.shared_load();
    if (active)
      code.shared_load(1, WarpWait::nothing);
    else
      code.predicated_off(1, WarpWait::nothing);
    code.run("iadd", 1, WarpWait::results).shared_store().barrier().loop_end(true);
  }

  void exchange(WarpCode& code, WarpWait first) const {
    if (!again_) code.slots(6); // whether lanes have a partner, one step ahead
    WarpWait wait = first;
    for (int i = 0; i < 5; ++i, wait = WarpWait::results) {
      code.run("shuffle", 1, wait).run("compare", 1, WarpWait::results).run("iadd", 1, WarpWait::results);
      code.slots(again_ ? (i == 0 ? 1 : 0) : i < 3 ? 2 : i == 3 ? 1 : 0);
    }
    code.slots(1);
    if (n_ <= lanes) return;
    // Lane 0 stores what its warp has found; after the barrier lanes load what the warps behind have.
    code.slots(again_ ? 14 : 12).shared_store(1, WarpWait::results).slots(2).barrier();
    if (first_ + lanes < n_)
      code.shared_load();
    else
      code.predicated_off(1);
    for (int i = 0; i < 5; ++i) code.run("shuffle", 1, WarpWait::results).run("iadd", 1, WarpWait::results);
  }

  const SmModel& sm_;
  ScanVersion version_;
  std::int64_t n_, first_; // thread
  bool again_;
};

} // namespace

ScanCounts scan_counts(ScanVersion version, std::int64_t n) {
  const std::int64_t steps = steps_of(n);
  switch (version) {
  case ScanVersion::two_barriers:
    return {steps, 1 + 2 * steps, n * steps - (std::int64_t{1} << steps) + 1};
  case ScanVersion::two_buffers:
    return {steps, 1 + steps, n * steps - (std::int64_t{1} << steps) + 1};
  case ScanVersion::unsynchronised:
    return {steps, 0, n * steps - (std::int64_t{1} << steps) + 1};
  default:
    break;
  }
  // 31 + 30 + 28 + 24 + 16 additions of lanes with a partner; 5 of all lanes for the warps behind, and one.
  const std::int64_t alone = 129, behind = 6 * lanes;
  if (n <= lanes) return {5, 0, alone};
  return {11, 1, warps_of(n) * (alone + behind)};
}

std::int64_t scan_words(ScanVersion version, std::int64_t n) {
  const std::int64_t threads = warps_of(n) * lanes;
  return version == ScanVersion::warps         ? 2 * lanes
         : version == ScanVersion::two_buffers ? 2 * threads
                                               : threads;
}

std::span<const std::string_view> scan_classes() {
  static constexpr std::array<std::string_view, 4> all{"iadd", "imad", "compare", "shuffle"};
  return all;
}

BlockCode scan_again(const SmModel& sm, ScanVersion version, std::int64_t n, std::int64_t times) {
  BlockCode block;
  for (std::int64_t w = 0; w < warps_of(n); ++w) {
    WarpCode scan(sm), code(sm);
    Warp(sm, version, n, w, true).scan(scan, WarpWait::results);
    scan.loop_end(true);
    block.add(code.add(scan, times));
  }
  return block;
}

BlockCode scan_once(const SmModel& sm, ScanVersion version, std::int64_t n, bool in_l2) {
  BlockCode block;
  for (std::int64_t w = 0; w < warps_of(n); ++w) {
    const Warp warp(sm, version, n, w, false);
    WarpCode code(sm);
    warp.load(code, in_l2);
    warp.scan(code, WarpWait::loads);
    warp.store(code, in_l2);
    block.add(code);
  }
  return block;
}

} // namespace perfmodel
