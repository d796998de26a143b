#include "mapped_file.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace perfmodel::hwdb {

namespace {

[[noreturn]] void refuse(const std::filesystem::path& file, const char* why) {
  throw InputError(fmt::format("{}: {}", file.string(), why));
}

} // namespace

MemoryFile map_file(const std::filesystem::path& file) {
  const int opened = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (opened < 0) refuse(file, std::strerror(errno));
  struct stat facts {};
  const bool plain = ::fstat(opened, &facts) == 0 && S_ISREG(facts.st_mode);
  const auto bytes = static_cast<std::size_t>(plain ? facts.st_size : 0);
  void* const at = bytes > 0 ? ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, opened, 0) : nullptr;
  const int error = errno;
  ::close(opened); // what is mapped stays
  if (!plain) refuse(file, "a plain file is expected");
  if (bytes == 0) return {};
  if (at == MAP_FAILED) refuse(file, std::strerror(error));
  return {.bytes = {static_cast<const std::uint8_t*>(at), bytes},
          .owner = std::shared_ptr<const void>(at, [bytes](void* mapped) { ::munmap(mapped, bytes); })};
}

} // namespace perfmodel::hwdb
