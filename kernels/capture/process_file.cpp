#include "kernels/capture/process_file.hpp"

#include <cstdio>
#include <fstream>

namespace perfmodel::kernels {

ProcessFile::ProcessFile(std::string folder) : process_(::getpid()) {
  if (folder.empty()) return;
  // A process may start another program in its place, and numbers of processes come again.
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto ticks = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  path_ = std::move(folder) + "/" + std::to_string(ticks) + "-" + std::to_string(process_) + ".launches";
}

void ProcessFile::write(const Contents& contents) {
  const std::scoped_lock lock(mutex_);
  if (path_.empty()) return;
  const std::string half = path_ + ".part";
  std::ofstream file(half, std::ios::binary);
  file << contents().text();
  file.close();
  if (file) std::rename(half.c_str(), path_.c_str());
  ++times_;
  last_ = Clock::now();
}

void ProcessFile::write_now_and_then(const Contents& contents) {
  constexpr int first_few = 8;
  {
    const std::scoped_lock lock(mutex_);
    if (times_ >= first_few && Clock::now() - last_ < std::chrono::seconds(1)) return;
  }
  write(contents);
}

} // namespace perfmodel::kernels
