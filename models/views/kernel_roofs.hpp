// Where a launch stands on the roofline, at each level of memory: the operations that its instructions do,
// over the bytes that are moved there.
//   flop = share of FADD, FMUL (1), FFMA (2) and the like among the instructions of a typical block x lanes
// As a profiler counts them (models/bounds/profile_work.hpp), but for additions of nothing, which only move
// or convert; functions of MUFU count nothing. Assumes that lanes are active alike in all instructions. S.
// Williams, A. Waterman, D. Patterson, CACM 52(4), 2009.
#pragma once

#include "models/bounds/memory_level.hpp"
#include "models/core/model.hpp"

#include <string>
#include <vector>

namespace perfmodel {

struct KernelTime;
struct KernelCode;

struct KernelRoof {
  static constexpr std::string_view title = "on the roofline";
  Count number = absent;
  Level level{};
  Precision precision{};
  Flops flops;
  Bytes bytes;
  FlopsPerByte intensity, ridge;
  std::string roof;
  FlopsPerSecond attainable, performance;
  Seconds least_time;
  double of_roof = 0;
  static void fields(auto& field) {
    using R = KernelRoof;
    field(&R::number, "launch", "which of the file of launches", Range::any, Role::key);
    field(&R::level, "level", "memory level whose bytes are counted", Range::any, Role::key);
    field(&R::precision, "precision", "of most of its operations", Range::any, Role::key);
    field(&R::flops, "flops", "operations on real numbers of that precision");
    field(&R::bytes, "bytes", "read and written at the level");
    field(&R::intensity, "intensity", "operations per byte");
    field(&R::ridge, "ridge", "intensity from which arithmetic would bind");
    field(&R::roof, "roof", "which it is under: memory or compute", Range::any, Role::note);
    field(&R::attainable, "attainable", "rate at that roof");
    field(&R::performance, "performance", "operations over the time");
    field(&R::least_time, "least_time", "time at the attainable rate");
    field(&R::of_roof, "of_roof", "performance over attainable", Range::any, Role::predicted, "fraction");
  }
};

// Device memory, L2 and L1, as far as their bandwidth is known. None of a launch without such operations, nor
// of one that has work for tensor units, whose operations are not counted here.
template <class T>
std::vector<KernelRoof> roofs_of(const Gpu& gpu, const KernelCode& code, const KernelTime& launch, T& trace);

} // namespace perfmodel
