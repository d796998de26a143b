// The two arrays of an access pattern, its launch, and the check of what a launch did.
#pragma once

#include "kernels/core/buffer.hpp"
#include "kernels/core/report.hpp"
#include "kernels/probes/access/pattern_access.cuh"

#include <cstring>
#include <string>

namespace perfmodel::kernels {

class PatternBench {
public:
  // Arrays of 4 GiB: at a stride of 64 words of 4 bytes, 512 MiB of sectors, eight times an L2 of 60 MiB.
  explicit PatternBench(Session& session)
      : session_(session), in_(session.buffer_bytes(std::size_t{4} << 30) / sizeof(uint4)), out_(in_.size()),
        total_(1) {
    fill_pattern(in_.data(), in_.size(), session.stream);
    out_.clear();
    session.stream.synchronize();
  }

  // Words that a launch over the whole array accesses; full blocks.
  static std::size_t most_words(const AccessPattern& p, std::size_t bytes) {
    const std::size_t last = bytes / static_cast<std::size_t>(p.word) - p.offset - 1;
    return (last / p.stride + 1) / per_block(p) * per_block(p);
  }
  std::size_t most_words(const AccessPattern& p) const { return most_words(p, in_.bytes()); }
  static std::size_t few_words(const AccessPattern& p) { return 4 * per_block(p); }

  void launch(const AccessPattern& p, std::size_t words) {
    enqueue(p, 0, words, false);
    PERFMODEL_CUDA(cudaGetLastError());
  }

  // Whether the last few words of the array are accessed rightly: the loads' sum, or all bytes from the first
  // to the last word stored.
  bool right(const AccessPattern& p) {
    const std::size_t words = few_words(p), first = most_words(p) - words;
    const std::size_t from = (first * p.stride + p.offset) * bytes_of(p),
                      to = ((first + words - 1) * p.stride + p.offset + 1) * bytes_of(p);
    char* const out = reinterpret_cast<char*>(out_.data());
    total_.clear();
    out_.set_bytes(from, to - from, out_.poison_byte);
    enqueue(p, first, words, true);
    PERFMODEL_CUDA(cudaGetLastError());
    session_.stream.synchronize();

    std::vector<unsigned char> got(to - from), want(to - from, out_.poison_byte);
    PERFMODEL_CUDA(cudaMemcpy(got.data(), out + from, got.size(), cudaMemcpyDeviceToHost));
    std::uint32_t sum = 0;
    for (std::size_t g = first; g < first + words; ++g) {
      const std::size_t at = (g * p.stride + p.offset) * bytes_of(p);
      if (p.access == Access::load)
        sum += word_sum(p.word, at);
      else
        for (std::size_t b = 0; b < bytes_of(p); ++b)
          want[at - from + b] = p.access == Access::copy
                                    ? pattern_byte(at + b)
                                    : static_cast<unsigned char>(seed(g) >> (8 * (b % 4)));
    }
    return got == want && (p.access != Access::load || total_.to_host()[0] == sum);
  }

private:
  static std::size_t bytes_of(const AccessPattern& p) { return static_cast<std::size_t>(p.word); }
  static std::size_t per_block(const AccessPattern& p) { return pattern_threads * (32 / bytes_of(p)); }
  static std::uint32_t seed(std::size_t word) { return static_cast<std::uint32_t>(word) * pattern_step + 1; }
  static unsigned char pattern_byte(std::size_t at) {
    return static_cast<unsigned char>(seed(at / 4) >> (8 * (at % 4)));
  }
  static std::uint32_t word_sum(int word, std::size_t at) {
    if (word >= 4) return pattern_sum(at / 4, static_cast<std::uint64_t>(word / 4));
    std::uint32_t value = 0;
    for (int b = 0; b < word; ++b)
      value |= std::uint32_t{pattern_byte(at + static_cast<std::size_t>(b))} << (8 * b);
    return value;
  }

  void enqueue(const AccessPattern& p, std::size_t first, std::size_t words, bool report) {
    switch (p.word) {
    case 1:
      return enqueue_word<1>(p, first, words, report);
    case 2:
      return enqueue_word<2>(p, first, words, report);
    case 4:
      return enqueue_word<4>(p, first, words, report);
    case 8:
      return enqueue_word<8>(p, first, words, report);
    case 16:
      return enqueue_word<16>(p, first, words, report);
    default:
      throw std::logic_error("no kernel for words of " + std::to_string(p.word) + " B");
    }
  }
  template <int word>
  void enqueue_word(const AccessPattern& p, std::size_t first, std::size_t words, bool report) {
    switch (p.access) {
    case Access::load:
      return enqueue_access<word, Access::load>(p, first, words, report);
    case Access::store:
      return enqueue_access<word, Access::store>(p, first, words, report);
    case Access::copy:
      return enqueue_access<word, Access::copy>(p, first, words, report);
    }
  }
  template <int word, Access access>
  void enqueue_access(const AccessPattern& p, std::size_t first, std::size_t words, bool report) {
    access_pattern<word, access>
        <<<static_cast<unsigned>(words / per_block(p)), pattern_threads, 0, session_.stream>>>(
            reinterpret_cast<const char*>(in_.data()), reinterpret_cast<char*>(out_.data()), first, p.stride,
            p.offset, p.permutation.factor, p.permutation.addend, total_.data(), report);
  }

  Session& session_;
  Buffer<uint4> in_, out_;
  Buffer<std::uint32_t> total_;
};

} // namespace perfmodel::kernels
