// NCCL, which adds vectors of several GPUs, looked for at run time: nothing is linked to it, and none of its
// headers is needed. Declared here are the few functions that a probe calls; all have had these signatures
// since NCCL 2.7, which brought ncclSend and ncclRecv.
#pragma once

#include "kernels/core/library.hpp"
#include "kernels/core/probe.hpp"

#include <cstddef>
#include <string>

struct CUstream_st; // CUDA's, as cuda_runtime_api.h declares it

namespace perfmodel::kernels {

namespace nccl {
using Comm = struct Opaque*;
using Stream = CUstream_st*;
inline constexpr int float32 = 7, sum = 0, in_progress = 7; // ncclDataType_t, ncclRedOp_t, ncclResult_t

using GetVersion = int(int*);
using ErrorText = const char*(int);
using InitAll = int(Comm*, int, const int*);
using OfComm = int(Comm);
using Group = int();
using Send = int(const void*, std::size_t, int, int, Comm, Stream);
using Receive = int(void*, std::size_t, int, int, Comm, Stream);
using Broadcast = int(const void*, void*, std::size_t, int, int, Comm, Stream);
using Reduce = int(const void*, void*, std::size_t, int, int, int, Comm, Stream);
using AllReduce = int(const void*, void*, std::size_t, int, int, Comm, Stream);
using AllGather = int(const void*, void*, std::size_t, int, Comm, Stream);
} // namespace nccl

class Nccl {
public:
  // libnccl.so.2, or what PERFMODEL_NCCL names. Throws Unavailable where there is none or one too old.
  Nccl();

  std::string version() const; // "2.27.3"

  nccl::InitAll* init_all = nullptr;
  nccl::OfComm *destroy = nullptr, *abort = nullptr;
  nccl::Group *group_start = nullptr, *group_end = nullptr;
  nccl::Send* send = nullptr;
  nccl::Receive* receive = nullptr;
  nccl::Broadcast* broadcast = nullptr;
  nccl::Reduce* reduce = nullptr;
  nccl::AllReduce* all_reduce = nullptr;
  nccl::AllGather* all_gather = nullptr;

  // Throws MachineError with the library's own words where `result` is no success.
  void check(int result, const char* call) const;

private:
  Library library_;
  nccl::GetVersion* get_version_ = nullptr;
  nccl::ErrorText* error_text_ = nullptr;
};

// "2.27.3" of 22703; before 2.9 a digit fewer: 2708 is 2.7.8.
std::string nccl_version(int code);

} // namespace perfmodel::kernels
