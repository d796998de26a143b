#include "kernels/core/nccl.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace perfmodel::kernels {
namespace {

constexpr const char* usual = "libnccl.so.2";
constexpr const char* variable = "PERFMODEL_NCCL";

const char* name_of_library() {
  const char* given = std::getenv(variable);
  return given != nullptr ? given : usual;
}

} // namespace

Nccl::Nccl() : library_({name_of_library()}) {
  if (!library_)
    throw Unavailable(fmt::format("NCCL was not found ({}); install it, or set {} to the file",
                                  name_of_library(), variable));
  const auto find = [&](auto*& function, const char* symbol) {
    function = library_.find<std::remove_reference_t<decltype(*function)>>(symbol);
    if (function == nullptr)
      throw Unavailable(fmt::format("{} has no {}: NCCL 2.7 or later is needed", name_of_library(), symbol));
  };
  find(get_version_, "ncclGetVersion");
  find(error_text_, "ncclGetErrorString");
  find(init_all, "ncclCommInitAll");
  find(destroy, "ncclCommDestroy");
  find(abort, "ncclCommAbort");
  find(group_start, "ncclGroupStart");
  find(group_end, "ncclGroupEnd");
  find(send, "ncclSend");
  find(receive, "ncclRecv");
  find(broadcast, "ncclBroadcast");
  find(reduce, "ncclReduce");
  find(all_reduce, "ncclAllReduce");
  find(all_gather, "ncclAllGather");
}

std::string nccl_version(int code) {
  const int minor = code < 10'000 ? 100 : 10'000; // thousands of a code before 2.9 are its 2
  return code < 10'000 ? fmt::format("{}.{}.{}", code / 1000, code / minor % 10, code % 100)
                       : fmt::format("{}.{}.{}", code / minor, code / 100 % 100, code % 100);
}

std::string Nccl::version() const {
  int code = 0;
  check(get_version_(&code), "ncclGetVersion");
  return nccl_version(code);
}

void Nccl::check(int result, const char* call) const {
  if (result != 0) throw MachineError(fmt::format("{}: {}", call, error_text_(result)));
}

} // namespace perfmodel::kernels
