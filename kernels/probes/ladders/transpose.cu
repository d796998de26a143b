// The transpose ladder: n x n fp32 from copy to tensor copies, times and counts. At 4000 and 4096 both
// matrices together are twice L2, at 16384 thirty times. Every word of every result is checked.
// Checked in SASS (sm_90): four LDG before the first STG, or STS; vectorised: LDG.128, STS.128, four LDS for
// each STG.128.
#include "kernels/core/buffer.hpp"
#include "kernels/core/counters.hpp"
#include "kernels/core/pattern.cuh"
#include "kernels/core/probe.hpp"
#include "kernels/core/report.hpp"
#include "kernels/probes/ladders/in_a_row.hpp"
#include "kernels/probes/ladders/middle_count.hpp"
#include "kernels/probes/ladders/transpose_kernels.cuh"
#include "kernels/probes/ladders/transpose_tensor.cuh"

#include <algorithm>
#include <string>
#include <vector>

namespace perfmodel::kernels {
namespace {

using namespace transpose;

using Enqueue = void (*)(const float*, float*, unsigned n, cudaStream_t);
struct Version {
  const char* name;
  bool transposes;
  Enqueue enqueue;
};

dim3 tiles(unsigned n, unsigned width, unsigned height) {
  return {(n + width - 1) / width, (n + height - 1) / height};
}

template <void (*kernel)(const float*, float*, unsigned)>
void by_tiles(const float* in, float* out, unsigned n, cudaStream_t stream) {
  kernel<<<tiles(n, tile, tile), dim3(tile, tile_rows), 0, stream>>>(in, out, n);
}

void by_vectors(const float* in, float* out, unsigned n, cudaStream_t stream) {
  constexpr unsigned side = 64, threads = 512;
  const auto kernel =
      n % 4 == 0 ? vectorised<side, side, threads, true> : vectorised<side, side, threads, false>;
  kernel<<<tiles(n, side, side), threads, 0, stream>>>(in, out, n);
}

void by_boxes(const float* in, float* out, unsigned n, cudaStream_t stream) {
  constexpr unsigned wide = 2, high = 2;
  through_boxes<wide, high><<<tiles(n, wide * box, high * box), box_threads * wide * high, 0, stream>>>(
      boxes_of(in, n), boxes_of(out, n));
}

constexpr Version tensor_copy{"tensor-copy", true, by_boxes};
constexpr Version versions[] = {{"copy", false, by_tiles<direct<false, false>>},
                                {"naive", true, by_tiles<direct<false, true>>},
                                {"strided-both", false, by_tiles<direct<true, true>>},
                                {"tile-copy", false, by_tiles<through_shared<false, 0, false>>},
                                {"tiled", true, by_tiles<through_shared<true, 0, false>>},
                                {"padded", true, by_tiles<through_shared<true, 1, false>>},
                                {"diagonal", true, by_tiles<through_shared<true, 1, true>>},
                                {"diagonal-unpadded", true, by_tiles<through_shared<true, 0, true>>},
                                {"vectorised", true, by_vectors}};

std::vector<Version> versions_of(const Session& session, Report& report) {
  std::vector<Version> all(std::begin(versions), std::end(versions));
  if (session.device.properties.major >= 9)
    all.push_back(tensor_copy);
  else
    report.note("no tensor-copy: this GPU has no tensor memory accelerator");
  return all;
}

__global__ void count_differences(const float* words, unsigned n, bool transposed,
                                  unsigned long long* differences) {
  const std::size_t count = n * std::size_t{n};
  unsigned long long different = 0;
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x)
    different += __float_as_uint(words[i]) != pattern(transposed ? i % n * n + i / n : i);
  if (different != 0) atomicAdd(differences, different);
}

class Matrices {
public:
  Matrices(Session& session, unsigned n)
      : session_(session), n_(n), in_(vectors(n)), out_(vectors(n) + margin), differences_(1) {
    fill_pattern(reinterpret_cast<uint4*>(in_.data()), in_.size(), session.stream);
  }

  void launch(const Version& version) {
    if (n_ == 0) return;
    version.enqueue(reinterpret_cast<const float*>(in_.data()), reinterpret_cast<float*>(out_.data()), n_,
                    session_.stream);
    PERFMODEL_CUDA(cudaGetLastError());
  }

  // Whether every word is where it should be, and nothing behind the last one was written.
  bool right(const Version& version) {
    session_.stream.synchronize();
    out_.poison();
    differences_.clear();
    launch(version);
    count_differences<<<2048, 256, 0, session_.stream>>>(reinterpret_cast<const float*>(out_.data()), n_,
                                                         version.transposes, differences_.data());
    PERFMODEL_CUDA(cudaGetLastError());
    session_.stream.synchronize();
    std::vector<std::uint32_t> behind(vectors(n_) * 4 + margin * 4 - words());
    PERFMODEL_CUDA(cudaMemcpy(behind.data(), reinterpret_cast<const std::uint32_t*>(out_.data()) + words(),
                              behind.size() * sizeof(std::uint32_t), cudaMemcpyDeviceToHost));
    const bool untouched =
        std::all_of(behind.begin(), behind.end(), [](std::uint32_t word) { return word == 0xDBDBDBDB; });
    return differences_.to_host()[0] == 0 && untouched;
  }

  double bytes() const { return 2.0 * sizeof(float) * double(words()); } // read and written

private:
  static constexpr std::size_t margin = 16; // vectors
  static std::size_t vectors(unsigned n) { return (n * std::size_t{n} + 3) / 4; }
  std::size_t words() const { return n_ * std::size_t{n_}; }

  Session& session_;
  unsigned n_;
  Buffer<uint4> in_, out_;
  Buffer<unsigned long long> differences_;
};

std::vector<unsigned> sizes(bool quick) {
  return quick ? std::vector<unsigned>{4096} : std::vector<unsigned>{4000, 4096, 16384};
}

const std::vector<KeyColumn> keys{{"version", {}}, {"n", {}}};

std::string name_of(const Version& version, unsigned n) {
  return std::string("transpose: ") + version.name + ", n " + std::to_string(n);
}

// Sizes at which tiles are cut: not timed, but checked.
bool right_at_edges(Session& session, Report& report, const std::vector<Version>& all) {
  for (const unsigned n : {1u, 31u, 64u, 97u, 260u}) {
    Matrices matrices(session, n);
    for (const Version& version : all)
      if ((version.enqueue != tensor_copy.enqueue || n % 4 == 0) &&
          !report.verify(matrices.right(version), name_of(version, n)))
        return false;
  }
  return true;
}

Measurement bandwidth_of(Session& session, Matrices& matrices, const Version& version) {
  Measurement bandwidth = seconds_in_a_row(session, [&] { matrices.launch(version); });
  for (double& value : bandwidth.values) value = matrices.bytes() / value;
  return bandwidth;
}

ProbeResult run(Session& session) {
  Report report("transpose, n x n fp32", keys, "bandwidth", unit_of<BytesPerSecond>());
  const std::vector<Version> all = versions_of(session, report);
  if (!right_at_edges(session, report, all)) return report.take();
  for (const unsigned n : sizes(session.quick())) {
    Matrices matrices(session, n);
    for (const Version& version : all) {
      session.say(name_of(version, n));
      if (!report.verify(matrices.right(version), name_of(version, n))) return report.take();
      const Measurement bandwidth =
          middle_run(session, [&] { return bandwidth_of(session, matrices, version); });
      report.row({std::string(version.name), std::int64_t{n}}, bandwidth);
    }
  }
  return report.take();
}

// Sectors and wavefronts are those of the load and store units; what the tensor memory accelerator moves is
// none of theirs. A pass begins as the one before it left L2.
ProbeResult count(Session& session) {
  Report report("transpose, n x n fp32, counted", keys,
                {{"load_transactions", {}},
                 {"store_transactions", {}},
                 {"wavefronts", {}},
                 {"dram_bytes", unit_of<Bytes>()}});
  const std::string sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_",
                    wavefronts = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_";
  Counters counters(session, {sectors + "ld.sum", sectors + "st.sum", wavefronts + "ld.sum",
                              wavefronts + "st.sum", "dram__bytes_read.sum", "dram__bytes_write.sum"});
  const std::vector<Version> all = versions_of(session, report);
  for (const unsigned n : sizes(session.quick())) {
    Matrices matrices(session, n);
    for (const Version& version : all) {
      session.say("counting " + name_of(version, n));
      if (!report.verify(matrices.right(version), name_of(version, n))) return report.take();
      const auto launch = [&] { matrices.launch(version); };
      const std::vector<double> c = middle_count(counters, launch);
      report.row({std::string(version.name), std::int64_t{n}}, {c[0], c[1], c[2] + c[3], c[4] + c[5]});
    }
  }
  return report.take();
}

} // namespace

extern const Probe transpose_ladder{.name = "transpose",
                                    .order = 560,
                                    .model = "transpose",
                                    .measures = "bandwidth of every version of the transpose ladder",
                                    .run = run,
                                    .count = count,
                                    .counts =
                                        "sectors, shared wavefronts and DRAM bytes of the same launches"};

} // namespace perfmodel::kernels
