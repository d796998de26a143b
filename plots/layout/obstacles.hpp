// What a label must not touch, in a grid of cells so that a thousand labels are placed in milliseconds.
#pragma once

#include "geometry.hpp"

#include <vector>

namespace perfmodel::plots {

class Obstacles {
public:
  explicit Obstacles(const Rect& area);

  void add(const Quad& quad);
  void add(const Segment& segment);

  // `lines`: whether lines are in the way of a box, too.
  bool is_free(const Quad& quad, bool lines = true) const;
  // Boxes and markers are always in the way of a leader; lines only if `lines` says so.
  bool is_free(const Segment& segment, bool lines) const;

private:
  struct Cells {
    int left, top, right, bottom;
  };
  Cells cells_of(const Rect& bounds) const;
  template <class Visit> bool every(const Rect& bounds, Visit visit) const;

  Rect area_;
  int columns_, rows_;
  std::vector<Quad> quads_;
  std::vector<Segment> segments_;
  std::vector<std::vector<int>> cells_; // an index into quads_, or ~index into segments_
};

} // namespace perfmodel::plots
