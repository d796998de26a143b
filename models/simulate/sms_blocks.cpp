// Blocks come to an SM, meet at their barriers and leave it.
#include "sms.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace perfmodel {

namespace {

// Whether some warps of a block have much less to do than others, so that it matters when they leave and
// which schedulers they have.
bool uneven(const SmCode& code) {
  std::size_t least = ~std::size_t{0}, most = 0;
  for (const std::size_t program : code.blocks.front()) {
    least = std::min(least, code.programs[program].size());
    most = std::max(most, code.programs[program].size());
  }
  return 2 * least < most;
}

// Blocks that an SM may have begun and not ended. How blocks share rows that they do not fill is not known.
std::size_t slots_of(const SmMachine& machine, const SmCode& code, std::size_t resident) {
  const bool fill_rows = code.blocks.front().size() % machine.schedulers == 0;
  return fill_rows && uneven(code) ? std::max(resident, machine.most_blocks) : resident;
}

} // namespace

Sms::Sms(const SmMachine& machine, const SmCode& code, std::size_t resident, std::size_t blocks,
         WarpWatch* watch)
    : machine_(machine), code_(code), watch_(watch), block_warps_(code.blocks.front().size()),
      to_launch_(blocks), schedulers_(machine.schedulers * machine.sms),
      apart_(block_warps_ % machine.schedulers == 0 ? machine.schedulers : 1),
      numbers_of_scheduler_(
          (std::min(slots_of(machine, code, resident) * machine.sms, blocks) + machine.sms - 1) /
          machine.sms * block_warps_ / apart_),
      next_scheduler_(machine.sms), sm_launcher_free_(machine.sms), barriers_free_(machine.sms),
      registers_(machine), served_last_(schedulers_, nobody),
      fetches_(machine.fetch.lines > 0 ? machine.sms : 0, InstructionFetch(machine.fetch)),
      opened_(machine.sms), queues_(machine.sms, AccessQueue(machine.queue)),
      access_queues_(schedulers_, AccessQueue(machine.access_queue)), units_(machine),
      slots_(std::min(slots_of(machine, code, resident) * machine.sms, blocks)),
      warps_(slots_.size() * block_warps_), numbers_(schedulers_ * numbers_of_scheduler_),
      places_(warps_.size() * code.places), blames_(places_.size(), Stall::wait),
      turns_(schedulers_, numbers_of_scheduler_, machine.youngest_first) {
  const bool in_rows = slots_of(machine, code, resident) != resident;
  // The first warp counts as issued last, by the scheduler that it is with.
  for (std::size_t scheduler = 0; scheduler < schedulers_ && apart_ > 1; ++scheduler)
    if (scheduler % machine.schedulers != (in_rows ? 1U : 0U)) turns_.forget(scheduler, 0);
  if (!in_rows) {
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) launch(slot, 0);
    return;
  }
  rows_.assign(machine.sms, WarpRows(resident * block_warps_ / machine.schedulers));
  idle_.resize(machine.sms);
  for (std::size_t slot = slots_.size(); slot-- > 0;) idle_[slot % machine.sms].push_back(slot);
  for (std::size_t n = 0; n < resident; ++n)
    for (std::size_t sm = 0; sm < machine.sms; ++sm) launch_where_room_is(sm, 0);
}

bool Sms::launch_where_room_is(std::size_t sm, double earliest) {
  if (to_launch_ == 0 || idle_[sm].empty()) return false;
  const std::optional<std::size_t> row = rows_[sm].take(block_warps_, machine_.schedulers);
  if (!row) return false;
  ++next_scheduler_[sm]; // of the first warp: each in turn
  const std::size_t slot = idle_[sm].back();
  idle_[sm].pop_back();
  launch(slot, earliest, *row);
  return true;
}

void Sms::launch_all_that_fit(std::size_t sm, double earliest) {
  while (launch_where_room_is(sm, earliest)) {
  }
}

void Sms::launch(std::size_t slot, double earliest, std::size_t row) {
  if (to_launch_ == 0) return;
  --to_launch_;
  const std::size_t count = block_warps_, sm = slot % machine_.sms;
  // The GPU's launcher serves other SMs while this one is not ready for its next block.
  const double served = std::max(earliest, launcher_free_), start = std::max(served, sm_launcher_free_[sm]);
  const double interval =
      std::max(machine_.launch_interval, static_cast<double>(count) * machine_.warp_interval);
  const auto sms = static_cast<double>(machine_.sms);
  launcher_free_ = served + machine_.device_interval / sms;
  sm_launcher_free_[sm] = start + interval;
  run_.launched = std::max(run_.launched, start);
  run_.launch += std::max(machine_.device_interval, interval) / sms;
  if (is_watched(slot)) watch_->launched(slot, earliest - machine_.launch);
  const std::vector<std::size_t>& block = code_.blocks[code_.order[launched_++ % code_.order.size()]];
  slots_[slot].block = launched_;
  slots_[slot].start = earliest;
  slots_[slot].running = count;
  slots_[slot].end = start;
  slots_[slot].first_store = std::numeric_limits<double>::infinity();
  slots_[slot].last_store = 0;
  slots_[slot].found.clear();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t warp = slot * count + i;
    const std::size_t scheduler = sm * machine_.schedulers + next_scheduler_[sm]++ % machine_.schedulers;
    const double begin = start + static_cast<double>(i) * machine_.warp_interval;
    blame(Stall::start, begin - earliest + machine_.launch, warp, begin);
    warps_[warp] = {.next = code_.programs[block[i]].data(),
                    .ready = {begin, begin, begin},
                    .place = {static_cast<std::uint16_t>(scheduler), static_cast<std::uint16_t>(sm), 0},
                    .number = static_cast<std::uint32_t>((slot / machine_.sms * count + i) / apart_),
                    .slot = static_cast<std::uint32_t>(slot),
                    .row = row + i / machine_.schedulers};
    numbers_[scheduler * numbers_of_scheduler_ + warps_[warp].number] = static_cast<std::uint32_t>(warp);
    std::fill_n(places_.begin() + static_cast<std::ptrdiff_t>(warp * code_.places), code_.places, begin);
    go_on(warp, begin);
  }
}

void Sms::pass_fence(std::size_t warp, const SmStep& s, double issued) {
  Warp& w = warps_[warp];
  double all_there = std::max(units_.serve(s.uses[0], w.place, issued).ended, w.ready[2]);
  const bool beyond = s.kind == SmStep::Kind::device_fence;
  if (beyond && w.has_stored) {
    all_there = std::max(all_there, w.stored + machine_.fence_behind_store);
    units_.occupy_sm(machine_.fences, w.place, issued, machine_.fence_of_store);
  }
  if (beyond && w.has_loaded) units_.occupy_sm(machine_.fences, w.place, issued, machine_.fence_of_load);
  const double through = all_there + s.latency;
  if (beyond) {
    w.fenced = through;
    w.has_stored = w.has_loaded = false;
  }
  blame(Stall::membar, through - issued, warp, through);
  go_on(warp, std::max(through, issued + s.stall));
}

void Sms::arrive(std::size_t warp, double issued) {
  double& free = barriers_free_[warps_[warp].place[1]];
  free = std::max(free, issued) + machine_.barrier_per_warp;
  run_.barriers += machine_.barrier_per_warp;
  warps_[warp].arrived = issued;
  Slot& slot = slots_[warps_[warp].slot];
  slot.at_barrier.push_back(warp);
  turns_.clear(warps_[warp].place[0], warps_[warp].number);
  release(slot, free);
}

void Sms::release(Slot& slot, double time) {
  if (slot.at_barrier.empty() || slot.at_barrier.size() < slot.running) return;
  const double fence = block_warps_ == 1 ? machine_.lone_fence : machine_.fence;
  if (fence > 0) units_.occupy_sm(machine_.accesses, warps_[slot.at_barrier.front()].place, time, fence);
  for (const std::size_t warp : slot.at_barrier) {
    blame(Stall::barrier, time + machine_.barrier - warps_[warp].arrived, warp, time + machine_.barrier);
    go_on(warp, time + machine_.barrier);
  }
  slot.at_barrier.clear();
}

void Sms::leave(std::size_t warp, double time) {
  const Warp& w = warps_[warp];
  turns_.clear(w.place[0], w.number);
  if (!rows_.empty()) turns_.forget(w.place[0], w.number);
  if (served_last_[w.place[0]] == warp) served_last_[w.place[0]] = nobody;
  Slot& slot = slots_[w.slot];
  slot.end = std::max({slot.end, time, w.ready[2]});
  run_.warp_cycles += time - slot.start + machine_.launch;
  --slot.running;
  const std::size_t sm = w.place[1], number = w.slot;
  const double gone = std::max(time, w.ready[2]);
  if (!rows_.empty()) rows_[sm].leave(w.row);
  if (slot.running > 0) {
    release(slot, time);
    if (!rows_.empty()) launch_all_that_fit(sm, gone + machine_.launch);
    return;
  }
  run_.cycles = std::max(run_.cycles, slot.end);
  run_.stalls[static_cast<std::size_t>(Stall::drain)] +=
      (slot.end - time) * static_cast<double>(block_warps_);
  run_.warp_cycles += (slot.end - time) * static_cast<double>(block_warps_);
  if (slot.last_store > 0) run_.writing.push_back(slot.last_store - slot.first_store);
  if (is_watched(number)) watch_->left(number, block_warps_, time, slot.end);
  if (rows_.empty()) return launch(number, slot.end + machine_.launch);
  idle_[sm].push_back(number);
  launch_all_that_fit(sm, slot.end + machine_.launch);
}

} // namespace perfmodel
