// One file behind another.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace perfmodel::cli {

// Puts the bytes of `from` behind those of `to`, which need not be there: where they begin. `from` may be
// gone afterwards. Nothing where they cannot all be written, as on a full disk: `to` is then as it was.
std::optional<std::uint64_t> append_file(const std::filesystem::path& from, const std::filesystem::path& to);

} // namespace perfmodel::cli
