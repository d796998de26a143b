// Every fact a GPU's or an architecture's file may hold, as a typed key: facts::dram_bandwidth is a
// Key<BytesPerSecond>. They stand in hwdb/facts/, one line a fact, of which facts.cmake makes this when CMake
// configures; a key's name is its path with _ for each point. hwdb/README.md says how to add one.
#pragma once

#include "generated/fact_keys.hpp" // IWYU pragma: export
