// Runs each template at its usual size and at others, and checks what comes out: to be run under `perfmodel
// capture`, so that predictions of templates can be held against a GPU.
//   nvcc -O3 -std=c++17 -arch=sm_90 -I. -o templates kernels/templates/run.cu
//   perfmodel capture --serial -o templates.launches -- ./templates
//   perfmodel validate --hw h200 --model kernel --measured templates.launches
#include "gathers.cuh"
#include "softmax.cuh"
#include "stencil.cuh"
#include "vectors.cuh"

#include "kernels/core/program.cuh"

#include <string>
#include <utility>

using namespace perfmodel::templates;
using namespace perfmodel::program;

namespace {

void run_axpy(size_t n) {
  const Array<float> x(elements(n)), y(n);
  repeat("axpy", [&] { axpy<<<blocks_of(n, 256), 256>>>(y.data, x.data, static_cast<int>(n), 0.5F); });
  const std::vector<float> found = y.host();
  for (const size_t i : {size_t{0}, n / 3, n - 1})
    expect(close(found[i], times * 0.5 * element(i), 1e-4), "axpy");
}

void run_gemv(int rows, int columns) {
  const Array<float> a(elements(static_cast<size_t>(rows) * columns)), x(elements(columns)), y(rows);
  repeat("gemv", [&] { gemv<<<blocks_of(rows, 8), 256>>>(a.data, x.data, y.data, rows, columns); });
  const int row = rows - 1;
  double expected = 0;
  for (int k = 0; k < columns; ++k) expected += element(static_cast<size_t>(row) * columns + k) * element(k);
  expect(close(y.host()[row], expected, 1e-3), "gemv");
}

void run_gemv_batched(int batch, int rows, int columns) {
  const int pairs = columns / 2;
  const std::vector<__half2> ones(static_cast<size_t>(batch) * rows * pairs, __floats2half2_rn(1, 0.5F));
  const std::vector<__half2> halves(static_cast<size_t>(batch) * pairs, __floats2half2_rn(0.25F, 0.5F));
  const Array<__half2> a(ones), x(halves);
  const Array<__half> y(static_cast<size_t>(batch) * rows);
  const dim3 grid(blocks_of(rows, 8), static_cast<unsigned>(batch));
  repeat("gemv-batched", [&] { gemv_batched_fp16<<<grid, 256>>>(a.data, x.data, y.data, rows, pairs); });
  expect(close(__half2float(y.host().back()), pairs * 0.5, 1e-2), "gemv-batched");
}

void run_sum(size_t n, unsigned blocks) {
  const Array<float> in(elements(n)), out(blocks);
  repeat("sum", [&] { sum<<<blocks, 256>>>(in.data, out.data, static_cast<int>(n)); });
  double found = 0, expected = 0;
  for (const float part : out.host()) found += part;
  for (size_t i = 0; i < n; ++i) expected += element(i);
  expect(close(found, expected, 1e-4), "sum");
}

void run_stencil(int n) {
  const size_t points = static_cast<size_t>(n) * n * n;
  std::vector<double> host(points);
  for (size_t i = 0; i < points; ++i) host[i] = element(i);
  const Array<double> in(host), out(points);
  const dim3 grid(blocks_of(n, 32), blocks_of(n, 8), static_cast<unsigned>(n)), block(32, 8);
  repeat("stencil7", [&] { stencil7<<<grid, block>>>(in.data, out.data, n, 0.4, 0.1); });
  const size_t row = n, plane = row * row, at = n / 2 * plane + n / 3 * row + 1;
  const double sides =
      host[at - 1] + host[at + 1] + host[at - row] + host[at + row] + host[at - plane] + host[at + plane];
  expect(close(out.host()[at], 0.4 * host[at] + 0.1 * sides, 1e-12), "stencil7");
}

template <class Kernel>
void run_softmax(const char* what, Kernel kernel, int rows, int columns, size_t shared) {
  const size_t n = static_cast<size_t>(rows) * columns;
  const Array<float> in(elements(n)), out(n);
  repeat(what, [&] {
    kernel<<<static_cast<unsigned>(rows), softmax_threads, shared>>>(in.data, out.data, columns);
  });
  double sum = 0;
  const size_t first = n - columns;
  for (int k = 0; k < columns; ++k) sum += std::exp(element(first + k));
  expect(close(out.host()[n - 1] * columns, std::exp(element(n - 1)) / sum * columns, 1e-3), what);
}

template <class Kernel> void run_histogram(const char* what, Kernel kernel, size_t words, unsigned blocks) {
  std::vector<unsigned> host(words);
  std::vector<unsigned> expected(bins);
  unsigned state = 1;
  for (unsigned& word : host) {
    word = state = state * 1664525U + 1013904223U ^ state >> 13U;
    for (unsigned shift = 0; shift < 32; shift += 8) ++expected[word >> shift & 0xffU];
  }
  const Array<unsigned> in(host), counts(bins);
  repeat(what, [&] { kernel<<<blocks, 256>>>(in.data, counts.data, static_cast<int>(words)); });
  const std::vector<unsigned> found = counts.host();
  for (unsigned b = 0; b < bins; ++b) expect(found[b] == expected[b] * times, what);
}

// Each element's column is any of all, or the one after the column before.
template <class Kernel>
void run_spmv(const char* what, Kernel kernel, int rows, int length, unsigned blocks, bool near) {
  const size_t n = static_cast<size_t>(rows) * length;
  std::vector<int> host(n);
  unsigned state = 1;
  for (size_t i = 0; i < n; ++i) {
    state = state * 1664525U + 1013904223U;
    host[i] = static_cast<int>((near ? i : state >> 8U) % static_cast<size_t>(rows));
  }
  const Array<float> values(std::vector<float>(n, 0.5F)), x(std::vector<float>(rows, 2)), y(rows);
  const Array<int> columns(host);
  repeat(what, [&] { kernel<<<blocks, 256>>>(values.data, columns.data, x.data, y.data, rows, length); });
  expect(close(y.host()[rows - 1], length, 1e-5), what);
}

// The same matrices for each way to do it.
template <class Kernel> void run_softmaxes(const char* what, Kernel kernel, bool kept = false) {
  for (const auto& [rows, columns] :
       {std::pair{1 << 16, 1024}, {1 << 14, 4096}, {1 << 12, 16384}, {4096, 4096}, {30000, 1000}})
    if (!kept || columns <= 8192)
      run_softmax(what, kernel, rows, columns, kept ? static_cast<size_t>(columns) * sizeof(float) : 0);
}

void run_sparse(bool near) {
  run_spmv("spmv-rows", spmv_rows, 1 << 20, 32, (1U << 20U) / 8, near);
  run_spmv("spmv-ell", spmv_ell, 1 << 20, 32, (1U << 20U) / 256, near);
}

struct Group {
  const char* name;
  void (*run)();
};

// Under the names of the templates; both of the sparse products and of the histograms together.
constexpr Group groups[] = {
    {"axpy",
     [] {
       for (const size_t n : {size_t{1} << 20, size_t{10'000'000}, size_t{1} << 24, size_t{1} << 27})
         run_axpy(n);
     }},
    {"gemv",
     [] {
       for (const int n : {4096, 16384}) run_gemv(n, n);
       run_gemv(65536, 256);
       run_gemv(10000, 3000);
     }},
    {"gemv-batched",
     [] {
       run_gemv_batched(64, 1024, 1024);
       run_gemv_batched(256, 4096, 128);
     }},
    {"sum",
     [] {
       for (const size_t n : {size_t{1} << 22, size_t{1} << 28}) run_sum(n, 1024);
       run_sum(10'000'000, 528);
     }},
    {"stencil7",
     [] {
       for (const int n : {128, 200, 256, 384, 512}) run_stencil(n);
     }},
    {"softmax", [] { run_softmaxes("softmax-three-pass", softmax_three_pass); }},
    {"softmax-online", [] { run_softmaxes("softmax-online", softmax_online); }},
    {"softmax-two-pass", [] { run_softmaxes("softmax-two-pass", softmax_two_pass); }},
    {"softmax-kept", [] { run_softmaxes("softmax-kept", softmax_kept, true); }},
    {"histogram",
     [] {
       for (const size_t words : {size_t{1} << 20, size_t{1} << 26}) {
         run_histogram("histogram", histogram, words, 1024);
         run_histogram("histogram-global", histogram_global, words / 16, 1024);
       }
     }},
    {"spmv", [] { run_sparse(false); }},
};

} // namespace

int main(int argc, char** argv) {
  const std::string asked = argc == 2 ? argv[1] : "";
  // A capture does not say where indices lead: those of a template lead anywhere.
  bool found = asked == "near";
  if (found) run_sparse(true);
  for (const Group& group : groups) {
    if (argc > 1 && asked != group.name) continue;
    group.run();
    found = true;
  }
  if (!found) {
    std::fputs(
        "usage: templates [near | NAME]   (near: the sparse products alone, of neighbouring columns; a "
        "name: that template alone)\n",
        stderr);
    return 2;
  }
  std::puts("all right");
}
