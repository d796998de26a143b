// The warps of a block of suffix sums, step by step, in the instructions that nvcc 13.0 makes for sm_90
// (disassembled from kernels/probes/ladders/suffix_sums.cuh).
#pragma once

#include "models/simulate/block_code.hpp"
#include "suffix_sums.hpp"

#include <cstdint>
#include <span>
#include <string_view>

namespace perfmodel {

// What the sums take, whoever runs them.
struct ScanCounts {
  std::int64_t steps = 0, barriers = 0, additions = 0;
};
ScanCounts scan_counts(ScanVersion version, std::int64_t n);

// Words of shared memory that a block takes.
std::int64_t scan_words(ScanVersion version, std::int64_t n);

// Instruction classes that the programs use.
std::span<const std::string_view> scan_classes();

// `times` scans one after the other, from register to register.
BlockCode scan_again(const SmModel& sm, ScanVersion version, std::int64_t n, std::int64_t times);

// Load, scan, store.
BlockCode scan_once(const SmModel& sm, ScanVersion version, std::int64_t n, bool in_l2);

} // namespace perfmodel
