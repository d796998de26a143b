// Device memory that frees itself. Plain cudaMalloc: managed memory can hang a shared GPU. What is written
// from here is written on return: a session's stream does not wait for the default one, where it is done.
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
  explicit Buffer(const std::vector<T>& host) : Buffer(host.size()) { copy_from(host.data(), host.size()); }
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
  void poison() { set_bytes(0, bytes(), poison_byte); }
  void clear() { set_bytes(0, bytes(), 0); }
  void set_bytes(std::size_t first, std::size_t count, unsigned char value) {
    PERFMODEL_CUDA(cudaMemset(reinterpret_cast<unsigned char*>(data_) + first, value, count));
    PERFMODEL_CUDA(cudaStreamSynchronize(cudaStreamLegacy));
  }
  static constexpr unsigned char poison_byte = 0xDB;

  void copy_from(const T* host, std::size_t count) {
    PERFMODEL_CUDA(cudaMemcpy(data_, host, count * sizeof(T), cudaMemcpyHostToDevice));
    PERFMODEL_CUDA(cudaStreamSynchronize(cudaStreamLegacy)); // small copies return once they are staged
  }

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
