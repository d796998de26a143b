// A matrix of words in device memory that can be read in four ways: by plain loads, by loads of read-only
// data (__ldg), by tex1Dfetch from the same memory, and by tex2D from a copy of it in a CUDA array, whose
// layout keeps what is near in two dimensions together.
#pragma once

#include "kernels/core/buffer.hpp"
#include "kernels/core/pattern.cuh"
#include "kernels/core/pattern.hpp"
#include "kernels/core/session.hpp"
#include "kernels/core/vector_access.cuh"

#include <cstddef>
#include <string_view>

namespace perfmodel::kernels {

// As the model calls them.
enum class ReadPath { global, ldg, tex1d, tex2d };
inline constexpr ReadPath read_paths[] = {ReadPath::global, ReadPath::ldg, ReadPath::tex1d, ReadPath::tex2d};
constexpr std::string_view name_of(ReadPath path) {
  constexpr std::string_view names[] = {"global", "ldg", "tex1d", "tex2d"};
  return names[static_cast<int>(path)];
}

// What a kernel needs of it. The matrix is a power of two words wide, so that a word's number says its place.
struct TextureView {
  const void* words = nullptr;
  cudaTextureObject_t linear = 0, linear_vectors = 0, array = 0;
  unsigned width_log2 = 0;
};

// Word number y * width + x; words of 4 or 16 bytes (these not by tex2D).
template <ReadPath path, typename Word>
__device__ inline Word read_word(const TextureView& view, unsigned x, unsigned y) {
  const std::size_t i = (std::size_t{y} << view.width_log2) + x;
  constexpr bool is_vector = sizeof(Word) == sizeof(uint4);
  if constexpr (path == ReadPath::global) {
    return load_word(static_cast<const Word*>(view.words) + i);
  } else if constexpr (path == ReadPath::ldg) {
    return __ldg(static_cast<const Word*>(view.words) + i);
  } else if constexpr (path == ReadPath::tex1d) {
    return tex1Dfetch<Word>(is_vector ? view.linear_vectors : view.linear, static_cast<int>(i));
  } else {
    return tex2D<Word>(view.array, static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F);
  }
}

__device__ inline std::uint32_t sum_of(unsigned word) { return word; }

// A square of pattern words, `width` on a side, a power of two; in linear memory and in a CUDA array.
class TextureMatrix {
public:
  explicit TextureMatrix(Session& session, unsigned width_log2)
      : width_log2_(width_log2), words_((std::size_t{1} << 2 * width_log2) / 4) {
    fill_pattern(words_.data(), words_.size(), session.stream);
    session.stream.synchronize();
    make_array();
    linear_ = linear_texture(cudaCreateChannelDesc<unsigned>());
    vectors_ = linear_texture(cudaCreateChannelDesc<uint4>());
    array_texture_ = array_texture();
  }
  TextureMatrix(const TextureMatrix&) = delete;
  TextureMatrix& operator=(const TextureMatrix&) = delete;
  ~TextureMatrix() { // a destructor cannot report; the next checked call will
    for (const cudaTextureObject_t texture : {linear_, vectors_, array_texture_})
      (void)cudaDestroyTextureObject(texture);
    (void)cudaFreeArray(array_);
  }

  TextureView view() const { return {words_.data(), linear_, vectors_, array_texture_, width_log2_}; }
  std::size_t width() const { return std::size_t{1} << width_log2_; }

private:
  void make_array() {
    const cudaChannelFormatDesc word = cudaCreateChannelDesc<unsigned>();
    PERFMODEL_CUDA(cudaMallocArray(&array_, &word, width(), width()));
    PERFMODEL_CUDA(cudaMemcpy2DToArray(array_, 0, 0, words_.data(), 4 * width(), 4 * width(), width(),
                                       cudaMemcpyDeviceToDevice));
    PERFMODEL_CUDA(cudaStreamSynchronize(cudaStreamLegacy));
  }
  static cudaTextureObject_t texture_of(const cudaResourceDesc& resource) {
    cudaTextureDesc how{};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModePoint;
    how.readMode = cudaReadModeElementType;
    cudaTextureObject_t made = 0;
    PERFMODEL_CUDA(cudaCreateTextureObject(&made, &resource, &how, nullptr));
    return made;
  }
  cudaTextureObject_t linear_texture(const cudaChannelFormatDesc& word) {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = words_.data();
    resource.res.linear.desc = word;
    resource.res.linear.sizeInBytes = words_.bytes();
    return texture_of(resource);
  }
  cudaTextureObject_t array_texture() const {
    cudaResourceDesc resource{};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array_;
    return texture_of(resource);
  }

  unsigned width_log2_;
  Buffer<uint4> words_;
  cudaArray_t array_ = nullptr;
  cudaTextureObject_t linear_ = 0, vectors_ = 0, array_texture_ = 0;
};

} // namespace perfmodel::kernels
