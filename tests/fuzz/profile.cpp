// What Nsight Compute prints as CSV, in either layout, and the roofline points that follow from it.
#include "target.hpp"

#include "hwdb/profile_file.hpp"
#include "models/bounds/profile_work.hpp"

#include <cmath>

using namespace perfmodel;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of(data, size);
  fuzz::read_or_refuse([&] {
    const std::vector<ProfiledLaunch> launches = hwdb::parse_profile(text, "fuzz.csv");
    fuzz::promise(!launches.empty() && hwdb::is_profile(text), "what is read is a profile with launches");
    for (const ProfiledLaunch& launch : launches)
      for (const auto& [metric, counter] : launch.counters)
        fuzz::promise(!metric.empty() && std::isfinite(counter.value), "a counter has a name and a number");
    const std::vector<ProfiledKernel> kernels = by_kernel(launches);
    const std::vector<std::string> names = short_names(kernels);
    fuzz::promise(names.size() == kernels.size(), "every kernel has a name");
    for (const RooflinePoint& point : points_of(kernels, names))
      fuzz::promise(point.intensity.value > 0 && point.performance.value > 0, "points are positive");
  });
  return 0;
}
