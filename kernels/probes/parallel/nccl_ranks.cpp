#include "nccl_ranks.hpp"

#include <cstdlib>

#include "kernels/core/gate.hpp"
#include "kernels/core/host_clock.hpp"
#include "kernels/core/pattern.hpp"

namespace perfmodel::kernels {

void force_nccl(const std::string& protocol, const std::string& algorithm) {
  ::setenv("NCCL_NVLS_ENABLE", "0", 1);
  ::setenv("NCCL_PROTO", protocol.c_str(), 1);
  if (algorithm.empty())
    ::unsetenv("NCCL_ALGO");
  else
    ::setenv("NCCL_ALGO", algorithm.c_str(), 1);
}

NcclRanks::NcclRanks(const Nccl& nccl, StragglerWatch& watch, int ranks, std::size_t floats,
                     std::size_t parts)
    : nccl_(nccl), watch_(watch) {
  std::vector<int> devices;
  for (int r = 0; r < ranks; ++r) {
    on(r);
    devices.push_back(r);
    ranks_.push_back(std::make_unique<Rank>(floats, parts));
  }
  std::vector<nccl::Comm> comms(devices.size());
  watch.step("the start of NCCL", devices.size());
  nccl.check(nccl.init_all(comms.data(), ranks, devices.data()), "ncclCommInitAll");
  for (std::size_t r = 0; r < comms.size(); ++r) ranks_[r]->comm = comms[r];
}

NcclRanks::~NcclRanks() {
  // Aborted, not destroyed: after an error something may still be under way, and destroying waits for it.
  for (int r = 0; r < size(); ++r) {
    (void)cudaSetDevice(r);
    if (ranks_[static_cast<std::size_t>(r)]->comm != nullptr)
      nccl_.abort(ranks_[static_cast<std::size_t>(r)]->comm);
    ranks_[static_cast<std::size_t>(r)].reset();
  }
  (void)cudaSetDevice(0);
}

void NcclRanks::together(const char* name, const Call& call) {
  nccl_.check(nccl_.group_start(), "ncclGroupStart");
  for (int r = 0; r < size(); ++r) {
    Rank& rank = *ranks_[static_cast<std::size_t>(r)];
    on(r);
    nccl_.check(call(r, rank.out.data(), rank.in.data(), rank.comm, rank.stream), name);
  }
  nccl_.check(nccl_.group_end(), "ncclGroupEnd");
}

double NcclRanks::seconds(const std::string& step, const std::function<void()>& what, bool ahead) {
  watch_.step(step, ranks_.size());
  Gate gate;
  for (int r = 0; r < size(); ++r) {
    on(r);
    if (ahead) gate.hold(ranks_[static_cast<std::size_t>(r)]->stream);
    ranks_[static_cast<std::size_t>(r)]->begin.record(ranks_[static_cast<std::size_t>(r)]->stream);
  }
  what();
  for (int r = 0; r < size(); ++r) {
    on(r);
    ranks_[static_cast<std::size_t>(r)]->end.record(ranks_[static_cast<std::size_t>(r)]->stream);
  }
  gate.open();
  // Asked for, not waited for: the watch is to know which rank has come how far.
  for (int done = 0; done < size();) {
    done = 0;
    for (std::size_t r = 0; r < ranks_.size(); ++r) {
      const bool through = ranks_[r]->end.is_done();
      done += through;
      watch_.is(r, through                      ? Progress::done
                   : ranks_[r]->begin.is_done() ? Progress::waiting
                                                : Progress::missing);
    }
  }
  return seconds_between(ranks_.front()->begin, ranks_.front()->end);
}

// On the device: a GiB through the host's memory takes a second, and every size of every algorithm is
// checked.
void NcclRanks::fill(const std::function<float(int)>& value) {
  for (int r = 0; r < size(); ++r) {
    Rank& rank = *ranks_[static_cast<std::size_t>(r)];
    on(r);
    fill_periodic(rank.out.data(), rank.out.size(), std::vector<float>{value(r)}, rank.stream);
    rank.in.poison();
  }
}

bool NcclRanks::received(int rank, std::size_t floats, float expected) {
  on(rank);
  const Rank& of = *ranks_[static_cast<std::size_t>(rank)];
  return periodic_differences(of.in.data(), floats, std::vector<float>{expected}, of.stream) == 0;
}

} // namespace perfmodel::kernels
