#include "kernels/core/probe.hpp"

#include "generated/probe_list.hpp"

#include <algorithm>

namespace perfmodel::kernels {

std::span<const Probe> probes() {
  static const std::vector<Probe> list = [] {
    std::vector<Probe> all;
    for (const Probe* probe : every_probe) all.push_back(*probe);
    std::sort(all.begin(), all.end(), [](const Probe& a, const Probe& b) { return a.order < b.order; });
    return all;
  }();
  return list;
}

} // namespace perfmodel::kernels
