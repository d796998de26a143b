// Points of a sweep at which the kernel cannot run (LaunchError): the curve goes on without them, and the
// answer says how many they are and why.
#pragma once

#include "error.hpp"
#include "gpu.hpp"
#include "result.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string>

namespace perfmodel::detail {

// A model that has rows for such a point, say of 0 resident blocks: from refused(gpu, input), which has none
// where the kernel can run. Of the others'
// sweeps the point is left out.
template <class M>
concept ShowsRefused = requires(const Gpu& gpu, const typename M::Input& input) {
  M::refused(gpu, input);
};

struct Refused {
  std::size_t points = 0, of = 0;
  std::string first; // why, in a sentence

  void add(const LaunchError& error) {
    if (points++ == 0) first = error.what();
  }
  void add_another() { ++points; }
  // Of the points behind these.
  void add(const Refused& others) {
    if (points == 0) first = others.first;
    points += others.points;
    of += others.of;
  }
  // Throws LaunchError where it is all of them: that is no curve, and one point alone no answer.
  void tell(Result& result, bool shown) const {
    if (points == 0) return;
    if (points == of) throw LaunchError(first);
    const char* left_out = shown ? "" : points == 1 ? ", which is left out" : ", which are left out";
    result.notes.push_back(fmt::format("The kernel cannot run at {} of {} points{}{}{}.", points, of,
                                       left_out, points == 1 ? ": " : "; the first: ", first));
  }
};

} // namespace perfmodel::detail
