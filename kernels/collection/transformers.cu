// Kernels of transformer training and inference: norms, attention, losses and the optimiser,
// as authors of small language-model codes write them.
#include "themes.hpp"

#include <cuda_fp16.h>

#include "kernels/core/program.cuh"

namespace perfmodel::collection {

using namespace program;

namespace {

std::vector<__half> half_elements(size_t n) {
  std::vector<__half> all(n);
  for (size_t i = 0; i < n; ++i) all[i] = i < 1024 ? __float2half(element(i)) : all[i - 1024];
  return all;
}

// The sum, or the largest, of one value of each thread of the block.
template <bool largest> __device__ float block_all(float value) {
  __shared__ float parts[32];
  const auto join = [](float a, float b) { return largest ? fmaxf(a, b) : a + b; };
  for (int offset = 16; offset > 0; offset /= 2) value = join(value, __shfl_down_sync(~0U, value, offset));
  __syncthreads();
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  __syncthreads();
  value = parts[0];
  for (unsigned w = 1; w < blockDim.x / 32; ++w) value = join(value, parts[w]);
  return value;
}

__device__ float block_sum(float value) { return block_all<false>(value); }
__device__ float block_max(float value) { return block_all<true>(value); }

// y = x / rms(x) * w, a block a row.
__global__ void rms_norm_rows(const float* x, const float* w, float* y, int dim) {
  const float* row = x + static_cast<size_t>(blockIdx.x) * dim;
  float squares = 0;
  for (int i = threadIdx.x; i < dim; i += blockDim.x) squares += row[i] * row[i];
  const float scale = rsqrtf(block_sum(squares) / dim + 1e-5F);
  for (int i = threadIdx.x; i < dim; i += blockDim.x)
    y[static_cast<size_t>(blockIdx.x) * dim + i] = row[i] * scale * w[i];
}

void run_rms_norm(int rows, int dim, int block) {
  const size_t n = static_cast<size_t>(rows) * dim;
  const Array<float> x(elements(n)), w(elements(dim)), y(n);
  repeat("rms_norm_rows", [&] { rms_norm_rows<<<rows, block>>>(x.data, w.data, y.data, dim); });
  const size_t start = n - dim;
  double squares = 0;
  for (int i = 0; i < dim; ++i) squares += static_cast<double>(element(start + i)) * element(start + i);
  const double expected = element(n - 1) / std::sqrt(squares / dim + 1e-5) * element(dim - 1);
  expect(close(at(y, n - 1), expected, 1e-4), "rms_norm_rows");
}

// Gradient of the layer norm's weight: sums over rows, 32 columns a block.
__global__ void layer_norm_weight_gradients(const float* dy, const float* x, const float* mean,
                                            const float* rstd, float* dweight, int rows, int dim) {
  __shared__ float weights[16][33];
  const int column = blockIdx.x * 32 + threadIdx.x;
  float weight = 0;
  if (column < dim) {
    for (int r = threadIdx.y; r < rows; r += 16) {
      const size_t i = static_cast<size_t>(r) * dim + column;
      weight += dy[i] * (x[i] - mean[r]) * rstd[r];
    }
  }
  weights[threadIdx.y][threadIdx.x] = weight;
  __syncthreads();
  if (threadIdx.y == 0 && column < dim) {
    for (int y = 1; y < 16; ++y) weight += weights[y][threadIdx.x];
    dweight[column] = weight;
  }
}

void run_layer_norm_gradients(int rows, int dim) {
  const size_t n = static_cast<size_t>(rows) * dim;
  const Array<float> dy(elements(n)), x(elements(n)), mean(elements(rows)), rstd(elements(rows));
  const Array<float> dweight(dim);
  repeat("layer_norm_weight_gradients", [&] {
    layer_norm_weight_gradients<<<blocks_of(dim, 32), dim3(32, 16)>>>(dy.data, x.data, mean.data, rstd.data,
                                                                      dweight.data, rows, dim);
  });
  double weight = 0;
  for (int r = 0; r < rows; ++r) {
    const double v = element(static_cast<size_t>(r) * dim + dim - 1);
    weight += v * (v - element(r)) * element(r);
  }
  expect(close(at(dweight, dim - 1), weight, 1e-3), "layer_norm_weight_gradients");
}

// Rotary embedding of queries in place: pairs (i, i + 64) of each head turn by position * frequency.
__global__ void rotary_embedding(float* q, int heads) {
  float* token = q + static_cast<size_t>(blockIdx.x) * heads * 128;
  for (int k = threadIdx.x; k < heads * 64; k += blockDim.x) {
    const int i = k % 64;
    float* pair = token + k / 64 * 128 + i;
    float sine, cosine;
    sincosf(blockIdx.x * powf(10000.0F, -i / 64.0F), &sine, &cosine);
    const float a = pair[0], b = pair[64];
    pair[0] = a * cosine - b * sine;
    pair[64] = a * sine + b * cosine;
  }
}

void run_rotary(int tokens, int heads) {
  const Array<float> q(elements(static_cast<size_t>(tokens) * heads * 128));
  repeat("rotary_embedding", [&] { rotary_embedding<<<tokens, 256>>>(q.data, heads); });
  const size_t i = (static_cast<size_t>(3) * heads + 1) * 128 + 5;
  const double angle = times * 3 * std::pow(10000.0, -5 / 64.0), a = element(i), b = element(i + 64);
  expect(close(at(q, i), a * std::cos(angle) - b * std::sin(angle), 1e-4), "rotary_embedding");
  const size_t last = (static_cast<size_t>(tokens) * heads - 1) * 128 + 9;
  const double before = std::hypot(element(last), element(last + 64));
  expect(close(std::hypot(at(q, last), at(q, last + 64)), before, 1e-4), "rotary_embedding");
}

// SwiGLU in half precision: out = silu(gate) * up, where a row of the input is gate then up.
__global__ void swiglu_half2(const __half2* in, __half2* out, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) return;
  const size_t row = blockIdx.y;
  const float2 gate = __half22float2(in[row * 2 * pairs + i]);
  const float2 up = __half22float2(in[row * 2 * pairs + pairs + i]);
  out[row * pairs + i] =
      __floats2half2_rn(gate.x / (1 + __expf(-gate.x)) * up.x, gate.y / (1 + __expf(-gate.y)) * up.y);
}

void run_swiglu(int rows, int hidden, int block) {
  const size_t n = static_cast<size_t>(rows) * hidden;
  const Array<__half> in(half_elements(2 * n)), out(n);
  repeat("swiglu_half2", [&] {
    swiglu_half2<<<dim3(blocks_of(hidden / 2, block), rows), block>>>(
        reinterpret_cast<const __half2*>(in.data), reinterpret_cast<__half2*>(out.data), hidden / 2);
  });
  const double gate = element(2 * n - hidden - 1), up = element(2 * n - 1);
  expect(close(__half2float(at(out, n - 1)), gate / (1 + std::exp(-gate)) * up, 2e-3), "swiglu_half2");
}

// Softmax of a row of scores up to the diagonal, zeros after it; a block a row.
__global__ void causal_softmax(const float* scores, float* out, int length, float scale) {
  const size_t start = (static_cast<size_t>(blockIdx.y) * length + blockIdx.x) * length;
  const int valid = blockIdx.x + 1;
  float largest = -1e30F;
  for (int i = threadIdx.x; i < valid; i += blockDim.x) largest = fmaxf(largest, scores[start + i] * scale);
  largest = block_max(largest);
  float sum = 0;
  for (int i = threadIdx.x; i < valid; i += blockDim.x) sum += expf(scores[start + i] * scale - largest);
  const float inverse = 1 / block_sum(sum);
  for (int i = threadIdx.x; i < length; i += blockDim.x)
    out[start + i] = i < valid ? expf(scores[start + i] * scale - largest) * inverse : 0.0F;
}

void run_causal_softmax(int heads, int length, int block) {
  const size_t n = static_cast<size_t>(heads) * length * length;
  const Array<float> scores(elements(n)), out(n);
  repeat("causal_softmax",
         [&] { causal_softmax<<<dim3(length, heads), block>>>(scores.data, out.data, length, 4.0F); });
  const int row = length / 2 + 3;
  const size_t start = n - static_cast<size_t>(length - row) * length;
  double sum = 0;
  for (int i = 0; i <= row; ++i) sum += std::exp(4.0 * element(start + i));
  expect(close(at(out, start + row) * 100, std::exp(4.0 * element(start + row)) / sum * 100, 1e-3),
         "causal_softmax");
  expect(at(out, start + row + 1) == 0, "causal_softmax");
}

// Attention of one new token over a cache of keys and values: a block a head, heads of 128.
__global__ void decode_attention(const float* q, const float4* keys, const float* values, float* out,
                                 int length) {
  extern __shared__ float scores[];
  const size_t head = blockIdx.y * gridDim.x + blockIdx.x;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const float4 mine = reinterpret_cast<const float4*>(q)[head * 32 + lane];
  float largest = -1e30F;
  for (int t = warp; t < length; t += 4) {
    const float4 key = keys[(head * length + t) * 32 + lane];
    float dot = mine.x * key.x + mine.y * key.y + mine.z * key.z + mine.w * key.w;
    for (int offset = 16; offset > 0; offset /= 2) dot += __shfl_xor_sync(~0U, dot, offset);
    dot *= 0.08838835F;
    if (lane == 0) scores[t] = dot;
    largest = fmaxf(largest, dot);
  }
  largest = block_max(largest);
  float sum = 0;
  for (int t = threadIdx.x; t < length; t += 128) sum += scores[t] = __expf(scores[t] - largest);
  sum = block_sum(sum);
  float result = 0;
  for (int t = 0; t < length; ++t) result += scores[t] * values[(head * length + t) * 128 + threadIdx.x];
  out[head * 128 + threadIdx.x] = result / sum;
}

double attention(size_t query, size_t first, int length, int dim, int d) {
  double sum = 0, result = 0;
  for (int t = 0; t < length; ++t) {
    double dot = 0;
    for (int i = 0; i < dim; ++i)
      dot += static_cast<double>(element(query + i)) * element(first + static_cast<size_t>(t) * dim + i);
    const double weight = std::exp(dot / std::sqrt(static_cast<double>(dim)));
    sum += weight;
    result += weight * element(first + static_cast<size_t>(t) * dim + d);
  }
  return result / sum;
}

void run_decode_attention(int heads, int batch, int length) {
  const size_t rows = static_cast<size_t>(heads) * batch, n = rows * length * 128;
  const Array<float> q(elements(rows * 128)), keys(elements(n)), values(elements(n)), out(rows * 128);
  repeat("decode_attention", [&] {
    decode_attention<<<dim3(heads, batch), 128, length * sizeof(float)>>>(
        q.data, reinterpret_cast<const float4*>(keys.data), values.data, out.data, length);
  });
  const double expected = attention((rows - 1) * 128, n - static_cast<size_t>(length) * 128, length, 128, 77);
  expect(close(at(out, (rows - 1) * 128 + 77), expected, 1e-3), "decode_attention");
}

// Causal attention of a prompt with running maximum and sum: a thread a query, tiles of 32 keys.
__global__ void __launch_bounds__(64)
    prefill_attention_tiles(const float* q, const float* k, const float* v, float* out, int length) {
  __shared__ float keys[32][64], values[32][64];
  const size_t head = static_cast<size_t>(blockIdx.y) * length * 64;
  const int query = blockIdx.x * 64 + threadIdx.x;
  float mine[64], sums[64] = {};
  for (int i = 0; i < 64; ++i) mine[i] = q[head + query * 64 + i] * 0.125F;
  float largest = -1e30F, total = 0;
  for (int tile = 0; tile <= static_cast<int>(blockIdx.x) * 64 + 32; tile += 32) {
    for (int r = 0; r < 32; ++r) {
      keys[r][threadIdx.x] = k[head + (tile + r) * 64 + threadIdx.x];
      values[r][threadIdx.x] = v[head + (tile + r) * 64 + threadIdx.x];
    }
    __syncthreads();
    for (int r = 0; r < 32; ++r) {
      float dot = 0;
      for (int i = 0; i < 64; ++i) dot += mine[i] * keys[r][i];
      if (tile + r > query) dot = -1e30F;
      const float next = fmaxf(largest, dot), fade = __expf(largest - next), weight = __expf(dot - next);
      largest = next;
      total = total * fade + weight;
      for (int i = 0; i < 64; ++i) sums[i] = sums[i] * fade + weight * values[r][i];
    }
    __syncthreads();
  }
  for (int i = 0; i < 64; ++i) out[head + query * 64 + i] = sums[i] / total;
}

void run_prefill_attention(int heads, int length) {
  const size_t n = static_cast<size_t>(heads) * length * 64;
  const Array<float> q(elements(n)), k(elements(n)), v(elements(n)), out(n);
  repeat("prefill_attention_tiles", [&] {
    prefill_attention_tiles<<<dim3(length / 64, heads), 64>>>(q.data, k.data, v.data, out.data, length);
  });
  const size_t head = n - static_cast<size_t>(length) * 64, query = 101;
  const double expected = attention(head + query * 64, head, query + 1, 64, 13);
  expect(close(at(out, head + query * 64 + 13), expected, 1e-3), "prefill_attention_tiles");
}

// Cross entropy of a row of logits with the label (row * 7919) % vocabulary, in one pass; a block a row.
__global__ void cross_entropy_rows(const float* logits, float* loss, int vocabulary) {
  const float* row = logits + static_cast<size_t>(blockIdx.x) * vocabulary;
  float largest = -1e30F, sum = 0;
  for (int i = threadIdx.x; i < vocabulary; i += blockDim.x) {
    const float next = fmaxf(largest, row[i]);
    sum = sum * __expf(largest - next) + __expf(row[i] - next);
    largest = next;
  }
  const float top = block_max(largest);
  sum = block_sum(sum * __expf(largest - top));
  if (threadIdx.x == 0) loss[blockIdx.x] = logf(sum) + top - row[blockIdx.x * 7919 % vocabulary];
}

void run_cross_entropy(int rows, int vocabulary) {
  const size_t n = static_cast<size_t>(rows) * vocabulary;
  const Array<float> logits(elements(n)), loss(rows);
  repeat("cross_entropy_rows",
         [&] { cross_entropy_rows<<<rows, 1024>>>(logits.data, loss.data, vocabulary); });
  double sum = 0;
  for (int i = 0; i < vocabulary; ++i) sum += std::exp(element(n - vocabulary + i));
  const double label = element(n - vocabulary + (rows - 1) * 7919 % vocabulary);
  expect(close(at(loss, rows - 1), std::log(sum) - label, 1e-4), "cross_entropy_rows");
}

// One AdamW step over parameters, gradients and both moments.
__global__ void adamw_step(float* p, const float* g, float* m, float* v, size_t n, float rate, float decay) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  m[i] = 0.9F * m[i] + 0.1F * g[i];
  v[i] = 0.999F * v[i] + 0.001F * g[i] * g[i];
  p[i] -= rate * (m[i] / 0.1F / (sqrtf(v[i] / 0.001F) + 1e-8F) + decay * p[i]);
}

void run_adamw(size_t n, int block) {
  const Array<float> p(elements(n)), g(elements(n)), m(n), v(n);
  repeat("adamw_step",
         [&] { adamw_step<<<blocks_of(n, block), block>>>(p.data, g.data, m.data, v.data, n, 1e-3F, 0.1F); });
  double expected = element(n - 3), first = 0, second = 0;
  for (int t = 0; t < times; ++t) {
    first = 0.9 * first + 0.1 * element(n - 3);
    second = 0.999 * second + 0.001 * element(n - 3) * element(n - 3);
    expected -= 1e-3 * (first / 0.1 / (std::sqrt(second / 0.001) + 1e-8) + 0.1 * expected);
  }
  expect(close(at(p, n - 3), expected, 1e-4), "adamw_step");
}

} // namespace

void run_transformers() {
  run_rms_norm(8192, 4096, 256);
  run_rms_norm(5000, 1536, 512);
  run_layer_norm_gradients(4096, 3000);
  run_rotary(4096, 32);
  run_swiglu(2048, 11008, 256);
  run_swiglu(300, 4096, 128);
  run_causal_softmax(32, 1024, 128);
  run_causal_softmax(50, 600, 256);
  run_decode_attention(32, 4, 2000);
  run_prefill_attention(32, 960);
  run_cross_entropy(1024, 50257);
  run_rotary(700, 20);
  run_adamw(20'000'000, 512);
}

} // namespace perfmodel::collection
