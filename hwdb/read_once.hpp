// What texts were found to say, for as long as the process runs: a program that asks many questions, each
// with a database of its own, parses a file again only after it has changed.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

namespace perfmodel::hwdb {

// Any number of threads may ask.
template <class Value> class ReadOnce {
public:
  // `from` is all that the value follows from; `read` makes it of that. What `read` throws is not remembered.
  template <class Read> std::shared_ptr<const Value> of(std::string from, Read read) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (const auto known = values_.find(from); known != values_.end()) return known->second;
    auto made = std::make_shared<const Value>(read(from));
    return values_.emplace(std::move(from), std::move(made)).first->second;
  }

private:
  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<const Value>> values_;
};

} // namespace perfmodel::hwdb
