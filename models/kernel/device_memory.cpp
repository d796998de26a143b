#include "device_memory.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>

namespace perfmodel {

namespace {

std::mutex mutex;
std::map<std::string, MemoryFile>& kept_files() {
  static std::map<std::string, MemoryFile> files;
  return files;
}

// Other threads may, too.
void raise(std::atomic<std::size_t>& most, std::size_t value) {
  std::size_t known = most;
  while (known < value && !most.compare_exchange_weak(known, value)) {
  }
}

} // namespace

void keep_memory_file(const std::string& name, MemoryFile file) {
  const std::scoped_lock lock(mutex);
  kept_files()[name] = std::move(file);
}

MemoryFile kept_memory_file(const std::string& name) {
  const std::scoped_lock lock(mutex);
  const auto found = kept_files().find(name);
  if (found == kept_files().end())
    throw InputError(fmt::format("{}: contents of memory are expected there", quoted(name)));
  return found->second;
}

void DeviceMemory::add(Part part) {
  MemoryFile file = kept_memory_file(part.file);
  add(std::move(part), std::move(file));
}

void DeviceMemory::add(Part part, MemoryFile file) {
  if (part.at > file.bytes.size() || part.bytes > file.bytes.size() - part.at)
    throw InputError(fmt::format("{}: it has {} bytes, fewer than are said to be in it", quoted(part.file),
                                 file.bytes.size()));
  part.bytes = std::min(part.bytes, part.size);
  parts_.push_back(std::move(part));
  files_.push_back(std::move(file));
}

const DeviceMemory::Part* DeviceMemory::part_at(std::uint64_t address) const {
  const auto at = std::find_if(parts_.begin(), parts_.end(), [&](const Part& p) {
    return address >= p.address && p.bytes > 0 && address - p.address < (p.repeats ? p.size : p.bytes);
  });
  return at == parts_.end() ? nullptr : &*at;
}

std::optional<std::uint64_t> DeviceMemory::read(std::uint64_t address, std::size_t count,
                                                std::size_t width) const {
  const Part* part = part_at(address);
  if (part == nullptr) return std::nullopt;
  const std::uint64_t place = (address - part->address) % part->bytes;
  if (count > part->bytes - place) return std::nullopt;
  const MemoryFile& file = files_[static_cast<std::size_t>(part - parts_.data())];
  if (file.widest_load != nullptr && *file.widest_load < width) raise(*file.widest_load, width);
  const std::span<const std::uint8_t> bytes =
      file.bytes.subspan(static_cast<std::size_t>(part->at + place), count);
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < count; ++i) value |= std::uint64_t{bytes[i]} << (8 * i);
  if (count < sizeof value) return value;
  for (const Part& target : parts_)
    if (target.was_at != 0 && value >= target.was_at && value - target.was_at < target.size)
      return target.address + (value - target.was_at);
  return value;
}

} // namespace perfmodel
