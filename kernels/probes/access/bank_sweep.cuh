// The accesses to shared memory that bank-conflicts and lone-bank-conflicts measure, and their keys.
#pragma once

#include "kernels/probes/access/bank_access.cuh"

#include <cstdint>
#include <string>
#include <vector>

namespace perfmodel::kernels {

struct StridedBanks {
  BankPattern pattern;
  std::int64_t stride;

  std::string name() const {
    return std::string(shared_access_names[static_cast<int>(pattern.access)]) + " " +
           std::to_string(pattern.word) + " B, stride " + std::to_string(stride);
  }
  std::vector<Cell> keys() const {
    return {std::string(shared_access_names[static_cast<int>(pattern.access)]), std::int64_t{pattern.word},
            stride};
  }
};

inline std::vector<KeyColumn> bank_keys() {
  return {{"access", {}}, {"word", unit_of<Bytes>()}, {"stride", {}}};
}

inline std::vector<StridedBanks> bank_sweep(bool quick) {
  std::vector<StridedBanks> sweep;
  for (const SharedAccess access : {SharedAccess::load, SharedAccess::store})
    for (const int word : {4, 8, 16})
      for (int stride = 1; stride <= 33; stride += quick ? 8 : 1)
        sweep.push_back({{access, word, strided_offsets(word, stride)}, stride});
  return sweep;
}

// A row for every access of the sweep: cycles of an SM per access of a warp.
inline ProbeResult measure_banks(Session& session, std::string title, std::string column, int warps) {
  Report report(std::move(title), bank_keys(), std::move(column), unit_of<Cycles>());
  BankBench bench(session, warps);
  for (const StridedBanks& row : bank_sweep(session.quick())) {
    session.say("shared memory: " + row.name());
    if (!report.verify(bench.right(row.pattern), row.name())) break;
    report.row(row.keys(), bench.cycles(row.pattern));
  }
  return report.take();
}

} // namespace perfmodel::kernels
