// The verdicts of a sweep: which of its points are told in words, what each is led by, and which of what a
// point compares is best at which of them.
#pragma once

#include "sweep.hpp"
#include "sweep_picks.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perfmodel::detail {

// Of one device every point of a few; of more points, or of several devices, the first and the last that the
// kernel can run at.
class SweepVerdict {
public:
  // `words` are the inputs that the machine's tables depend on, `moves` those of the points.
  SweepVerdict(const Model& model, const Request& words, const Request& moves, bool several_devices);

  void begin_device();
  void begin_point() { point_ = point_ ? *point_ + 1 : 0; }
  // The point just begun has rows.
  void add(const Asked& asked, const Gpu& gpu);
  // After the last point of a device. Asks for the input and the facts of the point that is told.
  void end_device(Asked& asked, Gpu& gpu);

  // Of the devices behind these.
  void append(SweepVerdict other) {
    for (std::string& line : other.verdict_) verdict_.push_back(std::move(line));
  }
  // The number of the first point that was told, if that has just been added.
  std::optional<Asked::Said> take_said() { return std::exchange(said_, {}); }
  std::vector<std::string> take() { return std::move(verdict_); }

private:
  std::vector<Value> values_at(const std::vector<Axis>& axes, std::size_t point) const;
  std::size_t machine_at(std::size_t point) const;
  std::string lead(const Gpu& gpu, std::size_t point) const;
  // The values of a point's axes that have several.
  std::vector<AxisValue> place_of(std::size_t point) const;
  void tell(const Asked& asked, const Gpu& gpu, std::size_t point);

  const Model& model_;
  const Request& words_;
  const Request& moves_;
  bool several_devices_;
  std::size_t inputs_, points_; // of a device: at one set of facts, and in all
  std::optional<std::size_t> point_, answered_, told_;
  std::size_t first_line_ = 0; // of the device
  std::vector<Pick> picks_;
  std::vector<std::string> verdict_;
  std::optional<Asked::Said> said_;
};

} // namespace perfmodel::detail
