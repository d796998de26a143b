#include "kernels/capture/kernel_facts.hpp"

#include "kernels/core/nvml.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <dlfcn.h>

namespace perfmodel::kernels {

namespace {

// What came with CUDA 12, and is not there in older drivers. The driver is there: it loaded this library.
template <class Function> Function* newer(const char* name) {
  static void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  return driver == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(driver, name));
}

// The driver says "invalid value" behind the last argument, and "invalid handle" of what is no function.
template <class Handle>
std::optional<std::vector<ArgumentPlace>>
places_of(Handle handle, CUresult (*read)(Handle, std::size_t, std::size_t*, std::size_t*)) {
  if (read == nullptr) return std::nullopt;
  constexpr std::size_t most = 4096; // arguments; a kernel takes 32 764 bytes
  std::vector<ArgumentPlace> places;
  while (places.size() < most) {
    ArgumentPlace place;
    const CUresult result = read(handle, places.size(), &place.offset, &place.size);
    if (result == CUDA_ERROR_INVALID_VALUE) return places;
    if (result != CUDA_SUCCESS) return std::nullopt;
    places.push_back(place);
  }
  return std::nullopt;
}

std::optional<std::uint32_t> attribute_of(CUfunction function, CUfunction_attribute which) {
  int value = 0;
  if (cuFuncGetAttribute(&value, which, function) != CUDA_SUCCESS || value < 0) return std::nullopt;
  return static_cast<std::uint32_t>(value);
}

// Puts in place of each address in the argument what it points into.
class PointerFinder {
public:
  explicit PointerFinder(CapturedLaunch& launch) : launch_(launch) {}

  void find_in(CapturedArgument& argument) {
    constexpr std::size_t size = sizeof(CUdeviceptr);
    // The compiler aligns what points: of a struct every eighth byte can begin a pointer.
    for (std::size_t at = (size - argument.offset % size) % size; at + size <= argument.bytes.size();
         at += size) {
      CUdeviceptr address = 0, base = 0;
      std::memcpy(&address, argument.bytes.data() + at, size);
      std::size_t bytes = 0;
      constexpr CUdeviceptr lowest = 0x10000; // below are numbers
      if (address < lowest || cuMemGetAddressRange(&base, &bytes, address) != CUDA_SUCCESS) continue;
      if (address < base || address - base > bytes) continue;
      std::memset(argument.bytes.data() + at, 0, size);
      argument.pointers.push_back({static_cast<std::uint32_t>(at), number_of(base, bytes), address - base});
    }
  }

  const std::vector<CUdeviceptr>& addresses() const { return bases_; } // of the launch's allocations

private:
  std::uint32_t number_of(CUdeviceptr base, std::size_t bytes) {
    const auto found = std::find(bases_.begin(), bases_.end(), base);
    const auto number = static_cast<std::uint32_t>(found - bases_.begin());
    if (found == bases_.end()) {
      bases_.push_back(base);
      launch_.allocations.push_back(bytes);
      note_place(base);
    }
    return number;
  }

  void note_place(CUdeviceptr base) {
    unsigned managed = 0, type = CU_MEMORYTYPE_DEVICE; // both are as wide as that
    if (cuPointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, base) == CUDA_SUCCESS &&
        managed != 0)
      launch_.managed = true;
    else if (cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, base) == CUDA_SUCCESS &&
             type == CU_MEMORYTYPE_HOST)
      launch_.of_host = true;
  }

  CapturedLaunch& launch_;
  std::vector<CUdeviceptr> bases_;
};

// The buffer that holds all arguments: a list of keys and values that ends with CU_LAUNCH_PARAM_END.
struct PackedArguments {
  const std::uint8_t* bytes = nullptr;
  std::size_t size = 0;
};
PackedArguments packed(void** extra) {
  PackedArguments made;
  for (; extra != nullptr && extra[0] != CU_LAUNCH_PARAM_END; extra += 2) {
    if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER) made.bytes = static_cast<const std::uint8_t*>(extra[1]);
    if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE) made.size = *static_cast<const std::size_t*>(extra[1]);
  }
  return made;
}

} // namespace

KernelFacts kernel_facts(CUfunction function) {
  using ParametersOfFunction = CUresult(CUfunction, std::size_t, std::size_t*, std::size_t*);
  using ParametersOfKernel = CUresult(CUkernel, std::size_t, std::size_t*, std::size_t*);
  using FunctionOfKernel = CUresult(CUfunction*, CUkernel);
  static const auto of_function = newer<ParametersOfFunction>("cuFuncGetParamInfo");
  static const auto of_kernel = newer<ParametersOfKernel>("cuKernelGetParamInfo");
  static const auto function_of = newer<FunctionOfKernel>("cuKernelGetFunction");
  KernelFacts facts{.arguments = places_of<CUfunction>(function, of_function)};
  CUfunction asked = function;
  if (!facts.arguments) {
    const auto kernel = reinterpret_cast<CUkernel>(function);
    facts.arguments = places_of<CUkernel>(kernel, of_kernel);
    if (facts.arguments && function_of != nullptr && function_of(&asked, kernel) != CUDA_SUCCESS)
      asked = function;
  }
  if (cuFuncGetModule(&facts.module, asked) != CUDA_SUCCESS) facts.module = nullptr;
  facts.registers = attribute_of(asked, CU_FUNC_ATTRIBUTE_NUM_REGS);
  facts.fixed_shared = attribute_of(asked, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  return facts;
}

std::vector<CUdeviceptr> add_arguments(CapturedLaunch& launch, const std::vector<ArgumentPlace>& places,
                                       void** each, void** extra) {
  const PackedArguments buffer = packed(extra);
  PointerFinder finder(launch);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto [offset, size] = places[i];
    const std::uint8_t* from = nullptr;
    if (each != nullptr)
      from = static_cast<const std::uint8_t*>(each[i]);
    else if (buffer.bytes != nullptr && offset + size <= buffer.size)
      from = buffer.bytes + offset;
    if (from == nullptr) return finder.addresses();
    CapturedArgument argument{.offset = static_cast<std::uint32_t>(offset),
                              .bytes = std::vector<std::uint8_t>(from, from + size)};
    finder.find_in(argument);
    launch.arguments.push_back(std::move(argument));
  }
  launch.arguments_known = true;
  return finder.addresses();
}

CapturedGpu captured_gpu(CUdevice device) {
  std::array<char, 256> name{};
  std::array<char, 32> bus{};
  int major = 0, minor = 0;
  CapturedGpu gpu;
  if (cuDeviceGetName(name.data(), static_cast<int>(name.size()) - 1, device) == CUDA_SUCCESS)
    gpu.name = name.data();
  cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
  gpu.capability = std::to_string(major) + "." + std::to_string(minor);
  if (cuDeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()), device) != CUDA_SUCCESS) return gpu;
  const Nvml nvml(bus.data());
  gpu.driver = nvml.driver_version();
  gpu.clock = static_cast<std::uint64_t>(nvml.state().sm_clock.value_or(0));
  return gpu;
}

} // namespace perfmodel::kernels
