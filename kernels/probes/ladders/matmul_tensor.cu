#include "kernels/probes/ladders/matmul_tensor.hpp"

#include "kernels/probes/ladders/matmul_tensor_bf16.cuh"
#include "kernels/probes/ladders/matmul_tensor_tf32.cuh"
#include "kernels/probes/ladders/tensor_map.hpp"

#include <algorithm>

namespace perfmodel::kernels {
namespace {

int sm_count() {
  int device = 0, count = 0;
  PERFMODEL_CUDA(cudaGetDevice(&device));
  PERFMODEL_CUDA(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device));
  return count;
}

int parts(int n, int part) { return (n + part - 1) / part; }

CUtensorMap boxes_of(const StoredMatrix& m, unsigned box_rows, bool round_to_tf32 = false) {
  const CUtensorMapDataType type = m.stored == Stored::bf16 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16
                                   : round_to_tf32          ? CU_TENSOR_MAP_DATA_TYPE_TFLOAT32
                                                            : CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  const unsigned bytes = m.stored == Stored::bf16 ? 2 : 4;
  return tensor::map_of(type, bytes, m.data, unsigned(m.n), std::uint64_t(m.pitch) * bytes, box_rows);
}

} // namespace

Launch tensor_bf16_product(const StoredMatrix& a, const StoredMatrix& b, void* c) {
  constexpr int cluster = Bf16Tile::cluster;
  PERFMODEL_CUDA(cudaFuncSetAttribute(matmul_tensor_bf16, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      Bf16Tile::shared_bytes));
  const int tiles = parts(a.n, Bf16Tile::rows * cluster) * parts(a.n, Bf16Tile::columns);
  const unsigned blocks = unsigned(std::min(sm_count() / cluster, tiles) * cluster);
  const CUtensorMap a_map = boxes_of(a, Bf16Tile::rows), b_map = boxes_of(b, Bf16Tile::depth);
  const int n = a.n, pitch = a.pitch;
  return [=](cudaStream_t stream) {
    matmul_tensor_bf16<<<blocks, Bf16Tile::threads, Bf16Tile::shared_bytes, stream>>>(
        a_map, b_map, static_cast<__nv_bfloat16*>(c), n, pitch);
  };
}

Launch tensor_tf32_product(const StoredMatrix& a, const StoredMatrix& b, float* c) {
  PERFMODEL_CUDA(cudaFuncSetAttribute(matmul_tensor_tf32, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      Tf32Tile::shared_bytes));
  const int tiles = parts(a.n, Tf32Tile::rows) * parts(a.n, Tf32Tile::columns);
  const unsigned blocks = unsigned(std::min(sm_count(), tiles));
  const CUtensorMap a_map = boxes_of(a, Tf32Tile::rows, true), b_map = boxes_of(b, Tf32Tile::depth);
  const int n = a.n, pitch = a.pitch;
  return [=](cudaStream_t stream) {
    matmul_tensor_tf32<<<blocks, Tf32Tile::threads, Tf32Tile::shared_bytes, stream>>>(a_map, b_map, c, n,
                                                                                      pitch);
  };
}

} // namespace perfmodel::kernels
