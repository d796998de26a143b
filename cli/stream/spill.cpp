#include "spill.hpp"

#include "models/core/error.hpp"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

namespace perfmodel::cli {

namespace {

// -1 where there is none.
int nameless_file() {
  std::error_code failed;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(failed);
  if (failed) return -1;
#ifdef O_TMPFILE
  const int file = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0) return file;
#endif
  std::string name = (folder / "perfmodel-XXXXXX").string();
  const int named = ::mkstemp(name.data());
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

} // namespace

Spill::~Spill() {
  if (file_ >= 0) ::close(file_);
}

std::uint64_t Spill::add(std::string_view bytes) {
  if (!memory_.empty() && memory_.size() + bytes.size() > most_ && !has_no_file_) has_no_file_ = !spill();
  const std::uint64_t at = in_file_ + memory_.size();
  memory_ += bytes;
  return at;
}

bool Spill::spill() {
  if (file_ < 0) file_ = nameless_file();
  if (file_ < 0) return false;
  for (std::size_t done = 0; done < memory_.size();) {
    const ssize_t n =
        ::pwrite(file_, memory_.data() + done, memory_.size() - done, static_cast<off_t>(in_file_ + done));
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) done += static_cast<std::size_t>(n);
  }
  in_file_ += memory_.size();
  memory_.clear();
  return true;
}

std::string Spill::read(std::uint64_t at, std::size_t size) const {
  if (at >= in_file_) return memory_.substr(static_cast<std::size_t>(at - in_file_), size);
  std::string bytes(size, '\0');
  for (std::size_t done = 0; done < size;) {
    const ssize_t n = ::pread(file_, bytes.data() + done, size - done, static_cast<off_t>(at + done));
    if (n == 0 || (n < 0 && errno != EINTR))
      throw MachineError("the rows of this answer cannot be read back from the folder for temporary files");
    if (n > 0) done += static_cast<std::size_t>(n);
  }
  return bytes;
}

} // namespace perfmodel::cli
