// Integer work: hashes, ciphers, encodings, distances of bits, number theory and fractals by iteration.
#include "themes.hpp"

#include "kernels/core/program.cuh"

namespace perfmodel::collection {

using namespace program;

namespace {

using uint64 = unsigned long long;

__host__ __device__ unsigned mix(unsigned x) {
  x = (x ^ x >> 16) * 0x85ebca6bU;
  x = (x ^ x >> 13) * 0xc2b2ae35U;
  return x ^ x >> 16;
}

unsigned word(size_t i) { return mix(static_cast<unsigned>(i) + 1); }

std::vector<unsigned> words(size_t n) {
  std::vector<unsigned> all(n);
  for (size_t i = 0; i < n; ++i) all[i] = word(i);
  return all;
}

__host__ __device__ unsigned rotate(unsigned x, int left) { return x << left | x >> (32 - left); }

// SHA-256 of a message of 32 bytes, whose words have the highest byte first.
__host__ __device__ void sha256(const unsigned* message, unsigned* digest) {
  constexpr unsigned constants[64] = {
      0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
      0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
      0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
      0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
      0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
      0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
      0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
      0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
  constexpr unsigned start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  unsigned w[16] = {}, s[8];
  for (int k = 0; k < 8; ++k) {
    w[k] = message[k];
    s[k] = start[k];
  }
  w[8] = 0x80000000U;
  w[15] = 256;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (int k = 0; k < 64; ++k) {
    if (k >= 16) {
      const unsigned a = w[(k + 1) % 16], b = w[(k + 14) % 16];
      w[k % 16] += (rotate(a, 25) ^ rotate(a, 14) ^ a >> 3) + w[(k + 9) % 16] +
                   (rotate(b, 15) ^ rotate(b, 13) ^ b >> 10);
    }
    const unsigned choice = (s[4] & s[5]) ^ (~s[4] & s[6]);
    const unsigned majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
    const unsigned first =
        s[7] + (rotate(s[4], 26) ^ rotate(s[4], 21) ^ rotate(s[4], 7)) + choice + constants[k] + w[k % 16];
    const unsigned second = (rotate(s[0], 30) ^ rotate(s[0], 19) ^ rotate(s[0], 10)) + majority;
    for (int j = 7; j > 0; --j) s[j] = s[j - 1];
    s[4] += first;
    s[0] = first + second;
  }
  for (int k = 0; k < 8; ++k) digest[k] = start[k] + s[k];
}

// SHA-256 of many messages of 32 bytes, one a thread.
__global__ void sha256_messages(const unsigned* messages, unsigned* digests, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sha256(messages + 8 * i, digests + 8 * i);
}

void run_sha256(int n, int block) {
  const Array<unsigned> messages(words(static_cast<size_t>(n) * 8)), digests(messages.count);
  repeat("sha256_messages",
         [&] { sha256_messages<<<blocks_of(n, block), block>>>(messages.data, digests.data, n); });
  unsigned message[8], digest[8];
  for (int k = 0; k < 8; ++k) message[k] = word(static_cast<size_t>(n - 1) * 8 + k);
  sha256(message, digest);
  for (int k = 0; k < 8; ++k)
    expect(at(digests, static_cast<size_t>(n - 1) * 8 + k) == digest[k], "sha256_messages");
}

__host__ __device__ unsigned crc_of_byte(unsigned value) {
  for (int bit = 0; bit < 8; ++bit) value = value >> 1 ^ (value & 1 ? 0xEDB88320U : 0);
  return value;
}

// CRC-32 of chunks by a table in shared memory, a thread a chunk.
__global__ void crc32_chunks(const unsigned char* bytes, unsigned* sums, int chunks, int length) {
  __shared__ unsigned table[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) table[i] = crc_of_byte(i);
  __syncthreads();
  const int chunk = blockIdx.x * blockDim.x + threadIdx.x;
  if (chunk >= chunks) return;
  unsigned crc = ~0U;
  for (int k = 0; k < length; ++k) crc = crc >> 8 ^ table[(crc ^ bytes[chunk * length + k]) & 255];
  sums[chunk] = ~crc;
}

void run_crc32(int chunks, int length) {
  std::vector<unsigned char> host(static_cast<size_t>(chunks) * length);
  for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<unsigned char>(word(i));
  const Array<unsigned char> bytes(host);
  const Array<unsigned> sums(chunks);
  repeat("crc32_chunks",
         [&] { crc32_chunks<<<blocks_of(chunks, 128), 128>>>(bytes.data, sums.data, chunks, length); });
  unsigned crc = ~0U;
  for (size_t i = host.size() - length; i < host.size(); ++i)
    crc = crc >> 8 ^ crc_of_byte((crc ^ host[i]) & 255);
  expect(at(sums, chunks - 1) == ~crc, "crc32_chunks");
}

__host__ __device__ uint2 xtea(uint2 v, uint4 key) {
  const unsigned k[4] = {key.x, key.y, key.z, key.w};
  unsigned sum = 0;
  for (int round = 0; round < 32; ++round) {
    v.x += ((v.y << 4 ^ v.y >> 5) + v.y) ^ (sum + k[sum & 3]);
    sum += 0x9E3779B9U;
    v.y += ((v.x << 4 ^ v.x >> 5) + v.x) ^ (sum + k[sum >> 11 & 3]);
  }
  return v;
}

// XTEA in counter mode: eight bytes a thread.
__global__ void xtea_counter_mode(const uint2* in, uint2* out, uint4 key, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const uint2 stream = xtea(make_uint2(i, 42), key), text = in[i];
  out[i] = make_uint2(text.x ^ stream.x, text.y ^ stream.y);
}

void run_xtea(int n, int block) {
  const Array<unsigned> in(words(static_cast<size_t>(n) * 2)), out(in.count);
  const uint4 key = make_uint4(1, 22, 333, 4444);
  repeat("xtea_counter_mode", [&] {
    xtea_counter_mode<<<blocks_of(n, block), block>>>(reinterpret_cast<const uint2*>(in.data),
                                                      reinterpret_cast<uint2*>(out.data), key, n);
  });
  const unsigned stream = xtea(make_uint2(n - 1, 42), key).y;
  expect(at(out, out.count - 1) == (word(out.count - 1) ^ stream), "xtea_counter_mode");
}

__host__ __device__ unsigned table_column(const unsigned* t, unsigned a, unsigned b, unsigned c, unsigned d) {
  return t[a >> 24] ^ rotate(t[b >> 16 & 255], 24) ^ rotate(t[c >> 8 & 255], 16) ^ rotate(t[d & 255], 8);
}

__host__ __device__ uint4 table_rounds(const unsigned* t, uint4 s, unsigned key) {
  for (unsigned round = 1; round <= 10; ++round) {
    const unsigned x = table_column(t, s.x, s.y, s.z, s.w), y = table_column(t, s.y, s.z, s.w, s.x);
    const unsigned z = table_column(t, s.z, s.w, s.x, s.y), w = table_column(t, s.w, s.x, s.y, s.z);
    s = make_uint4(x ^ key * round, y ^ key, z ^ (key + round), w ^ round);
  }
  return s;
}

// Ten rounds in the manner of AES, with one table of 256 words in shared memory.
__global__ void aes_like_rounds(const unsigned* table, uint4* states, int n) {
  __shared__ unsigned t[256];
  if (threadIdx.x < 256) t[threadIdx.x] = table[threadIdx.x];
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    states[i] = table_rounds(t, make_uint4(i, 1, 2, 3), 0x1234567U);
}

void run_aes(int n) {
  const std::vector<unsigned> host = words(256);
  const Array<unsigned> table(host);
  const Array<uint4> states(n);
  repeat("aes_like_rounds", [&] { aes_like_rounds<<<528, 512>>>(table.data, states.data, n); });
  const uint4 found = at(states, n - 1),
              right = table_rounds(host.data(), make_uint4(n - 1, 1, 2, 3), 0x1234567U);
  expect(found.x == right.x && found.y == right.y && found.w == right.w, "aes_like_rounds");
}

__host__ __device__ unsigned char base64_letter(int v) {
  const int shift = v < 26 ? 'A' : v < 52 ? 'a' - 26 : v < 62 ? '0' - 52 : v == 62 ? '+' - 62 : '/' - 63;
  return static_cast<unsigned char>(v + shift);
}

// Base64: three bytes to four letters a thread.
__global__ void base64_encode(const unsigned char* in, uchar4* out, int groups) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= groups) return;
  const int bits = in[3 * i] << 16 | in[3 * i + 1] << 8 | in[3 * i + 2];
  out[i] = make_uchar4(base64_letter(bits >> 18), base64_letter(bits >> 12 & 63),
                       base64_letter(bits >> 6 & 63), base64_letter(bits & 63));
}

void run_base64(int groups) {
  std::vector<unsigned char> host(static_cast<size_t>(groups) * 3);
  for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<unsigned char>(word(i));
  const Array<unsigned char> in(host);
  const Array<uchar4> out(groups);
  repeat("base64_encode", [&] { base64_encode<<<blocks_of(groups, 256), 256>>>(in.data, out.data, groups); });
  const uchar4 last = at(out, groups - 1);
  expect(last.x == base64_letter(host[host.size() - 3] >> 2), "base64_encode");
  expect(last.w == base64_letter(host[host.size() - 1] & 63), "base64_encode");
}

// Hamming distances of all pairs of two sets of 256 bits.
__global__ void hamming_distances(const ulonglong2* a, const ulonglong2* b, unsigned char* out, int na,
                                  int nb) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= na || j >= nb) return;
  int distance = 0;
  for (int k = 0; k < 2; ++k) {
    const ulonglong2 x = a[2 * i + k], y = b[2 * j + k];
    distance += __popcll(x.x ^ y.x) + __popcll(x.y ^ y.y);
  }
  out[static_cast<size_t>(i) * nb + j] = static_cast<unsigned char>(min(distance, 255));
}

void run_hamming(int na, int nb, dim3 block) {
  const Array<unsigned> a(words(static_cast<size_t>(na) * 8)), b(words(static_cast<size_t>(nb) * 8));
  const Array<unsigned char> out(static_cast<size_t>(na) * nb);
  const dim3 grid(blocks_of(nb, block.x), blocks_of(na, block.y));
  repeat("hamming_distances", [&] {
    hamming_distances<<<grid, block>>>(reinterpret_cast<const ulonglong2*>(a.data),
                                       reinterpret_cast<const ulonglong2*>(b.data), out.data, na, nb);
  });
  const size_t i = na - 2, j = nb - 1;
  int distance = 0;
  for (size_t k = 0; k < 8; ++k) distance += __builtin_popcount(word(i * 8 + k) ^ word(j * 8 + k));
  expect(at(out, i * nb + j) == distance, "hamming_distances");
}

// Mandelbrot counts over -2 to 1 and -1.5 to 1.5, with an end at the escape or all iterations always.
template <class T, bool escapes>
__global__ void mandelbrot(unsigned short* counts, int width, int height, int limit) {
  const int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;
  const T cx = T(3) * px / width - 2, cy = T(3) * py / height - T(1.5);
  T x = 0, y = 0;
  int count = 0;
  for (int k = 0; k < limit; ++k) {
    const bool inside = x * x + y * y <= 4;
    if (escapes && !inside) break;
    count += inside;
    const T next = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = next;
  }
  counts[py * width + px] = static_cast<unsigned short>(count);
}

template <class T, bool escapes> void run_mandelbrot(int width, int height, int limit, dim3 block) {
  const Array<unsigned short> counts(static_cast<size_t>(width) * height);
  const dim3 grid(blocks_of(width, block.x), blocks_of(height, block.y));
  repeat("mandelbrot", [&] { mandelbrot<T, escapes><<<grid, block>>>(counts.data, width, height, limit); });
  expect(at(counts, 0) == 1, "mandelbrot"); // -2 - 1.5i is outside at once
  expect(at(counts, static_cast<size_t>(height / 2) * width + width / 2) == limit, "mandelbrot");
}

__host__ __device__ int collatz(uint64 value) {
  int length = 0;
  for (; value != 1; ++length) value = value % 2 ? 3 * value + 1 : value / 2;
  return length;
}

// Lengths of the Collatz sequences from 1 on.
__global__ void collatz_lengths(int* lengths, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) lengths[i] = collatz(i + 1);
}

void run_collatz(int n) {
  const Array<int> lengths(n);
  repeat("collatz_lengths", [&] { collatz_lengths<<<blocks_of(n, 192), 192>>>(lengths.data, n); });
  expect(at(lengths, n - 1) == collatz(n) && at(lengths, 26) == 111, "collatz_lengths");
}

__host__ __device__ uint64 power(uint64 base, unsigned exponent, uint64 modulus) {
  uint64 result = 1;
  for (base %= modulus; exponent > 0; exponent /= 2) {
    if (exponent % 2) result = result * base % modulus;
    base = base * base % modulus;
  }
  return result;
}

// Powers modulo a number of 32 bits: x ^ exponent for each x.
__global__ void modular_powers(const unsigned* x, unsigned* out, unsigned exponent, uint64 modulus, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = static_cast<unsigned>(power(x[i], exponent, modulus));
}

void run_powers(int n, unsigned exponent, int block) {
  const Array<unsigned> x(words(n)), out(n);
  repeat("modular_powers", [&] {
    modular_powers<<<blocks_of(n, block), block>>>(x.data, out.data, exponent, 4294967291ULL, n);
  });
  expect(at(out, n - 1) == power(word(n - 1), exponent, 4294967291ULL), "modular_powers");
}

} // namespace

void run_codes() {
  run_sha256(2'000'000, 256);
  run_crc32(200'000, 256);
  run_xtea(1 << 24, 128);
  run_xtea(700'000, 512);
  run_aes(6'000'000);
  run_base64(10'000'000);
  run_hamming(8192, 8192, dim3(32, 8));
  run_hamming(1000, 30'000, dim3(256));
  run_mandelbrot<float, true>(4096, 4096, 256, dim3(16, 16));
  run_mandelbrot<double, false>(1500, 1001, 300, dim3(64, 2));
  run_collatz(3'000'000);
  run_powers(1 << 21, 65537, 128);
  run_powers(300'001, 0xFFFFFFFFU, 1024);
}

} // namespace perfmodel::collection
