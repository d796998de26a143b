// Which variables the code that was loaded has: __device__ and __constant__ ones, by their names in it.
#pragma once

#include <cstddef>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace perfmodel::kernels {

// Of a cubin, which is an ELF file of 64 bits; none where it is something else. Throws nothing but what
// memory does.
std::vector<std::string> variables_of(std::span<const std::byte> cubin);

class ModuleVariables {
public:
  static constexpr std::size_t most_names = 4096;

  // Any thread may call.
  void loaded(std::span<const std::byte> cubin);
  std::vector<std::string> names() const;

private:
  mutable std::mutex mutex_;
  std::set<std::string> names_;
};

} // namespace perfmodel::kernels
