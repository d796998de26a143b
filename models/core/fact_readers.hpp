// Which models read a fact, told by their sources when the program is built (fact_readers.cmake).
#pragma once

#include "fact.hpp"

#include <string_view>

namespace perfmodel {

// "occupancy, matmul", in the order of the registry: the models that read the fact for some question, on some
// GPU; empty where none does. `key` is one of all_keys().
std::string_view readers_of(const KeyInfo& key);

// What a fact is there for that no model reads, as hwdb/facts/ has it; empty for the others.
std::string_view unread_because(const KeyInfo& key);

} // namespace perfmodel
