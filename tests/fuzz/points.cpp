// The CSV of points that a user brings to a roofline.
#include "target.hpp"

#include "models/bounds/points.hpp"

#include <cmath>

using namespace perfmodel;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of(data, size);
  fuzz::read_or_refuse([&] {
    const RooflinePoints read = RooflinePoints::from_csv(text);
    fuzz::promise(!read.points.empty() && read.points.size() <= RooflinePoints::most, "there are points");
    for (const RooflinePoint& p : read.points) {
      fuzz::promise(p.intensity.value > 0 && std::isfinite(p.intensity.value), "an intensity is positive");
      for (const FlopsPerSecond rate : {p.performance, p.low, p.high, p.predicted})
        fuzz::promise(std::isnan(rate.value) || (rate.value > 0 && std::isfinite(rate.value)),
                      "a rate is positive or absent");
    }
    const std::string once = read.to_csv();
    fuzz::promise(RooflinePoints::from_csv(once).to_csv() == once, "what is written reads back the same");
  });
  return 0;
}
