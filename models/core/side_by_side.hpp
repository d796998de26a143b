// Pieces of work that have nothing to do with one another, on as many threads as the machine has processors.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

namespace perfmodel {

// `make(n)` for n = 0 to count - 1, in that order in the answer. Throws what the first of them throws that
// does; those behind it may then not have been made.
template <class Make> auto side_by_side(std::size_t count, Make make) {
  using Made = decltype(make(std::size_t{0}));
  std::vector<std::optional<Made>> made(count);
  std::vector<std::exception_ptr> errors(count);
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  const auto work = [&] {
    while (!failed) {
      const std::size_t n = next++;
      if (n >= count) return;
      try {
        made[n].emplace(make(n));
      } catch (...) {
        errors[n] = std::current_exception();
        failed = true;
      }
    }
  };
  std::vector<std::thread> others;
  try {
    while (others.size() + 1 < std::min<std::size_t>(count, std::thread::hardware_concurrency()))
      others.emplace_back(work);
  } catch (const std::system_error&) { // no more threads are to be had: those that there are do it
  }
  work();
  for (std::thread& one : others) one.join();
  for (const std::exception_ptr& error : errors)
    if (error) std::rethrow_exception(error);
  return made;
}

} // namespace perfmodel
