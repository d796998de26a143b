// What nvbench, Google Benchmark and BabelStream write, and the roofline points that follow from it.
#include "target.hpp"

#include "hwdb/benchmark_file.hpp"
#include "models/bounds/profile_work.hpp"

#include <cmath>

using namespace perfmodel;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of(data, size);
  fuzz::read_or_refuse([&] {
    const hwdb::Benchmarks all = hwdb::parse_benchmarks(text, "fuzz");
    fuzz::promise(hwdb::is_benchmarks(text) && !all.runs.empty(),
                  "what is read is of a harness, and has runs");
    std::vector<std::string> names;
    const std::vector<ProfiledKernel> runs = by_kernel(all.runs);
    for (const ProfiledKernel& run : runs) {
      fuzz::promise(time_of(run).has_value(), "every run has a time");
      for (const auto& [name, counter] : run.counters)
        fuzz::promise(std::isfinite(counter.value) && counter.value >= 0, "numbers can be counted");
      names.push_back(run.kernel);
    }
    for (const RooflinePoint& point : points_of(runs, names))
      fuzz::promise(point.intensity.value > 0 && point.performance.value > 0, "points are positive");
  });
  return 0;
}
