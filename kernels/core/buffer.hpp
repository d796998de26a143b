// Device memory that frees itself. Plain cudaMalloc: managed memory can hang a shared GPU.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "kernels/core/check.hpp"

namespace perfmodel::kernels {

template <typename T> class Buffer {
public:
  Buffer() = default;
  explicit Buffer(std::size_t count) : count_(count) {
    PERFMODEL_CUDA(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)));
  }
  explicit Buffer(const std::vector<T>& host) : Buffer(host.size()) {
    PERFMODEL_CUDA(cudaMemcpy(data_, host.data(), bytes(), cudaMemcpyHostToDevice));
  }
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~Buffer() { (void)cudaFree(data_); } // a destructor cannot report; the next checked call will

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return count_; }
  std::size_t bytes() const { return count_ * sizeof(T); }

  // Overwrites everything, so that an element a kernel forgets to write is caught by the check.
  void poison() { PERFMODEL_CUDA(cudaMemset(data_, 0xDB, bytes())); }
  void clear() { PERFMODEL_CUDA(cudaMemset(data_, 0, bytes())); }

  std::vector<T> to_host() const {
    std::vector<T> host(count_);
    PERFMODEL_CUDA(cudaMemcpy(host.data(), data_, bytes(), cudaMemcpyDeviceToHost));
    return host;
  }

private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

} // namespace perfmodel::kernels
