// What is written from the host is there before a stream that does not wait for the default one goes on.
#include "kernels/core/buffer.hpp"
#include "kernels/core/stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace perfmodel::kernels::buffer_test {

bool has_gpu() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

TEST(Buffer, what_a_stream_writes_after_poison_stays) {
  if (!has_gpu()) GTEST_SKIP() << "this machine has no GPU";
  constexpr std::size_t all = std::size_t{1} << 28, last = 4096;
  Buffer<unsigned char> bytes(all);
  const Stream stream;
  for (int i = 0; i < 20; ++i) {
    bytes.poison();
    PERFMODEL_CUDA(cudaMemsetAsync(bytes.data() + all - last, 1, last, stream));
    PERFMODEL_CUDA(cudaDeviceSynchronize());
    const std::vector<unsigned char> host = bytes.to_host();
    EXPECT_EQ(std::count(host.begin(), host.end(), Buffer<unsigned char>::poison_byte), all - last);
    EXPECT_TRUE(std::all_of(host.end() - last, host.end(), [](unsigned char b) { return b == 1; })) << i;
  }
}

TEST(Buffer, what_is_copied_in_is_there_for_a_stream) {
  if (!has_gpu()) GTEST_SKIP() << "this machine has no GPU";
  const Stream stream;
  std::vector<int> host(16384), back(host.size());
  for (int i = 0; i < 20; ++i) {
    std::fill(host.begin(), host.end(), i + 1);
    const Buffer<int> words(host);
    PERFMODEL_CUDA(cudaMemcpyAsync(back.data(), words.data(), words.bytes(), cudaMemcpyDeviceToHost, stream));
    stream.synchronize();
    EXPECT_EQ(back, host);
  }
}

} // namespace perfmodel::kernels::buffer_test
