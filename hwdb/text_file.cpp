#include "text_file.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace perfmodel::hwdb {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path, std::size_t most) {
  const std::string name = path.string();
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) throw InputError(name + " is a folder, not a file");
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError(fmt::format("{} cannot be read: {}", name, std::strerror(errno)));
  // Read in steps: a pipe or a growing file has no size to ask for.
  std::string text;
  char piece[65536];
  while (in.read(piece, sizeof piece) || in.gcount() > 0) {
    text.append(piece, static_cast<std::size_t>(in.gcount()));
    if (text.size() > most) throw InputError(fmt::format("{} is larger than {} MiB", name, most >> 20));
  }
  if (in.bad()) throw InputError(name + " cannot be read to its end");
  if (text.find('\0') != std::string::npos) throw InputError(name + " is a binary file, not text");
  return text;
}

void write_whole(const fs::path& path, std::string_view bytes) {
  const std::string name = path.string();
  const auto refuse = [&](int error) -> InputError {
    return InputError(fmt::format("{} cannot be written: {}", name, std::strerror(error)));
  };
  std::error_code failed;
  // A device or a pipe (/dev/stdout) cannot be replaced; it takes the bytes as they come.
  const fs::file_status status = fs::status(path, failed);
  const bool replace = !fs::exists(status) || fs::is_regular_file(status);
  if (fs::is_directory(status)) throw refuse(EISDIR);
  const fs::path real =
      fs::is_symlink(fs::symlink_status(path, failed))
          ? fs::weakly_canonical(fs::absolute(path).parent_path() / fs::read_symlink(path, failed), failed)
          : path;
  std::string target = replace ? fmt::format("{}.{}.part", real.string(), ::getpid()) : name;
  const int file = ::open(target.c_str(), O_WRONLY | O_CREAT | (replace ? O_EXCL : 0), 0666);
  if (file < 0) throw refuse(errno);
  int error = 0;
  for (std::size_t done = 0; done < bytes.size() && error == 0;) {
    const ssize_t n = ::write(file, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno != EINTR) error = errno;
    if (n > 0) done += static_cast<std::size_t>(n);
  }
  if (replace && error == 0 && ::fsync(file) != 0 && errno != EINVAL) error = errno;
  if (::close(file) != 0 && error == 0) error = errno;
  if (replace && error == 0 && ::rename(target.c_str(), real.c_str()) != 0) error = errno;
  if (error == 0) return;
  if (replace) ::unlink(target.c_str());
  throw refuse(error);
}

} // namespace perfmodel::hwdb
