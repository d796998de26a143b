// The SM of a device as the simulation sees it, and the steps of warps on it, from the device's facts.
#pragma once

#include "sm_simulation.hpp"

#include "models/core/facts.hpp"
#include "models/core/gpu.hpp"
#include "models/core/trace.hpp"

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace perfmodel {

// What one warp's access of global memory takes.
struct WarpTraffic {
  double wavefronts = 1; // cycles of L1
  double l2_bytes = 0;   // between L2 and the SM
  double dram_bytes = 0;
  bool from_l2 = false; // its data are in L2
};

class SmModel {
public:
  // `classes`: the instruction classes that programs will use (functions such as umod too). Throws InputError
  // where the device's files lack what is needed. Records the facts in the trace.
  template <class T> SmModel(const Gpu& gpu, std::span<const std::string_view> classes, T& trace);

  const SmMachine& machine() const { return machine_; }
  double clock() const { return clock_; } // Hz

  // Steps. `count` of them: independent of each other, or a chain, each of which waits for the one before.
  void run(WarpProgram& program, std::string_view name, std::int64_t count = 1,
           Wait wait = Wait::nothing) const;
  void chain(WarpProgram& program, std::string_view name, std::int64_t count = 1,
             Wait first = Wait::results) const;
  // A load from or store to shared memory of so many wavefronts.
  void shared_load(WarpProgram& program, double wavefronts = 1, Wait wait = Wait::results) const;
  void shared_store(WarpProgram& program, double wavefronts = 1, Wait wait = Wait::results) const;
  void load(WarpProgram& program, const WarpTraffic& traffic, Wait wait = Wait::nothing) const;
  void store(WarpProgram& program, const WarpTraffic& traffic, Wait wait = Wait::results) const;
  void barrier(WarpProgram& program) const;
  // Until all loads of global memory have arrived.
  static void wait_for_loads(WarpProgram& program);

  // What bound a run: the unit that was busy for nearly all the time, else what the warps waited for.
  std::string bound(const SmRun& run) const;
