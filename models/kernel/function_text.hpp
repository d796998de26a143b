// One function of a listing, line by line.
#pragma once

#include "listing.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

namespace perfmodel {

// Takes lines one after the other; `number` is that of the last, from 1.
struct ListingLines {
  std::string_view rest;
  std::size_t number = 0;

  std::optional<std::string_view> next() {
    if (rest.empty()) return std::nullopt;
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++number;
    return line;
  }
};

// The architecture that a line names, 90 for "code for sm_90" and "EF_CUDA_SM90"; 0: none.
int capability_of(std::string_view line);

// Adds the instructions of these lines to the code, and what comments say about it. Throws InputError: a
// label that is not there.
void read_function(KernelCode& code, ListingLines lines);

} // namespace perfmodel
