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

__device__ unsigned arrived; // blocks of a launch, see meet_other_blocks

unsigned* arrived_blocks() {
  void* at = nullptr;
  PERFMODEL_CUDA(cudaGetSymbolAddress(&at, arrived));
  return static_cast<unsigned*>(at);
}

int parts(int n, int part) { return (n + part - 1) / part; }

CUtensorMap boxes_of(const StoredMatrix& m, unsigned box_rows, bool round_to_tf32 = false) {
  const CUtensorMapDataType type = m.stored == Stored::bf16 ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16
                                   : round_to_tf32          ? CU_TENSOR_MAP_DATA_TYPE_TFLOAT32
                                                            : CU_TENSOR_MAP_DATA_TYPE_FLOAT32;
  const unsigned bytes = m.stored == Stored::bf16 ? 2 : 4;
  return tensor::map_of(type, bytes, m.data, unsigned(m.n), std::uint64_t(m.pitch) * bytes, box_rows);
}

// The blocks wait for one another, so all must be resident.
template <class Kernel, class... Arguments>
void launch_together(Kernel kernel, unsigned blocks, int threads, int shared, cudaStream_t stream,
                     Arguments... arguments) {
  cudaLaunchAttribute together{};
  together.id = cudaLaunchAttributeCooperative;
  together.val.cooperative = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(blocks);
  config.blockDim = dim3(unsigned(threads));
  config.dynamicSmemBytes = std::size_t(shared);
  config.stream = stream;
  config.attrs = &together;
  config.numAttrs = 1;
  PERFMODEL_CUDA(cudaLaunchKernelEx(&config, kernel, arguments...));
}

} // namespace

Launch tensor_bf16_product(const StoredMatrix& a, const StoredMatrix& b, void* c, int times) {
  constexpr int cluster = Bf16Tile::cluster;
  PERFMODEL_CUDA(cudaFuncSetAttribute(matmul_tensor_bf16, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      Bf16Tile::shared_bytes));
  const int tiles = parts(a.n, Bf16Tile::rows * cluster) * parts(a.n, Bf16Tile::columns);
  const unsigned blocks = unsigned(std::min(sm_count() / cluster, tiles) * cluster);
  const CUtensorMap a_map = boxes_of(a, Bf16Tile::rows), b_map = boxes_of(b, Bf16Tile::depth),
                    c_map = boxes_of({c, Stored::bf16, a.n, a.pitch}, Bf16Tile::out_rows);
  return [=, n = a.n, arrived = arrived_blocks()](cudaStream_t stream) {
    launch_together(matmul_tensor_bf16, blocks, Bf16Tile::threads, Bf16Tile::shared_bytes, stream, a_map,
                    b_map, c_map, n, times, arrived);
  };
}

Launch tensor_tf32_product(const StoredMatrix& a, const StoredMatrix& b, float* c, int times) {
  PERFMODEL_CUDA(cudaFuncSetAttribute(matmul_tensor_tf32, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      Tf32Tile::shared_bytes));
  const int tiles = parts(a.n, Tf32Tile::rows) * parts(a.n, Tf32Tile::columns);
  const unsigned blocks = unsigned(std::min(sm_count(), tiles));
  const CUtensorMap a_map = boxes_of(a, Tf32Tile::rows, true), b_map = boxes_of(b, Tf32Tile::depth),
                    c_map = boxes_of({c, Stored::fp32, a.n, a.pitch}, Tf32Tile::out_rows);
  return [=, n = a.n, arrived = arrived_blocks()](cudaStream_t stream) {
    launch_together(matmul_tensor_tf32, blocks, Tf32Tile::threads, Tf32Tile::shared_bytes, stream, a_map,
                    b_map, c_map, n, times, arrived);
  };
}

} // namespace perfmodel::kernels
