// A number that an instruction or an address contains, from its text; empty where the text is none.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace perfmodel {

// Without a sign: "0x210" or "528".
std::optional<std::uint64_t> unsigned_number(std::string_view text);

// "-1.5", "+INF", "QNAN".
std::optional<double> real_number(std::string_view text);

} // namespace perfmodel
