// A matrix as the copy engine sees it: boxes of rows of 128 bytes, swizzled as the tensor units read them.
#pragma once

#include "kernels/core/check.hpp"

#include <cuda.h>

#include <cstdint>

namespace perfmodel::kernels::tensor {

// `data`: n rows of n elements, pitch_bytes apart (a multiple of 16); n > 0. A box is 128 bytes of `box_rows`
// rows. Throws MachineError. The driver's function is looked for at run time: nothing links to libcuda.
inline CUtensorMap map_of(CUtensorMapDataType type, unsigned element_bytes, const void* data, unsigned n,
                          std::uint64_t pitch_bytes, unsigned box_rows) {
  using Encode = CUresult(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*, const cuuint64_t*,
                          const cuuint64_t*, const cuuint32_t*, const cuuint32_t*, CUtensorMapInterleave,
                          CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
  void* found = nullptr;
  cudaDriverEntryPointQueryResult status{};
  PERFMODEL_CUDA(
      cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &found, 12000, cudaEnableDefault, &status));
  if (status != cudaDriverEntryPointSuccess) throw MachineError("this driver has no tensor maps");
  const cuuint64_t sides[] = {n, n}, pitches[] = {pitch_bytes};
  const cuuint32_t box[] = {128 / element_bytes, box_rows}, steps[] = {1, 1};
  CUtensorMap map;
  const CUresult result = reinterpret_cast<Encode*>(found)(
      &map, type, 2, const_cast<void*>(data), sides, pitches, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
      CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) throw MachineError("cuTensorMapEncodeTiled failed: " + std::to_string(result));
  return map;
}

} // namespace perfmodel::kernels::tensor
