#include "kernels/capture/memory_contents.hpp"

#include <algorithm>
#include <cstring>

namespace perfmodel::kernels {

namespace {

// Large allocations leave room for the small ones of launches that come later: each takes at most a part of
// what is left.
constexpr std::uint64_t most_in_file = std::uint64_t{4} << 30, most_of_left = 8;
// Of larger ones the first part is kept: so much, or a half of it, a quarter and so on, as far as there is
// room; whole structs of most sizes (2^8 3^2 5 7 bytes).
constexpr std::uint64_t most_of_large = std::uint64_t{64} << 20, least_of_large = std::uint64_t{1} << 20,
                        of_structs = 80640;
// Arrays of pointers are short.
constexpr std::uint64_t most_searched = std::uint64_t{1} << 20;
constexpr std::size_t most_allocations = 256; // of a launch

std::uint64_t hash_of(const std::vector<std::uint8_t>& bytes) {
  std::uint64_t hash = bytes.size();
  for (std::size_t at = 0; at < bytes.size(); at += sizeof hash) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  }
  return hash;
}

// Addresses of a GPU's memory look like nothing else: they begin with these bits of 64.
bool may_be_address(std::uint64_t word) { return word >> 47 == 0 && word >> 32 != 0; }

} // namespace

std::vector<CapturedContents> MemoryContents::of(const CapturedLaunch& launch,
                                                 const std::vector<CUdeviceptr>& addresses, CUmodule module,
                                                 const std::vector<std::string>& variables) {
  const std::scoped_lock lock(mutex_);
  std::vector<CapturedContents> all;
  if (cuCtxSynchronize() != CUDA_SUCCESS) return all;
  std::vector<std::uint8_t> bytes;
  std::vector<std::pair<CUdeviceptr, std::uint64_t>> wanted;
  for (std::size_t i = 0; i < addresses.size(); ++i) wanted.emplace_back(addresses[i], launch.allocations[i]);
  std::vector<std::string> found; // of the variables
  for (const std::string& name : variables) {
    CUdeviceptr address = 0;
    std::size_t size = 0;
    if (module == nullptr || cuModuleGetGlobal(&address, &size, module, name.c_str()) != CUDA_SUCCESS)
      continue;
    wanted.emplace_back(address, size);
    found.push_back(name);
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) { // it grows by what is pointed to
    all.push_back(kept(wanted[i].first, wanted[i].second, bytes));
    if (i < addresses.size())
      all.back().allocation = static_cast<std::uint32_t>(i);
    else if (i - addresses.size() < found.size())
      all.back().variable = found[i - addresses.size()];
    if (bytes.size() > most_searched) continue;
    for (std::size_t at = 0; at + sizeof(CUdeviceptr) <= bytes.size(); at += sizeof(CUdeviceptr)) {
      CUdeviceptr word = 0, base = 0;
      std::size_t size = 0;
      std::memcpy(&word, bytes.data() + at, sizeof word);
      if (!may_be_address(word) || wanted.size() >= most_allocations) continue;
      if (std::any_of(wanted.begin(), wanted.end(),
                      [&](const auto& known) { return word - known.first < known.second; }))
        continue;
      if (cuMemGetAddressRange(&base, &size, word) == CUDA_SUCCESS) wanted.emplace_back(base, size);
    }
  }
  return all;
}

CapturedContents MemoryContents::kept(CUdeviceptr address, std::uint64_t size,
                                      std::vector<std::uint8_t>& bytes) {
  CapturedContents made{.size = size, .address = address};
  bytes.clear();
  const auto keep = [&](std::uint64_t part) { // of the file, what it has already
    bytes.resize(part);
    if (cuMemcpyDtoH(bytes.data(), address, part) != CUDA_SUCCESS) return bytes.clear();
    const std::uint64_t place = place_of(bytes);
    if (place < end_) made.at = place, made.bytes = part;
  };
  if (size > 0 && size <= most_) keep(size);
  for (std::uint64_t part = most_of_large; made.bytes == 0 && part >= least_of_large; part /= 2)
    if (part < size) keep(part / of_structs * of_structs);
  return made;
}

std::uint64_t MemoryContents::room() const { return (most_in_file - end_) / most_of_left; }

// Where they are in the file, once they are there; its end: they are not.
std::uint64_t MemoryContents::place_of(const std::vector<std::uint8_t>& bytes) {
  const std::uint64_t hash = hash_of(bytes);
  if (const auto known = places_.find(hash); known != places_.end()) return known->second;
  if (cut_short_ || bytes.size() > room()) return end_;
  if (!file_.is_open()) file_.open(path_, std::ios::binary);
  file_.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  cut_short_ = !file_.flush();
  if (cut_short_) return end_;
  const std::uint64_t place = end_;
  places_.emplace(hash, place);
  end_ += bytes.size();
  return place;
}

} // namespace perfmodel::kernels
