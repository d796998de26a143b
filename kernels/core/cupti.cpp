#include "kernels/core/cupti.hpp"

#include "kernels/core/counters.hpp"
#include "models/core/error.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <vector>

#include <dlfcn.h>
#include <glob.h>

namespace perfmodel::kernels {
namespace {

constexpr const char* names[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};
constexpr const char* variable = "PERFMODEL_CUPTI";

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

// Files that match; "*" stands for any part of a name.
std::vector<std::string> matches(const std::string& pattern) {
  glob_t found{};
  std::vector<std::string> paths;
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0)
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  return paths;
}

// Where a toolkit or Python's packages of it put the library.
std::vector<std::string> candidates() {
  std::vector<std::string> paths(std::begin(names), std::end(names)), folders;
  for (const std::string& root : {environment("CUDA_HOME"), environment("CUDA_PATH"),
                                  std::string("/usr/local/cuda"), std::string("/usr/local/cuda-*")})
    if (!root.empty())
      for (const char* folder : {"/lib64", "/lib", "/extras/CUPTI/lib64", "/targets/*/lib"})
        folders.push_back(root + folder);
  for (const std::string& root : {environment("VIRTUAL_ENV"), std::string("/usr/local"), std::string("/usr")})
    if (!root.empty())
      for (const char* package : {"/cu13/lib", "/cuda_cupti/lib"})
        folders.push_back(root + "/lib/python3*/*-packages/nvidia" + package);
  for (const std::string& folder : folders)
    for (const char* name : names)
      for (std::string& path : matches(folder + "/" + name)) paths.push_back(std::move(path));
  return paths;
}

// RTLD_NODELETE: it hooks into the driver, which calls it until the process ends.
void* open(const std::string& path) { return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE); }

template <class Function>
void find(void* handle, const char* name, Function*& function, std::string& missing) {
  function = reinterpret_cast<Function*>(dlsym(handle, name));
  if (function == nullptr && missing.empty()) missing = name;
}

const char* advice(CUptiResult result) {
  switch (result) {
  case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
  case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
    return "the driver keeps the hardware counters from this user; run as root, or load the nvidia module "
           "with "
           "NVreg_RestrictProfilingToAdminUsers=0";
  case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
    return "this virtual machine's hypervisor keeps the hardware counters to itself";
  case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
    return "hardware counters cannot be read on a MIG slice; count on a whole GPU";
  case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
    return "hardware counters cannot be read while confidential computing is on";
  case CUPTI_ERROR_HARDWARE_BUSY:
  case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
    return "another profiler (ncu, nsys, DCGM) holds the hardware counters; stop it and try again";
  default:
    return "the hardware counters cannot be read";
  }
}

} // namespace

Cupti::Cupti(void* handle) {
  const auto all = [&](auto&... functions) { (find(handle, functions.name, functions.call, missing), ...); };
  all(initialize, chip_name, availability, host_initialize, host_deinitialize, add_metrics, config_size,
      config_image, pass_count, evaluate, enable, disable, data_size, data_initialize, data_info, set_config,
      start, stop, push, pop, decode);
  find(handle, "cuptiGetVersion", get_version, missing);
  find(handle, "cuptiGetResultString", get_result_string, missing);
}

void Cupti::check(CUptiResult result, const char* function) const {
  if (result == CUPTI_SUCCESS) return;
  const char* name = nullptr;
  if (get_result_string(result, &name) != CUPTI_SUCCESS || name == nullptr) name = "an unknown error";
  throw MachineError(fmt::format("{} ({}: {})", advice(result), function, name));
}

std::shared_ptr<const Cupti> load_cupti() {
  const std::string given = environment(variable);
  std::string too_old;
  for (const std::string& path : given.empty() ? candidates() : std::vector<std::string>{given}) {
    void* handle = open(path);
    if (handle == nullptr) continue;
    auto cupti = std::make_shared<const Cupti>(handle);
    if (cupti->missing.empty()) {
      auto hooks = cupti->initialize.parameters();
      (*cupti)(cupti->initialize, hooks);
      return cupti;
    }
    if (too_old.empty())
      too_old = fmt::format("{} has no {}: CUPTI of CUDA 12.6 or later is needed", path, cupti->missing);
  }
  if (!too_old.empty()) throw MachineError(too_old);
  if (!given.empty()) {
    const char* why = dlerror();
    throw MachineError(
        fmt::format("{} names no library that can be loaded: {}", variable, why != nullptr ? why : given));
  }
  throw MachineError(
      fmt::format("counting needs CUPTI, and {} was not found; install it with the CUDA toolkit, or set "
                  "{} to the file",
                  names[0], variable));
}

// Since CUDA 13.0 the toolkit's version as 130001; before, a number of its own.
std::string version_of(const Cupti& cupti) {
  std::uint32_t version = 0;
  cupti.check(cupti.get_version(&version), "cuptiGetVersion");
  if (version < 10'0000) return fmt::format("CUPTI API {}", version);
  return fmt::format("CUPTI {}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

} // namespace perfmodel::kernels
