// What a roofline chart calls its numbers, levels and units.
#pragma once

#include <string>
#include <vector>

namespace perfmodel::plots {

std::string rate_text(double flops_per_second);
std::string bandwidth_text(double bytes_per_second);
std::string intensity_text(double flops_per_byte);
// The same of a ceiling or precision: integer units do op/s.
std::string rate_text(const std::string& ceiling, double operations_per_second);
std::string intensity_text(const std::string& ceiling, double operations_per_byte);
std::string range_text(double low, double high);  // of bandwidths: "4.27 to 4.67 TB/s"
std::string level_text(const std::string& level); // "DRAM"

// "fp16 tensor", "bf16 tensor" -> "fp16, bf16 tensor".
std::string joined_names(const std::vector<std::string>& names);

} // namespace perfmodel::plots
