// What is injected into a program: the driver loads this library into each process that CUDA_INJECTION64_PATH
// is set for, and calls InitializeInjection. From then on CUPTI tells it of each launch, and how long it
// took. The file that it writes is one of the folder PERFMODEL_CAPTURE_FOLDER, for `perfmodel capture` to
// read. It prints nothing, and no program fails for it.
#include "kernels/capture/kernel_facts.hpp"
#include "kernels/capture/launch_params.hpp"
#include "kernels/capture/launch_recorder.hpp"
#include "kernels/capture/memory_contents.hpp"
#include "kernels/capture/memory_use.hpp"
#include "kernels/capture/module_variables.hpp"
#include "kernels/capture/process_file.hpp"

#include <cupti.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>

namespace perfmodel::kernels {

namespace {

class Injection {
public:
  explicit Injection(std::string folder)
      : file_(std::move(folder)),
        contents_(file_.path().empty() ? "" : file_.path() + ".memory", kept_bytes()) {}

  void start() {
    CUpti_SubscriberHandle subscriber = nullptr;
    if (!worked(cuptiSubscribe(&subscriber, on_call, this), "cuptiSubscribe")) return;
    for (const CUpti_CallbackId call : launching_calls())
      worked(cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, call), "cuptiEnableCallback");
    if (contents_.are_kept())
      worked(cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_MODULE_LOADED),
             "cuptiEnableCallback");
    for (const auto& calls : {ending_calls(), memory_calls()}) // not every CUPTI knows them all
      for (const CUpti_CallbackId call : calls)
        cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, call);
    if (worked(cuptiActivityRegisterCallbacks(give_buffer, take_buffer), "cuptiActivityRegisterCallbacks"))
      worked(cuptiActivityEnable(traced_kind()), "cuptiActivityEnable");
    std::atexit([] { instance().finish(); });
    std::thread([this] { write_every_second(); }).detach();
  }

  // Never destroyed: threads may launch while the program exits.
  static Injection& instance() {
    static Injection* const only = [] {
      const char* folder = std::getenv("PERFMODEL_CAPTURE_FOLDER");
      return new Injection(folder != nullptr ? folder : "");
    }();
    return *only;
  }

private:
  // Of the contents of an allocation, at most; 0: none.
  static std::uint64_t kept_bytes() {
    const char* most = std::getenv("PERFMODEL_CAPTURE_DATA");
    return most != nullptr ? std::strtoull(most, nullptr, 10) : 0;
  }
  // Where kernels may run side by side, CUPTI traces each of their blocks: of short ones that slows a kernel
  // by a tenth.
  static CUpti_ActivityKind traced_kind() {
    const char* serial = std::getenv("PERFMODEL_CAPTURE_SERIAL");
    return serial != nullptr && *serial != '\0' ? CUPTI_ACTIVITY_KIND_KERNEL
                                                : CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  }
  bool worked(CUptiResult result, const char* call) {
    if (result == CUPTI_SUCCESS) return true;
    const char* reason = nullptr;
    if (cuptiGetResultString(result, &reason) != CUPTI_SUCCESS || reason == nullptr)
      reason = "no reason given";
    recorder_.note(std::string(call) + " failed: " + reason);
    return false;
  }

  static void CUPTIAPI on_call(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId call,
                               const void* data) {
    auto& injection = *static_cast<Injection*>(self);
    try {
      if (domain == CUPTI_CB_DOMAIN_RESOURCE)
        return injection.variables_.loaded(cubin_of(*static_cast<const CUpti_ResourceData*>(data)));
      injection.called(call, *static_cast<const CUpti_CallbackData*>(data));
    } catch (const std::exception& e) {
      injection.recorder_.note(std::string("a launch or a copy was missed: ") + e.what());
    }
  }

  static std::span<const std::byte> cubin_of(const CUpti_ResourceData& data) {
    const auto* module = static_cast<const CUpti_ModuleResourceData*>(data.resourceDescriptor);
    if (module == nullptr || module->pCubin == nullptr) return {};
    return {reinterpret_cast<const std::byte*>(module->pCubin), module->cubinSize};
  }

  void called(CUpti_CallbackId call, const CUpti_CallbackData& data) {
    if (const auto memory = memory_call(call, data.functionParams)) {
      if (data.callbackSite == CUPTI_API_EXIT && file_.is_of_this_process() && succeeded(data) &&
          (memory->stream == nullptr || !is_put_into_graph(memory->stream)))
        memory_use_.moved(*memory);
      return;
    }
    const std::optional<LaunchParams> params = launch_params(call, data.functionParams);
    if (!params) { // what the GPU did in this context is told before the context ends
      if (data.callbackSite == CUPTI_API_ENTER) cuptiActivityFlushAll(1);
      return;
    }
    if (!file_.is_of_this_process()) return;
    // Contents are those before it runs; the two calls come from one thread, one after the other.
    thread_local std::vector<CapturedContents> held;
    const bool before = data.callbackSite == CUPTI_API_ENTER;
    if (before) held.clear();
    if (before ? !contents_.are_kept() || is_put_into_graph(params->stream) : !succeeded(data)) return;
    std::vector<CUdeviceptr> addresses;
    CapturedLaunch launch = launch_of(*params, data, addresses);
    if (before) {
      if (!recorder_.knows(launch))
        held = contents_.of(launch, addresses, facts_of(params->function, launch.kernel).module,
                            variables_.names());
      return;
    }
    launch.contents = std::move(held);
    held.clear();
    const bool runs = !is_put_into_graph(params->stream);
    if (runs) launch.others_since = memory_use_.launched(launch, addresses);
    if (recorder_.launched(std::move(launch), data.correlationId, runs))
      file_.write_now_and_then([&] { return so_far(false); });
  }

  CapturedLaunch launch_of(const LaunchParams& params, const CUpti_CallbackData& data,
                           std::vector<CUdeviceptr>& addresses) {
    CapturedLaunch launch = params.launch;
    launch.kernel = data.symbolName != nullptr ? data.symbolName : "";
    launch.gpu = number_of_current_gpu();
    const KernelFacts& facts = facts_of(params.function, launch.kernel);
    launch.registers = facts.registers;
    launch.fixed_shared = facts.fixed_shared;
    if (facts.arguments) addresses = add_arguments(launch, *facts.arguments, params.each, params.extra);
    return launch;
  }

  static bool succeeded(const CUpti_CallbackData& data) {
    return *static_cast<const CUresult*>(data.functionReturnValue) == CUDA_SUCCESS;
  }

  static bool is_put_into_graph(CUstream stream) {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    return cuStreamIsCapturing(stream, &status) == CUDA_SUCCESS && status == CU_STREAM_CAPTURE_STATUS_ACTIVE;
  }

  // A handle may come again for another kernel, after its module was unloaded: hence the name.
  const KernelFacts& facts_of(CUfunction function, const std::string& name) {
    const std::scoped_lock lock(mutex_);
    const auto [found, is_new] = facts_.try_emplace({function, name});
    if (is_new) found->second = kernel_facts(function);
    return found->second;
  }

  std::uint32_t number_of_current_gpu() {
    CUdevice device = 0;
    cuCtxGetDevice(&device);
    return number_of(device);
  }
  std::uint32_t number_of(CUdevice device) {
    const std::scoped_lock lock(mutex_);
    for (std::size_t i = 0; i < gpus_.size(); ++i)
      if (gpus_[i] == device) return static_cast<std::uint32_t>(i);
    gpus_.push_back(device);
    return static_cast<std::uint32_t>(gpus_.size() - 1);
  }

  static void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
    constexpr std::size_t bytes = std::size_t{1} << 20;
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(ACTIVITY_RECORD_ALIGNMENT, bytes));
    *size = *buffer != nullptr ? bytes : 0;
    *most_records = 0; // as many as it holds
  }
  static void CUPTIAPI take_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                                   std::size_t used) {
    CUpti_Activity* record = nullptr;
    try {
      while (cuptiActivityGetNextRecord(buffer, used, &record) == CUPTI_SUCCESS)
        if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL ||
            record->kind == CUPTI_ACTIVITY_KIND_KERNEL)
          if (const auto run = timed_run(record)) instance().recorder_.ran(*run);
    } catch (const std::exception& e) {
      instance().recorder_.note(std::string("times were missed: ") + e.what());
    }
    std::free(buffer);
  }

  CapturedLaunches so_far(bool complete) {
    CapturedLaunches made = recorder_.so_far();
    made.complete = complete;
    if (contents_.are_kept()) made.memory = file_.path() + ".memory";
    if (contents_.is_cut_short())
      made.notes.push_back("what memory held is kept of the first launches alone: the file could not be "
                           "written any further, is the disk full?");
    const std::scoped_lock lock(mutex_);
    for (const CUdevice device : gpus_) made.gpus.push_back(captured_gpu(device));
    return made;
  }

  // A program that is killed says nothing any more: what has run until then is in the file with its times.
  void write_every_second() {
    using Clock = std::chrono::steady_clock;
    constexpr int at_most = 20; // the part of the time that this takes
    Clock::duration pause = std::chrono::seconds(1);
    for (std::size_t written = 0;;) {
      std::this_thread::sleep_for(pause);
      const std::scoped_lock lock(writing_);
      if (finished_) return;
      const Clock::time_point began = Clock::now();
      cuptiActivityFlushAll(0); // what is complete; waits for no kernel
      const std::size_t timed = recorder_.timed();
      if (timed == written) continue;
      written = timed;
      write(false);
      pause = std::max<Clock::duration>(std::chrono::seconds(1), at_most * (Clock::now() - began));
    }
  }

  void write(bool complete) {
    try {
      file_.write([&] { return so_far(complete); });
    } catch (const std::exception&) { // the file stays as it is, and says that it is not complete
    }
  }

  void finish() {
    if (!file_.is_of_this_process()) return;
    const std::scoped_lock lock(writing_);
    finished_ = true;
    cuptiActivityFlushAll(1);
    write(true);
  }

  LaunchRecorder recorder_;
  ProcessFile file_;
  MemoryContents contents_;
  ModuleVariables variables_;
  MemoryUse memory_use_{[this](CUdevice device) { return number_of(device); }};
  std::mutex writing_;
  bool finished_ = false;
  std::mutex mutex_; // of what follows
  std::map<std::pair<CUfunction, std::string>, KernelFacts> facts_;
  std::vector<CUdevice> gpus_;
};

} // namespace

} // namespace perfmodel::kernels

// NOLINTNEXTLINE(readability-identifier-naming): the driver looks for this name
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  try {
    perfmodel::kernels::Injection::instance().start();
  } catch (const std::exception&) { // no memory: the program may still run
  }
  return 1;
}
