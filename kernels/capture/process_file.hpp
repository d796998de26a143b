// The file in which one process says what it launched. It is written whole each time, so that a process that
// is killed leaves what it had written last.
#pragma once

#include "models/kernel/captured_launches.hpp"

#include <chrono>
#include <functional>
#include <mutex>
#include <string>

#include <unistd.h>

namespace perfmodel::kernels {

class ProcessFile {
public:
  using Contents = std::function<CapturedLaunches()>;

  // In a folder that is there; "": nothing is written.
  explicit ProcessFile(std::string folder);

  // A child that was forked has the parent's memory and is no process of its own to CUDA.
  std::string path() const { return path_; }
  bool is_of_this_process() const { return process_ == ::getpid(); }
  void write(const Contents& contents);
  // At most once a second, but for the first few times.
  void write_now_and_then(const Contents& contents);

private:
  using Clock = std::chrono::steady_clock;
  std::string path_; // "": none
  pid_t process_;
  std::mutex mutex_;
  int times_ = 0;
  Clock::time_point last_{};
};

} // namespace perfmodel::kernels
