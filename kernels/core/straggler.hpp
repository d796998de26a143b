// Communication waits for ever for a rank that does not come. A thread of its own watches the steps of a
// probe: when one takes longer than the limit, it says which ranks are missing and ends the program, exit 3.
// The program, because a call that hangs inside a library or a driver cannot be ended otherwise.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace perfmodel::kernels {

enum class Progress {
  missing,
  waiting,
  done
}; // not come to the step; come, and waits for others; through it

// "all-reduce has not ended within 30 s: rank 1 is missing"
std::string straggler_sentence(const std::string& step, unsigned seconds, const std::vector<Progress>& ranks);

class StragglerWatch {
public:
  explicit StragglerWatch(unsigned seconds);
  StragglerWatch(const StragglerWatch&) = delete;
  StragglerWatch& operator=(const StragglerWatch&) = delete;
  ~StragglerWatch();

  // The next step of so many ranks, none of which has come yet: the limit begins anew.
  void step(std::string name, std::size_t ranks);
  void is(std::size_t rank, Progress progress);

private:
  void watch();

  const unsigned seconds_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::string step_;
  std::vector<Progress> ranks_;
  unsigned long steps_ = 0;
  bool over_ = false;
  std::thread thread_; // last: it uses the others
};

} // namespace perfmodel::kernels
