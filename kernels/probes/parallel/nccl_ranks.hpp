// The GPUs of this host as ranks of one NCCL communicator, all driven by this thread; every wait is watched.
#pragma once

#include "kernels/core/buffer.hpp"
#include "kernels/core/event.hpp"
#include "kernels/core/nccl.hpp"
#include "kernels/core/report.hpp"
#include "kernels/core/straggler.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace perfmodel::kernels {

// Makes NCCL take one protocol and one algorithm for all that is sent, and no multicast in switches. It reads
// them when a communicator is made. `algorithm` "": as the library likes.
void force_nccl(const std::string& protocol, const std::string& algorithm);

class NcclRanks {
public:
  // The first `ranks` GPUs, each with room for so many floats to send and `parts` times as many to receive.
  NcclRanks(const Nccl& nccl, StragglerWatch& watch, int ranks, std::size_t floats, std::size_t parts = 1);
  NcclRanks(const NcclRanks&) = delete;
  NcclRanks& operator=(const NcclRanks&) = delete;
  ~NcclRanks();

  // Enqueues what one rank does, on its stream.
  using Call = std::function<int(int rank, const float* out, float* in, nccl::Comm, nccl::Stream)>;

  // All ranks make the call together.
  void together(const char* name, const Call& call);
  // Until all ranks have done what was enqueued by `what`; the device's time of rank 0. As calls come, or
  // `ahead`: all is enqueued before the first begins, so that no GPU waits for the host. What NCCL sets up at
  // a first call waits for the device, so that it is to have run before.
  double seconds(const std::string& step, const std::function<void()>& what, bool ahead = false);
  // What every rank sends and receives next: `value(rank)`, and nothing yet.
  void fill(const std::function<float(int)>& value);
  // Whether all of the first `floats` that this rank received are this.
  bool received(int rank, std::size_t floats, float expected);
  int size() const { return static_cast<int>(ranks_.size()); }

private:
  struct Rank {
    Stream stream;
    Event begin, end;
    Buffer<float> out, in;
    nccl::Comm comm = nullptr;
    Rank(std::size_t floats, std::size_t parts) : out(floats), in(floats * parts) {}
  };
  void on(int rank) const { PERFMODEL_CUDA(cudaSetDevice(rank)); }

  const Nccl& nccl_;
  StragglerWatch& watch_;
  std::vector<std::unique_ptr<Rank>> ranks_;
};

} // namespace perfmodel::kernels
