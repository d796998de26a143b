// The file that a text is written to before it takes its place: nobody sees half of it, and nothing of it is
// left, whether writing fails or the program is interrupted.
#pragma once

#include <csignal>
#include <filesystem>
#include <string>

namespace perfmodel::hwdb {

// One at a time. SIGINT, SIGTERM and SIGHUP remove it and then do what they did before; those that are
// ignored stay ignored.
class PartFile {
public:
  // A new file of a name that no file has, readable by its owner alone. file() is negative, with errno set,
  // when it cannot be made.
  explicit PartFile(const std::filesystem::path& folder);
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  ~PartFile(); // closes and removes it, unless it has taken its place

  int file() const { return file_; }
  // Closes it and puts it in the place of `path`. 0, or an errno.
  int take_place_of(const std::string& path);

private:
  std::string name_;
  int file_ = -1;
  bool is_made_ = false; // and has not taken its place yet
  struct sigaction before_[4]{};
  void forget();
};

} // namespace perfmodel::hwdb
