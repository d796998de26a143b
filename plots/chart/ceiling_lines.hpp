// The ceilings of one device that are not its roof: flat ones by arithmetic unit, sloped ones by memory
// level.
#pragma once

#include "chart.hpp"
#include "roofline_machine.hpp"

#include <string>
#include <vector>

namespace perfmodel::plots {

struct Flat {
  double rate;
  std::vector<std::string> names;
  bool measured, roof;
  std::string also; // rates too close to be a line of their own
  Grade grade = Grade::known;
  bool is_spare = false; // there are points, and none of its precisions
};

// The roof first. Equal rates share a line and, as far as it has room, a label; a measured rate that would
// lie on its specified one is told in the tooltip only.
std::vector<Flat> flats_of(const RooflineMachine& machine, const std::string& gpu);
std::string text_of(const Flat& flat);
std::string short_text_of(const Flat& flat); // of its first name

// From the slope of bandwidth `beta` to the right edge.
void add_flats(Chart& chart, const RooflineMachine& machine, const std::vector<Flat>& flats, double beta);

// Bandwidths of other levels that lie on the roof's line, for its tooltip; no line of their own is drawn.
std::string also_on_slope(const RooflineMachine& machine, const std::string& gpu);

// The other bandwidths up to the roof. Of a group that lies close together only the ends are drawn, under one
// label.
void add_slopes(Chart& chart, const RooflineMachine& machine, const std::string& gpu);

} // namespace perfmodel::plots
