// The machine's part of a roofline chart: roofs, ceilings, ridge, regions.
#pragma once

#include "chart.hpp"
#include "roofline_machine.hpp"

namespace perfmodel::plots {

// One device: its roof solid, every other ceiling dashed, measured ones dotted, the regions tinted.
void add_device(Chart& chart, const RooflineMachine& machine);
// Several: the roof of each in its colour.
void add_devices(Chart& chart, const RooflineMachine& machine);

std::string rate_text(double flops_per_second);
std::string bandwidth_text(double bytes_per_second);
std::string intensity_text(double flops_per_byte);
std::string level_text(const std::string& level); // "DRAM"

// "fp16 tensor", "bf16 tensor" -> "fp16, bf16 tensor".
std::string joined_names(const std::vector<std::string>& names);

} // namespace perfmodel::plots
