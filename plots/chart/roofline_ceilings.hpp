// The machine's part of a roofline chart: roofs, ceilings, ridge, regions.
#pragma once

#include "chart.hpp"
#include "roofline_machine.hpp"

namespace perfmodel::plots {

// One device: its roof solid, every other ceiling dashed, measured ones dotted, the regions tinted.
void add_device(Chart& chart, const RooflineMachine& machine);
// Several: the roof of each in its colour.
void add_devices(Chart& chart, const RooflineMachine& machine);

} // namespace perfmodel::plots
