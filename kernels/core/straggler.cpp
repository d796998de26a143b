#include "kernels/core/straggler.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>

#include <unistd.h>

namespace perfmodel::kernels {

std::string straggler_sentence(const std::string& step, unsigned seconds,
                               const std::vector<Progress>& ranks) {
  std::string names;
  std::size_t count = 0;
  const auto name = [&](Progress state) {
    for (std::size_t r = 0; r < ranks.size(); ++r)
      if (ranks[r] == state) names += fmt::format("{}rank {}", count++ == 0 ? "" : ", ", r);
  };
  name(Progress::missing);
  std::string text = fmt::format("{} has not ended within {} s: ", step, seconds);
  if (count > 0 && count < ranks.size()) return text + names + (count == 1 ? " is missing" : " are missing");
  if (count > 0) return text + "no rank has come to it";
  name(Progress::waiting);
  if (count == 0) return text + "all ranks are through it";
  return text + (count == ranks.size() ? "all ranks have come, and wait" : names + " still in it");
}

StragglerWatch::StragglerWatch(unsigned seconds) : seconds_(seconds), thread_([this] { watch(); }) {}

StragglerWatch::~StragglerWatch() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void StragglerWatch::step(std::string name, std::size_t ranks) {
  {
    const std::lock_guard lock(mutex_);
    step_ = std::move(name);
    ranks_.assign(ranks, Progress::missing);
    ++steps_;
  }
  changed_.notify_one();
}

void StragglerWatch::is(std::size_t rank, Progress progress) {
  const std::lock_guard lock(mutex_);
  ranks_[rank] = progress;
}

void StragglerWatch::watch() {
  std::unique_lock lock(mutex_);
  while (!over_) {
    const unsigned long step = steps_;
    const bool moved =
        changed_.wait_for(lock, std::chrono::seconds(seconds_), [&] { return over_ || steps_ != step; });
    if (moved || step == 0) continue; // nothing has begun yet
    std::fprintf(stderr, "perfmodel: %s\n", straggler_sentence(step_, seconds_, ranks_).c_str());
    ::_exit(3);
  }
}

} // namespace perfmodel::kernels
