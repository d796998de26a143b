// What device memory holds when a launch comes, written to a file: the allocations that its arguments point
// into, and those that small ones of them point into.
#pragma once

#include "models/kernel/captured_launches.hpp"

#include <cuda.h>

#include <cstdint>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace perfmodel::kernels {

class MemoryContents {
public:
  // Of allocations up to `most_bytes` each, and the first part of larger ones; 0: nothing is kept.
  MemoryContents(std::string path, std::uint64_t most_bytes) : path_(std::move(path)), most_(most_bytes) {}

  bool are_kept() const { return most_ > 0 && !path_.empty(); }
  // Waits for what runs. `addresses`: of the launch's allocations; `variables`: names, of which the module
  // has some. Any thread may call.
  std::vector<CapturedContents> of(const CapturedLaunch& launch, const std::vector<CUdeviceptr>& addresses,
                                   CUmodule module, const std::vector<std::string>& variables);

  // Whether the file could not take all: the disk is full, or its folder is gone. Nothing is kept from then
  // on.
  bool is_cut_short() const {
    const std::scoped_lock lock(mutex_);
    return cut_short_;
  }

private:
  CapturedContents kept(CUdeviceptr address, std::uint64_t size, std::vector<std::uint8_t>& bytes);
  std::uint64_t room() const; // bytes that one allocation may take
  std::uint64_t place_of(const std::vector<std::uint8_t>& bytes);

  std::string path_;
  std::uint64_t most_;
  mutable std::mutex mutex_; // of what follows
  bool cut_short_ = false;
  std::ofstream file_;
  std::uint64_t end_ = 0;                         // of the file
  std::map<std::uint64_t, std::uint64_t> places_; // of bytes that it has, by their hash
};

} // namespace perfmodel::kernels
