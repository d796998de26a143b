// Called like NCCL, and does nothing. The signatures are those that the loader declares: were one of them to
// change there, this would not compile.
#include "kernels/core/nccl.hpp"

namespace api = perfmodel::kernels::nccl;

extern "C" {
api::GetVersion ncclGetVersion;
api::ErrorText ncclGetErrorString;
api::InitAll ncclCommInitAll;
api::OfComm ncclCommDestroy, ncclCommAbort;
api::Group ncclGroupStart, ncclGroupEnd;
api::Receive ncclRecv;
api::Broadcast ncclBroadcast;
api::Reduce ncclReduce;
api::AllReduce ncclAllReduce;
api::AllGather ncclAllGather;

int ncclGetVersion(int* code) { return *code = 22703, 0; }
const char* ncclGetErrorString(int) { return "unhandled system error"; }
int ncclCommInitAll(api::Comm*, int, const int*) { return 2; }
int ncclCommDestroy(api::Comm) { return 0; }
int ncclCommAbort(api::Comm) { return 0; }
int ncclGroupStart() { return 0; }
int ncclGroupEnd() { return 0; }
int ncclRecv(void*, std::size_t, int, int, api::Comm, api::Stream) { return 0; }
int ncclBroadcast(const void*, void*, std::size_t, int, int, api::Comm, api::Stream) { return 0; }
int ncclReduce(const void*, void*, std::size_t, int, int, int, api::Comm, api::Stream) { return 0; }
int ncclAllReduce(const void*, void*, std::size_t, int, int, api::Comm, api::Stream) { return 0; }
int ncclAllGather(const void*, void*, std::size_t, int, api::Comm, api::Stream) { return 0; }
#ifndef PERFMODEL_OLD_NCCL
api::Send ncclSend;
int ncclSend(const void*, std::size_t, int, int, api::Comm, api::Stream) { return 0; }
#endif
}
