// The transpose ladder: n x n fp32 from copy to tensor copies, times and counts; tiles of other sides, and
// rows with a pitch beyond n. At 4000 and 4096 both matrices together are twice L2, at 16384 thirty times.
// Every word of every result is checked, and that the words between rows are left alone.
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

using Enqueue = void (*)(const float*, float*, unsigned n, unsigned pitch, cudaStream_t);
constexpr unsigned course_tile = 32; // the row of a version without a choice of tiles says this
struct Version {
  const char* name;
  bool transposes;
  Enqueue enqueue;
  unsigned tile = course_tile;
};

dim3 tiles(unsigned n, unsigned width, unsigned height) {
  return {(n + width - 1) / width, (n + height - 1) / height};
}

template <void (*kernel)(const float*, float*, unsigned, unsigned), unsigned side = course_tile>
void by_tiles(const float* in, float* out, unsigned n, unsigned pitch, cudaStream_t stream) {
  kernel<<<tiles(n, side, side), dim3(side, tile_rows), 0, stream>>>(in, out, n, pitch);
}

void by_vectors(const float* in, float* out, unsigned n, unsigned pitch, cudaStream_t stream) {
  constexpr unsigned side = 64, threads = 512;
  const auto kernel = n % 4 == 0 && pitch % 4 == 0 ? vectorised<side, side, threads, true>
                                                   : vectorised<side, side, threads, false>;
  kernel<<<tiles(n, side, side), threads, 0, stream>>>(in, out, n, pitch);
}

void by_boxes(const float* in, float* out, unsigned n, unsigned pitch, cudaStream_t stream) {
  constexpr unsigned wide = 2, high = 2;
  through_boxes<wide, high><<<tiles(n, wide * box, high * box), box_threads * wide * high, 0, stream>>>(
      boxes_of(in, n, pitch), boxes_of(out, n, pitch));
}

constexpr Version tensor_copy{"tensor-copy", true, by_boxes};
constexpr Version versions[] = {{"copy", false, by_tiles<direct<false, false>>},
                                {"naive", true, by_tiles<direct<false, true>>},
                                {"strided-both", false, by_tiles<direct<true, true>>},
                                {"vectorised", true, by_vectors}};

template <unsigned tile, bool transposes, unsigned padding, bool diagonal>
constexpr Version tiled(const char* name) {
  return {name, transposes, by_tiles<through_shared<tile, transposes, padding, diagonal>, tile>, tile};
}
template <unsigned tile> void add_tiled(std::vector<Version>& all) {
  all.push_back(tiled<tile, false, 0, false>("tile-copy"));
  all.push_back(tiled<tile, true, 0, false>("tiled"));
  all.push_back(tiled<tile, true, 1, false>("padded"));
  all.push_back(tiled<tile, true, 1, true>("diagonal"));
  all.push_back(tiled<tile, true, 0, true>("diagonal-unpadded"));
}

std::vector<Version> versions_of(const Session& session, Report& report) {
  std::vector<Version> all(std::begin(versions), std::end(versions));
  add_tiled<32>(all);
  add_tiled<16>(all);
  add_tiled<48>(all);
  add_tiled<64>(all);
  if (session.device.properties.major >= 9)
    all.push_back(tensor_copy);
  else
    report.note("no tensor-copy: this GPU has no tensor memory accelerator");
  return all;
}

// Words between rows are poison, as they were.
__global__ void count_differences(const float* words, unsigned n, unsigned pitch, bool transposed,
                                  unsigned long long* differences) {
  const std::size_t count = n * std::size_t{pitch};
  unsigned long long different = 0;
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x) {
    const std::size_t row = i / pitch, column = i % pitch;
    different += __float_as_uint(words[i]) != (column >= n  ? 0xDBDBDBDB
                                               : transposed ? pattern(column * pitch + row)
                                                            : pattern(i));
  }
  if (different != 0) atomicAdd(differences, different);
}

class Matrices {
public:
  Matrices(Session& session, unsigned n, unsigned pitch)
      : session_(session), n_(n), pitch_(pitch), in_(vectors()), out_(vectors() + margin), differences_(1) {
    fill_pattern(reinterpret_cast<uint4*>(in_.data()), in_.size(), session.stream);
  }

  void launch(const Version& version) {
    if (n_ == 0) return;
    version.enqueue(reinterpret_cast<const float*>(in_.data()), reinterpret_cast<float*>(out_.data()), n_,
                    pitch_, session_.stream);
    PERFMODEL_CUDA(cudaGetLastError());
  }

  // Whether every word is where it should be, and nothing behind the last one was written.
  bool right(const Version& version) {
    session_.stream.synchronize();
    out_.poison();
    differences_.clear();
    launch(version);
    count_differences<<<2048, 256, 0, session_.stream>>>(reinterpret_cast<const float*>(out_.data()), n_,
                                                         pitch_, version.transposes, differences_.data());
    PERFMODEL_CUDA(cudaGetLastError());
    session_.stream.synchronize();
    std::vector<std::uint32_t> behind(vectors() * 4 + margin * 4 - words());
    PERFMODEL_CUDA(cudaMemcpy(behind.data(), reinterpret_cast<const std::uint32_t*>(out_.data()) + words(),
                              behind.size() * sizeof(std::uint32_t), cudaMemcpyDeviceToHost));
    const bool untouched =
        std::all_of(behind.begin(), behind.end(), [](std::uint32_t word) { return word == 0xDBDBDBDB; });
    return differences_.to_host()[0] == 0 && untouched;
  }

  double bytes() const { return 2.0 * sizeof(float) * double(n_) * double(n_); } // read and written

private:
  static constexpr std::size_t margin = 16; // vectors
  std::size_t vectors() const { return (words() + 3) / 4; }
  std::size_t words() const { return n_ * std::size_t{pitch_}; }

  Session& session_;
  unsigned n_, pitch_;
  Buffer<uint4> in_, out_;
  Buffer<unsigned long long> differences_;
};

struct Size {
  unsigned n, pitch;
};
// A pitch beyond n at the size whose columns of tiles meet in few partitions, were addresses not hashed.
std::vector<Size> sizes(bool quick) {
  return quick ? std::vector<Size>{{4096, 4096}}
               : std::vector<Size>{{4000, 4000}, {4096, 4096}, {4096, 4128}, {16384, 16384}};
}

const std::vector<KeyColumn> keys{{"version", {}}, {"n", {}}, {"tile", {}}, {"pitch", {}}};

std::vector<Cell> key_of(const Version& version, Size size) {
  return {std::string(version.name), std::int64_t{size.n}, std::int64_t{version.tile},
          std::int64_t{size.pitch}};
}

// Tiles of other sides with the one pitch.
bool is_timed(const Version& version, Size size) {
  return version.tile == course_tile || size.pitch == size.n;
}

std::string name_of(const Version& version, Size size) {
  return std::string("transpose: ") + version.name + ", n " + std::to_string(size.n) + ", pitch " +
         std::to_string(size.pitch) + ", tile " + std::to_string(version.tile);
}

// Sizes at which tiles are cut: not timed, but checked.
bool right_at_edges(Session& session, Report& report, const std::vector<Version>& all) {
  for (const Size size : {Size{1, 1}, {31, 31}, {64, 64}, {97, 97}, {260, 260}, {97, 103}, {260, 264}}) {
    Matrices matrices(session, size.n, size.pitch);
    for (const Version& version : all)
      if ((version.enqueue != tensor_copy.enqueue || size.pitch % 4 == 0) &&
          !report.verify(matrices.right(version), name_of(version, size)))
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
  for (const Size size : sizes(session.quick())) {
    Matrices matrices(session, size.n, size.pitch);
    for (const Version& version : all) {
      if (!is_timed(version, size)) continue;
      session.say(name_of(version, size));
      if (!report.verify(matrices.right(version), name_of(version, size))) return report.take();
      const Measurement bandwidth =
          middle_run(session, [&] { return bandwidth_of(session, matrices, version); });
      report.row(key_of(version, size), bandwidth);
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
  for (const Size size : sizes(session.quick())) {
    Matrices matrices(session, size.n, size.pitch);
    for (const Version& version : all) {
      if (!is_timed(version, size)) continue;
      session.say("counting " + name_of(version, size));
      if (!report.verify(matrices.right(version), name_of(version, size))) return report.take();
      const auto launch = [&] { matrices.launch(version); };
      const std::vector<double> c = middle_count(counters, launch);
      report.row(key_of(version, size), {c[0], c[1], c[2] + c[3], c[4] + c[5]});
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
