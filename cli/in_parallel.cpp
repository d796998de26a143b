#include "in_parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace perfmodel::cli {

void in_parallel(std::size_t count, const std::function<void(std::size_t)>& ask,
                 const std::function<void(std::size_t)>& done, std::size_t workers) {
  if (workers == 0) workers = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::exception_ptr> thrown(count);
  std::atomic<std::size_t> next{0};
  std::atomic<bool> stopped{false};
  std::mutex telling;
  const auto work = [&] {
    for (std::size_t i = next++; i < count && !stopped; i = next++) {
      try {
        ask(i);
        const std::lock_guard<std::mutex> one_at_a_time(telling);
        if (done) done(i);
      } catch (...) { // an exception that leaves a thread ends the program
        thrown[i] = std::current_exception();
        stopped = true;
      }
    }
  };
  std::vector<std::thread> threads;
  try {
    for (std::size_t i = 1; i < std::min(workers, count); ++i) threads.emplace_back(work);
  } catch (const std::system_error&) { // no more of them are allowed: those that run do the work
  }
  work();
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& one : thrown)
    if (one) std::rethrow_exception(one);
}

} // namespace perfmodel::cli
