#include "append_file.hpp"

#include <fstream>
#include <system_error>

namespace perfmodel::cli {

std::optional<std::uint64_t> append_file(const std::filesystem::path& from, const std::filesystem::path& to) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const std::uint64_t before = fs::exists(to, failed) ? fs::file_size(to, failed) : 0;
  if (failed) return std::nullopt;
  if (before == 0) {
    fs::rename(from, to, failed);
    return failed ? std::nullopt : std::optional(before);
  }
  const std::uint64_t size = fs::file_size(from, failed);
  if (failed) return std::nullopt;
  if (size == 0) return before;
  std::ifstream in(from, std::ios::binary);
  std::ofstream out(to, std::ios::binary | std::ios::app);
  out << in.rdbuf();
  out.close();
  if (in && out && fs::file_size(to, failed) == before + size && !failed) return before;
  fs::resize_file(to, before, failed);
  return std::nullopt;
}

} // namespace perfmodel::cli
