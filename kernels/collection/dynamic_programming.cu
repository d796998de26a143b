// Dynamic programming: strings, paths, knapsacks and hidden states, by diagonals, by steps and by pairs.
#include "themes.hpp"

#include "kernels/core/program.cuh"

#include <algorithm>

namespace perfmodel::collection {

using namespace program;

namespace {

// One diagonal of the longest common subsequence of two strings: i letters of `a` and diagonal - i of `b`.
__global__ void common_subsequence_diagonal(const char* a, const char* b, const int* before, const int* last,
                                            int* next, int n, int diagonal) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if (i > n || i >= diagonal) return;
  const int longer = max(last[i], last[i - 1]);
  next[i] = a[i - 1] == b[diagonal - i - 1] ? before[i - 1] + 1 : longer;
}

constexpr int letters = 64;

// The edit distance of pairs of strings of 64 letters, one pair a block, diagonals in shared memory.
__global__ void edit_distances(const char* left, const char* right, int* distances) {
  __shared__ char a[letters], b[letters];
  __shared__ int rows[3][letters + 1];
  const int t = threadIdx.x, i = t + 1;
  a[t] = left[blockIdx.x * letters + t];
  b[t] = right[blockIdx.x * letters + t];
  if (t == 0) rows[0][0] = 0;
  for (int d = 1; d <= 2 * letters; ++d) {
    int *next = rows[d % 3], *last = rows[(d + 2) % 3], *before = rows[(d + 1) % 3];
    __syncthreads();
    if (t == 0 && d <= letters) next[0] = d;
    const int j = d - i;
    if (j == 0) next[i] = d;
    if (j >= 1 && j <= letters)
      next[i] = min(min(last[i], last[i - 1]) + 1, before[i - 1] + (a[i - 1] == b[j - 1] ? 0 : 1));
  }
  __syncthreads();
  if (t == 0) distances[blockIdx.x] = rows[2 * letters % 3][letters];
}

// One step of Floyd and Warshall: paths through node k.
template <class T> __global__ void floyd_warshall_step(T* distance, int n, int k) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j >= n || i == k || j == k) return;
  distance[i * n + j] = min(distance[i * n + j], distance[i * n + k] + distance[k * n + j]);
}

// One object more for a knapsack: a row of the table from the row before.
__global__ void knapsack_row(const int* last, int* next, int capacity, int weight, int value) {
  for (int c = blockIdx.x * blockDim.x + threadIdx.x; c <= capacity; c += gridDim.x * blockDim.x) {
    const int without = last[c];
    next[c] = c >= weight ? max(without, last[c - weight] + value) : without;
  }
}

// Smith and Waterman's score of a query of 32 letters, one a lane, against one reference a warp.
__global__ void local_alignments(const char* query, const char* references, int* scores, int length) {
  const int lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const char own = query[lane];
  const char* const reference = references + static_cast<size_t>(warp) * length;
  int here = 0, above_before = 0, best = 0; // of this row; of the row above, one column back
  for (int step = 0; step < length + 31; ++step) {
    const int column = step - lane;
    int above = __shfl_up_sync(~0U, here, 1); // the row above has this column behind it
    if (lane == 0) above = 0;
    if (column >= 0 && column < length) {
      const int diagonal = above_before + (reference[column] == own ? 2 : -1);
      here = max(max(0, diagonal), max(above, here) - 1);
      best = max(best, here);
      above_before = above;
    }
  }
  for (int d = 16; d > 0; d /= 2) best = max(best, __shfl_xor_sync(~0U, best, d));
  if (lane == 0) scores[warp] = best;
}

// One diagonal of the cheapest order of a chain of products: all chains of `span` + 1 matrices.
__global__ void matrix_chain_diagonal(float* cost, const float* sizes, int n, int span) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = i + span;
  if (j >= n) return;
  float best = INFINITY;
  for (int k = i; k < j; ++k)
    best = fminf(best, cost[i * n + k] + cost[(k + 1) * n + j] + sizes[i] * sizes[k + 1] * sizes[j + 1]);
  cost[i * n + j] = best;
}

// Viterbi over all steps of one sequence a block, one state a thread; the table of transitions is shared.
template <int STATES>
__global__ void viterbi_scores(const float* transitions, const float* emissions, float* scores, int steps) {
  __shared__ float table[STATES][STATES];
  __shared__ float now[STATES];
  const int s = threadIdx.x;
  for (int from = 0; from < STATES; ++from) table[from][s] = transitions[from * STATES + s];
  const float* const own = emissions + static_cast<size_t>(blockIdx.x) * steps * STATES;
  float score = own[s];
  for (int step = 1; step < steps; ++step) {
    now[s] = score;
    __syncthreads();
    float best = -INFINITY;
#pragma unroll 8
    for (int from = 0; from < STATES; ++from) best = fmaxf(best, now[from] + table[from][s]);
    score = best + own[step * STATES + s];
    __syncthreads();
  }
  scores[blockIdx.x * STATES + s] = score;
}

// Dynamic time warping of pairs of short series, one pair a thread, a row of the table in local memory.
template <class T, int LENGTH> __global__ void warp_times(const T* a, const T* b, T* costs, int pairs) {
  const int pair = blockIdx.x * blockDim.x + threadIdx.x;
  if (pair >= pairs) return;
  T row[LENGTH + 1];
  row[0] = 0;
  for (int j = 1; j <= LENGTH; ++j) row[j] = T(1e9);
  for (int i = 0; i < LENGTH; ++i) {
    const T x = a[i * pairs + pair];
    T diagonal = row[0];
    row[0] = T(1e9);
#pragma unroll 1
    for (int j = 1; j <= LENGTH; ++j) {
      const T difference = x - b[(j - 1) * pairs + pair], above = row[j];
      row[j] = difference * difference + min(diagonal, min(above, row[j - 1]));
      diagonal = above;
    }
  }
  costs[pair] = row[LENGTH];
}

// One relaxation of shortest paths on a grid of costs, from one table to another.
__global__ void relax_grid_paths(const int* paths, const unsigned char* cost, int* next, int width,
                                 int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int i = y * width + x;
  int best = 1 << 28;
  if (x > 0) best = min(best, paths[i - 1]);
  if (x < width - 1) best = min(best, paths[i + 1]);
  if (y > 0) best = min(best, paths[i - width]);
  if (y < height - 1) best = min(best, paths[i + width]);
  next[i] = min(paths[i], best + cost[i]);
}

char letter(size_t i) { return "ACGT"[i * 2654435761U / 64 % 4]; }

std::vector<char> text(size_t n, size_t start = 0) {
  std::vector<char> all(n);
  for (size_t i = 0; i < n; ++i) all[i] = letter(start + i);
  return all;
}

std::vector<int> numbers(size_t n, unsigned below) {
  std::vector<int> all(n);
  for (size_t i = 0; i < n; ++i) all[i] = static_cast<unsigned>(i) * 433 % 1021 % below;
  return all;
}

void run_subsequence(int n, unsigned block) {
  const std::vector<char> first = text(n), second = text(n, 1000);
  const std::vector<int> old = numbers(n + 1, 50), newer = numbers(n + 1, 60);
  const Array<char> a(first), b(second);
  const Array<int> before(old), last(newer), next(n + 1);
  repeat("common_subsequence_diagonal", [&] { // the longest diagonal
    common_subsequence_diagonal<<<blocks_of(n, block), block>>>(a.data, b.data, before.data, last.data,
                                                                next.data, n, n + 1);
  });
  const std::vector<int> found = next.host();
  for (int i = 1; i <= n; i += 97) {
    const int longer = std::max(newer[i], newer[i - 1]);
    expect(found[i] == (first[i - 1] == second[n - i] ? old[i - 1] + 1 : longer),
           "common_subsequence_diagonal");
  }
}

void run_edit(int pairs) {
  const std::vector<char> left = text(pairs * letters), right = text(pairs * letters, 777);
  const Array<char> a(left), b(right);
  const Array<int> distances(pairs);
  repeat("edit_distances", [&] { edit_distances<<<pairs, letters>>>(a.data, b.data, distances.data); });
  int table[letters + 1][letters + 1];
  const char *x = &left[(pairs - 1) * letters], *y = &right[(pairs - 1) * letters];
  for (int i = 0; i <= letters; ++i)
    for (int j = 0; j <= letters; ++j) {
      table[i][j] = i + j;
      if (i == 0 || j == 0) continue;
      const int change = table[i - 1][j - 1] + (x[i - 1] == y[j - 1] ? 0 : 1);
      table[i][j] = std::min(change, std::min(table[i - 1][j], table[i][j - 1]) + 1);
    }
  expect(distances.host().back() == table[letters][letters], "edit_distances");
}

template <class T> void run_floyd(int n, int k, dim3 block) {
  const std::vector<int> host = numbers(static_cast<size_t>(n) * n, 1000);
  const Array<T> distance(std::vector<T>(host.begin(), host.end()));
  const dim3 grid(blocks_of(n, block.x), blocks_of(n, block.y));
  repeat("floyd_warshall_step", [&] { floyd_warshall_step<<<grid, block>>>(distance.data, n, k); });
  const std::vector<T> found = distance.host();
  for (int i = 0; i < n * n - n; i += 1009) // row k and column k stay as they are
    if (i / n != k && i % n != k)
      expect(found[i] == std::min(host[i], host[i / n * n + k] + host[k * n + i % n]), "floyd_warshall_step");
}

void run_row(int capacity, int weight, unsigned blocks) {
  const std::vector<int> host = numbers(capacity + 1, 1000);
  const Array<int> last(host), next(capacity + 1);
  repeat("knapsack_row", [&] { knapsack_row<<<blocks, 256>>>(last.data, next.data, capacity, weight, 300); });
  const std::vector<int> found = next.host();
  for (int c = weight; c <= capacity; c += 997)
    expect(found[c] == std::max(host[c], host[c - weight] + 300), "knapsack_row");
}

void run_alignments(int warps, int length, unsigned block) {
  const std::vector<char> host = text(static_cast<size_t>(warps) * length), own = text(32, 12345);
  const Array<char> query(own), references(host);
  const Array<int> scores(warps);
  repeat("local_alignments", [&] {
    local_alignments<<<warps * 32 / block, block>>>(query.data, references.data, scores.data, length);
  });
  std::vector<int> row(33, 0);
  int best = 0;
  for (size_t i = host.size() - length; i < host.size(); ++i) // a column of the table
    for (int j = 1, diagonal = 0; j <= 32; ++j) {
      const int match = diagonal + (host[i] == own[j - 1] ? 2 : -1);
      diagonal = row[j];
      row[j] = std::max(std::max(0, match), std::max(row[j], row[j - 1]) - 1);
      best = std::max(best, row[j]);
    }
  expect(scores.host().back() == best, "local_alignments");
}

void run_chain(int n, int span, unsigned block) {
  const Array<float> cost(elements(static_cast<size_t>(n) * n)), sizes(elements(n + 1));
  repeat("matrix_chain_diagonal", [&] {
    matrix_chain_diagonal<<<blocks_of(n - span, block), block>>>(cost.data, sizes.data, n, span);
  });
  double best = 1e9;
  const int i = n - span - 1, j = n - 1;
  for (int k = i; k < j; ++k)
    best = std::min(best, 0.0 + element(i * n + k) + element((k + 1) * n + j) +
                              1.0 * element(i) * element(k + 1) * element(j + 1));
  expect(close(cost.host()[i * n + j], best, 1e-5), "matrix_chain_diagonal");
}

template <int STATES> void run_viterbi(int sequences, int steps) {
  const Array<float> transitions(elements(STATES * STATES)), scores(sequences * STATES),
      emissions(elements(static_cast<size_t>(sequences) * steps * STATES));
  repeat("viterbi_scores", [&] {
    viterbi_scores<STATES><<<sequences, STATES>>>(transitions.data, emissions.data, scores.data, steps);
  });
  const size_t first = static_cast<size_t>(sequences - 1) * steps * STATES;
  std::vector<double> now(STATES), next(STATES);
  for (int s = 0; s < STATES; ++s) now[s] = element(first + s);
  for (int step = 1; step < steps; ++step, now = next)
    for (int s = 0; s < STATES; ++s) {
      next[s] = 0;
      for (int from = 0; from < STATES; ++from)
        next[s] = std::max(next[s], now[from] + element(from * STATES + s));
      next[s] += element(first + step * STATES + s);
    }
  expect(close(scores.host().back(), now.back(), 1e-4), "viterbi_scores");
}

template <class T, int LENGTH> void run_warping(int pairs, unsigned block) {
  const std::vector<float> host = elements(static_cast<size_t>(pairs) * LENGTH);
  const std::vector<T> left(host.begin(), host.end()), right(host.rbegin(), host.rend());
  const Array<T> a(left), b(right), costs(pairs);
  repeat("warp_times", [&] {
    warp_times<T, LENGTH><<<blocks_of(pairs, block), block>>>(a.data, b.data, costs.data, pairs);
  });
  double table[LENGTH + 1][LENGTH + 1];
  for (int i = 0; i <= LENGTH; ++i)
    for (int j = 0; j <= LENGTH; ++j) {
      table[i][j] = i == 0 && j == 0 ? 0 : 1e9;
      if (i == 0 || j == 0) continue;
      const double difference = left[i * pairs - 1] - right[j * pairs - 1];
      table[i][j] =
          difference * difference + std::min(table[i - 1][j - 1], std::min(table[i - 1][j], table[i][j - 1]));
    }
  expect(close(costs.host().back(), table[LENGTH][LENGTH], 1e-4), "warp_times");
}

void run_paths(int width, int height, dim3 block) {
  const std::vector<int> host = numbers(static_cast<size_t>(width) * height, 1000);
  const std::vector<unsigned char> prices(host.size(), 5);
  const Array<int> paths(host), next(host.size());
  const Array<unsigned char> cost(prices);
  const dim3 grid(blocks_of(width, block.x), blocks_of(height, block.y));
  repeat("relax_grid_paths",
         [&] { relax_grid_paths<<<grid, block>>>(paths.data, cost.data, next.data, width, height); });
  const int i = (height - 1) * width + width / 2; // in the last row
  const int best = std::min(std::min(host[i - 1], host[i + 1]), host[i - width]);
  expect(next.host()[i] == std::min(host[i], best + 5), "relax_grid_paths");
}

} // namespace

void run_dynamic_programming() {
  run_subsequence(1 << 23, 256);
  run_subsequence(1000000, 64);
  run_edit(20000);
  run_floyd<int>(3000, 1234, dim3(32, 8));
  run_floyd<float>(4096, 7, dim3(16, 16));
  run_row(20000000, 123457, 1056);
  run_row(4000000, 64, 100);
  run_alignments(16384, 500, 128);
  run_alignments(4000, 1999, 32);
  run_chain(2048, 1000, 64);
  run_viterbi<64>(1000, 128);
  run_viterbi<96>(300, 200);
  run_warping<float, 24>(200000, 128);
  run_warping<double, 40>(30000, 64);
  run_paths(4000, 3000, dim3(64, 4));
}

} // namespace perfmodel::collection
