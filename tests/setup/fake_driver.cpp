// Stands in for the NVIDIA driver's libcuda.so.1. FAKE_GPU is the compute capability of the one GPU there is
// ("9.0"); empty: there is none. The numbers are those of an H200's device query.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <map>

namespace {

bool present() {
  const char* gpu = std::getenv("FAKE_GPU");
  return gpu != nullptr && *gpu != 0;
}

constexpr int no_device = 100, invalid_value = 1; // CUDA_ERROR_NO_DEVICE, CUDA_ERROR_INVALID_VALUE

} // namespace

extern "C" {

int cuInit(unsigned) { return present() ? 0 : no_device; }
int cuGetErrorString(int, const char** text) {
  *text = "no CUDA-capable device is detected";
  return 0;
}
int cuDeviceGetCount(int* count) {
  *count = present() ? 1 : 0;
  return 0;
}
int cuDeviceGet(int* device, int ordinal) {
  *device = 7; // a handle, not an ordinal
  return ordinal == 0 ? 0 : invalid_value;
}
int cuDeviceGetName(char* text, int size, int device) {
  std::snprintf(text, static_cast<std::size_t>(size), "NVIDIA Imagined");
  return device == 7 ? 0 : invalid_value;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int device) {
  *bytes = std::size_t{143} << 30;
  return device == 7 ? 0 : invalid_value;
}
int cuDeviceGetAttribute(int* value, int which, int device) {
  int major = 0, minor = 0;
  std::sscanf(std::getenv("FAKE_GPU"), "%d.%d", &major, &minor);
  // Numbered as in cuda.h.
  const std::map<int, int> known{{1, 1024},   {8, 49152},    {10, 32},     {12, 65536},    {13, 1980000},
                                 {16, 132},   {36, 3201000}, {37, 6144},   {38, 62914560}, {39, 2048},
                                 {75, major}, {76, minor},   {81, 233472}, {82, 65536},    {97, 232448},
                                 {106, 32},   {111, 1024}};
  const auto found = known.find(which);
  if (device != 7 || found == known.end()) return invalid_value;
  *value = found->second;
  return 0;
}
}
