#include "text_file.hpp"

#include "part_file.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace perfmodel::hwdb {

namespace fs = std::filesystem;

namespace {

// What only another name would mend is wrong input; the rest (a disk that is full, a missing permission) is
// the machine's.
[[noreturn]] void refuse(const std::string& name, const char* what, int error) {
  const std::string sentence = fmt::format("{} cannot be {}: {}", name, what, std::strerror(error));
  switch (error) {
  case ENOENT:
  case ENOTDIR:
  case EISDIR:
  case ENAMETOOLONG:
  case ELOOP:
  case EINVAL:
    throw InputError(sentence);
  default:
    throw MachineError(sentence);
  }
}

class Descriptor {
public:
  explicit Descriptor(int file) : file_(file) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (file_ >= 0) ::close(file_);
  }
  int get() const { return file_; }
  // 0, or the errno of what only closing tells, as some network drives do.
  int close() { return ::close(std::exchange(file_, -1)) == 0 ? 0 : errno; }

private:
  int file_;
};

// 0, or an errno.
int write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(file, bytes.data(), bytes.size());
    if (n < 0 && errno != EINTR) return errno;
    if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

// Some file systems and all pipes have nothing to flush.
int flushed(int file) { return ::fsync(file) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno; }

using Produce = std::function<void(const Write&)>;

// What is produced, as it comes. 0, or the errno of the first piece that could not be written.
int write_pieces(int file, const Produce& produce) {
  int error = 0;
  produce([&](std::string_view piece) {
    if (error == 0) error = write_all(file, piece);
  });
  return error;
}

// A device or a pipe (/dev/stdout) cannot be replaced; it takes the bytes as they come.
int write_into(const std::string& name, const Produce& produce) {
  Descriptor file(::open(name.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.get() < 0) return errno;
  const int error = write_pieces(file.get(), produce);
  return error != 0 ? error : file.close();
}

// What has several names, or an owner or group that a new file would not have, keeps its inode. The room is
// taken first, so that a full disk leaves the old text; for that the whole text must be there.
int overwrite(const std::string& name, const struct stat& before, const Produce& produce) {
  std::string bytes;
  produce([&](std::string_view piece) { bytes += piece; });
  Descriptor file(::open(name.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.get() < 0) return errno;
  const auto size = static_cast<off_t>(bytes.size());
  if (size > before.st_size) {
    const int error = ::posix_fallocate(file.get(), 0, size);
    if (error != 0 && error != EOPNOTSUPP && error != EINVAL)
      return ::ftruncate(file.get(), before.st_size) == 0 ? error : errno;
  }
  int error = write_all(file.get(), bytes);
  if (error == 0 && ::ftruncate(file.get(), size) != 0) error = errno;
  if (error == 0) error = flushed(file.get());
  return error != 0 ? error : file.close();
}

mode_t mode_of_a_new_file() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666 & ~mask;
}

// Beside the file, and then in its place, with the mode, owner and group of what it replaces.
int replace(const fs::path& path, const struct stat* before, const Produce& produce) {
  PartFile part(path.parent_path());
  if (part.file() < 0) return errno;
  if (before != nullptr && (before->st_uid != ::geteuid() || before->st_gid != ::getegid()) &&
      ::fchown(part.file(), before->st_uid, before->st_gid) != 0)
    return overwrite(path.string(), *before, produce);
  int error = write_pieces(part.file(), produce);
  const mode_t mode = before != nullptr ? before->st_mode & 07777 : mode_of_a_new_file();
  if (error == 0 && ::fchmod(part.file(), mode) != 0) error = errno;
  if (error == 0) error = flushed(part.file());
  return error != 0 ? error : part.take_place_of(path.string());
}

// What a file is called that is not there yet, when a chain of links ends in its name.
fs::path without_links(fs::path path) {
  std::error_code failed;
  for (int links = 0; links < 40 && fs::is_symlink(fs::symlink_status(path, failed)); ++links) {
    const fs::path to = fs::read_symlink(path, failed);
    if (failed) break;
    path = to.is_absolute() ? to : path.parent_path() / to;
  }
  return path;
}

// Writes to a file that is there. 0, or an errno.
int rewrite(const fs::path& path, const struct stat& before, const Produce& produce) {
  if (::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) return errno;
  if (before.st_nlink > 1) return overwrite(path.string(), before, produce);
  std::error_code failed;
  const fs::path real = fs::canonical(path, failed); // the link stays, its target is replaced
  return failed ? overwrite(path.string(), before, produce) : replace(real, &before, produce);
}

} // namespace

std::string read_text(const fs::path& path, std::size_t most) {
  const std::string name = path.string();
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) throw InputError(name + " is a folder, not a file");
  const Descriptor file(::open(name.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) refuse(name, "read", errno);
  // Read in steps: a pipe or a growing file has no size to ask for; where there is one, room is taken once.
  std::string text;
  struct stat status {};
  if (::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
      static_cast<std::size_t>(status.st_size) <= most)
    text.reserve(static_cast<std::size_t>(status.st_size));
  char piece[65536];
  while (true) {
    const ssize_t n = ::read(file.get(), piece, sizeof piece);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) refuse(name, "read to its end", errno);
    if (n == 0) break;
    const std::string_view read(piece, static_cast<std::size_t>(n));
    if (text.empty() && (read.starts_with("\xff\xfe") || read.starts_with("\xfe\xff")))
      throw InputError(name + " is UTF-16, as PowerShell's '>' writes it: save it as UTF-8");
    if (read.find('\0') != read.npos) throw InputError(name + " is a binary file, not text");
    text += read;
    if (text.size() > most) throw InputError(fmt::format("{} is larger than {} MiB", name, most >> 20));
  }
  return text;
}

void write_whole(const fs::path& path, std::string_view bytes) {
  write_whole(path, [&](const Write& write) { write(bytes); });
}

void write_whole(const fs::path& path, const std::function<void(const Write&)>& produce) {
  const std::string name = path.string();
  struct stat status {};
  int error = ::stat(name.c_str(), &status) == 0 ? 0 : errno;
  if (error == ENOENT)
    error = replace(without_links(path), nullptr, produce);
  else if (error == 0 && S_ISDIR(status.st_mode))
    error = EISDIR;
  else if (error == 0 && !S_ISREG(status.st_mode))
    error = write_into(name, produce);
  else if (error == 0 && (status.st_mode & 0222) == 0) // whoever took the right away meant root as well
    throw MachineError(name + " cannot be written: it is read-only");
  else if (error == 0)
    error = rewrite(path, status, produce);
  if (error != 0) refuse(name, "written", error);
}

} // namespace perfmodel::hwdb
