#include "kernels/core/buffer.hpp"
#include "kernels/core/cublas.hpp"
#include "kernels/core/library.hpp"

#include <library_types.h>

#include <cmath>
#include <cstdint>

namespace perfmodel::kernels {
namespace {

// From cublasLt.h, which not every toolkit brings.
using Opaque = void*;
struct Heuristic { // cublasLtMatmulHeuristicResult_t
  std::uint64_t algorithm[8];
  std::size_t workspace;
  int status;
  float waves;
  int reserved[4];
};
using Create = int(Opaque*);
using Destroy = int(Opaque);
using CreateDescriptor = int(Opaque*, int compute_type, int scale_type);
using CreateLayout = int(Opaque*, int type, std::uint64_t rows, std::uint64_t columns, std::int64_t stride);
using SetAttribute = int(Opaque, int attribute, const void*, std::size_t);
using GetHeuristic = int(Opaque, Opaque, Opaque, Opaque, Opaque, Opaque, Opaque, int, Heuristic*, int*);
using Multiply = int(Opaque, Opaque, const void*, const void*, Opaque, const void*, Opaque, const void*,
                     const void*, Opaque, void*, Opaque, const void*, void*, std::size_t, cudaStream_t);
constexpr int transpose_a = 3, max_workspace = 1;
constexpr int compute_32f = 68, compute_32f_tf32 = 77, compute_64f = 70, compute_32i = 72;

struct Kind {
  std::string_view precision;
  int in, out, compute, scale, bytes;
};
constexpr Kind kinds[] = {{"fp32", CUDA_R_32F, CUDA_R_32F, compute_32f, CUDA_R_32F, 4},
                          {"bf16", CUDA_R_16BF, CUDA_R_16BF, compute_32f, CUDA_R_32F, 2},
                          {"fp16", CUDA_R_16F, CUDA_R_16F, compute_32f, CUDA_R_32F, 2},
                          {"tf32", CUDA_R_32F, CUDA_R_32F, compute_32f_tf32, CUDA_R_32F, 4},
                          {"fp8", CUDA_R_8F_E4M3, CUDA_R_16BF, compute_32f, CUDA_R_32F, 1},
                          {"int8", CUDA_R_8I, CUDA_R_32I, compute_32i, CUDA_R_32I, 1},
                          {"fp64-tensor", CUDA_R_64F, CUDA_R_64F, compute_64f, CUDA_R_64F, 8}};
constexpr std::size_t workspace_bytes = std::size_t{64} << 20;

const Kind* kind_of(std::string_view precision) {
  for (const Kind& kind : kinds)
    if (kind.precision == precision) return &kind;
  return nullptr;
}

// Column-major, as cuBLAS counts: the rows of a caller's matrix are its columns.
struct Operands {
  int n, pitch;
  bool transpose_first;
  const void *first, *second;
  void* out;
};

// Random values around -1 to 1 in any of the formats: sign and mantissa random, exponent near that of one.
__global__ void fill_random(unsigned char* data, std::size_t count, int type, unsigned seed) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x) {
    std::uint64_t h = (i + 1) * 0x9E3779B97F4A7C15ull + seed;
    h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9ull;
    h = (h ^ (h >> 27)) * 0x94D049BB133111EBull;
    const double x = (static_cast<double>(h >> 11) + 0.5) / 4503599627370496.0 - 1; // in (-1, 1), never 0
    const float f = static_cast<float>(x);
    if (type == CUDA_R_64F) reinterpret_cast<double*>(data)[i] = x;
    if (type == CUDA_R_32F) reinterpret_cast<float*>(data)[i] = f;
    if (type == CUDA_R_16BF) reinterpret_cast<unsigned short*>(data)[i] = __float_as_uint(f) >> 16;
    if (type == CUDA_R_16F) // sign, exponent of 0.5 or 0.25, mantissa
      reinterpret_cast<unsigned short*>(data)[i] = (h & 0x8000) | (13 + (h & 1)) << 10 | (h >> 20 & 0x3FF);
    if (type == CUDA_R_8I) data[i] = static_cast<unsigned char>(h >> 8) | 1;
    if (type == CUDA_R_8F_E4M3) data[i] = (h & 0x80) | (4 + (h & 3)) << 3 | (h >> 20 & 7);
  }
}

class Matmul {
public:
  Matmul(Session& session, const Kind& kind, const Operands& operands)
      : session_(session), kind_(kind), operands_(operands),
        library_({"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"}) {}
  Matmul(const Matmul&) = delete;
  Matmul& operator=(const Matmul&) = delete;

  // Tries the algorithms that are proposed; returns why none can be used, or nothing.
  std::string choose() {
    if (!library_) return "cuBLAS is not on this machine";
    if (!prepare()) return "cuBLAS offers no algorithm";
    double best = 0;
    for (int i = 0; i < found_; ++i) {
      bool failed = false;
      const Sampled sampled = sample(session_, {.samples = 5, .warm_up = 0.03, .watched = 0},
                                     [&](cudaStream_t stream) { failed |= !multiply(i, stream); });
      const double rate = rate_of(sampled, 1).median();
      if (failed || rate <= best) continue;
      best = rate;
      chosen_ = i;
    }
    return best > 0 ? "" : "cuBLAS failed";
  }

  bool launch(cudaStream_t stream) const { return multiply(chosen_, stream); }

  ~Matmul() {
    if (handle_ != nullptr)
      if (const auto destroy = library_.find<Destroy>("cublasLtDestroy")) destroy(handle_);
  }

private:
  bool prepare() {
    const auto create = library_.find<Create>("cublasLtCreate");
    const auto descriptor = library_.find<CreateDescriptor>("cublasLtMatmulDescCreate");
    const auto set = library_.find<SetAttribute>("cublasLtMatmulDescSetAttribute");
    const auto layout = library_.find<CreateLayout>("cublasLtMatrixLayoutCreate");
    const auto preference = library_.find<Create>("cublasLtMatmulPreferenceCreate");
    const auto prefer = library_.find<SetAttribute>("cublasLtMatmulPreferenceSetAttribute");
    const auto heuristic = library_.find<GetHeuristic>("cublasLtMatmulAlgoGetHeuristic");
    multiply_ = library_.find<Multiply>("cublasLtMatmul");
    if (!create || !descriptor || !set || !layout || !preference || !prefer || !heuristic || !multiply_)
      return false;
    workspace_ = Buffer<unsigned char>(workspace_bytes);
    const int transposed = operands_.transpose_first ? 1 : 0;
    const auto n = static_cast<std::uint64_t>(operands_.n);
    Opaque wish = nullptr;
    return create(&handle_) == 0 && descriptor(&operation_, kind_.compute, kind_.scale) == 0 &&
           set(operation_, transpose_a, &transposed, sizeof transposed) == 0 &&
           layout(&in_, kind_.in, n, n, operands_.pitch) == 0 &&
           layout(&out_, kind_.out, n, n, operands_.pitch) == 0 && preference(&wish) == 0 &&
           prefer(wish, max_workspace, &workspace_bytes, sizeof workspace_bytes) == 0 &&
           heuristic(handle_, operation_, in_, in_, out_, out_, wish, 4, found_list_, &found_) == 0 &&
           found_ > 0;
  }

  bool multiply(int algorithm, cudaStream_t stream) const {
    const float one32 = 1, zero32 = 0;
    const double one64 = 1, zero64 = 0;
    const int one = 1, zero = 0;
    const void* alpha = kind_.scale == CUDA_R_64F   ? static_cast<const void*>(&one64)
                        : kind_.scale == CUDA_R_32I ? static_cast<const void*>(&one)
                                                    : &one32;
    const void* beta = kind_.scale == CUDA_R_64F   ? static_cast<const void*>(&zero64)
                       : kind_.scale == CUDA_R_32I ? static_cast<const void*>(&zero)
                                                   : &zero32;
    return multiply_(handle_, operation_, alpha, operands_.first, in_, operands_.second, in_, beta,
                     operands_.out, out_, operands_.out, out_, found_list_[algorithm].algorithm,
                     const_cast<unsigned char*>(workspace_.data()), workspace_bytes, stream) == 0;
  }

  Session& session_;
  const Kind& kind_;
  const Operands operands_;
  Library library_;
  Opaque handle_ = nullptr, operation_ = nullptr, in_ = nullptr, out_ = nullptr;
  Multiply* multiply_ = nullptr;
  Heuristic found_list_[4] = {};
  int found_ = 0, chosen_ = 0;
  Buffer<unsigned char> workspace_;
};

} // namespace

struct CublasProduct::Implementation {
  Matmul matmul;
};

CublasProduct::CublasProduct(Session& session, std::string_view precision, int n, int pitch, const void* a,
                             const void* b, void* c) {
  const Kind* const kind = kind_of(precision);
  if (kind == nullptr) {
    why_ = "cuBLAS has no such precision";
    return;
  }
  // Of the transposes: C^T = B^T A^T.
  implementation_.reset(new Implementation{{session, *kind, {n, pitch, false, b, a, c}}});
  why_ = implementation_->matmul.choose();
}
CublasProduct::~CublasProduct() = default;
void CublasProduct::launch(cudaStream_t stream) const {
  if (!implementation_->matmul.launch(stream)) throw MachineError("cuBLAS failed");
}

CublasRate cublas_rate(Session& session, std::string_view precision) {
  const Kind* const kind = kind_of(precision);
  if (kind == nullptr) return {{}, "cuBLAS has no such precision"};
  constexpr std::size_t n = 8192;
  Buffer<unsigned char> a(n * n * kind->bytes), b(n * n * kind->bytes), c(n * n * 8);
  fill_random<<<1024, 256, 0, session.stream>>>(a.data(), n * n, kind->in, 1);
  fill_random<<<1024, 256, 0, session.stream>>>(b.data(), n * n, kind->in, 2);
  PERFMODEL_CUDA(cudaGetLastError());
  // The first transposed: both operands contiguous along k, the only layout that fp8 has.
  Matmul matmul(session, *kind, {n, n, true, a.data(), b.data(), c.data()});
  if (std::string why = matmul.choose(); !why.empty()) return {{}, std::move(why)};
  bool failed = false;
  const Sampled sampled =
      sample(session, usual(session), [&](cudaStream_t stream) { failed |= !matmul.launch(stream); });
  if (failed) return {{}, "cuBLAS failed"};
  return {rate_of(sampled, 2.0 * n * n * n), {}};
}

} // namespace perfmodel::kernels
