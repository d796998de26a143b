#include "progress.hpp"

#include "text_lines.hpp"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include <unistd.h>

namespace perfmodel::cli {

using namespace std::chrono_literals;

Progress::Progress(Context& context) : Progress(context.err, isatty(STDERR_FILENO) != 0, 1s) {}

Progress::Progress(SafeStream& err, bool shown, std::chrono::milliseconds patience)
    : err_(err), patience_(patience) {
  if (!shown) return;
  try {
    drawer_ = std::thread([this] { draw(); });
  } catch (const std::system_error&) { // the system has no thread left: it goes without
  }
}

void Progress::draw() {
  constexpr std::size_t widest = 79;
  const auto begin = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, patience_, [this] { return ended_; });
  while (!ended_) {
    const auto taken = std::chrono::steady_clock::now() - begin;
    const std::string seconds =
        fmt::format(" ({} s)", std::chrono::duration_cast<std::chrono::seconds>(taken).count());
    if (!text_.empty())
      err_.stand(wrapped(text_, widest - seconds.size()).front() + seconds); // a line more would stay
    is_new_ = false;
    changed_.wait_for(lock, 1s, [this] { return ended_ || is_new_; });
  }
}

void Progress::say(std::string text) {
  const std::lock_guard lock(mutex_);
  text_ = std::move(text), is_new_ = true;
  changed_.notify_all();
}

void Progress::end() {
  if (!drawer_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  drawer_.join();
  err_.stand("");
}

} // namespace perfmodel::cli
