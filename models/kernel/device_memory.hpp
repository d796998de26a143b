// What device memory held when a kernel was launched, so that a loaded word that decides a way or an address
// is known. What other blocks write while the kernel runs is not seen: words are as they were at the launch.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace perfmodel {

// Bytes of a file that somebody keeps. Who wants to know how wide the loads are that read it, gives it
// `widest_load`: bytes of one lane's, 0 until then.
struct MemoryFile {
  std::span<const std::uint8_t> bytes;
  std::shared_ptr<const void> owner;
  std::string element = {};      // what the file says of its type, "int64"; "" where it says nothing
  std::size_t element_bytes = 0; // of that
  std::shared_ptr<std::atomic<std::size_t>> widest_load = nullptr;
};

// Such files are large, and inputs of a model are text: who has opened one says so here, and texts name it.
// Any thread may call.
void keep_memory_file(const std::string& name, MemoryFile file);
// Throws InputError: no file of that name was opened.
MemoryFile kept_memory_file(const std::string& name);

class DeviceMemory {
public:
  // From `address` of the simulation on, `bytes` bytes of the file from its byte `at` on; on the GPU they lay
  // from `was_at` on, in an allocation of `size` bytes; 0: nobody knows. Where it `repeats`, the rest of the
  // allocation is taken to hold the same again and again. Throws InputError: the file is shorter, or was not
  // opened.
  struct Part {
    std::uint64_t address = 0, size = 0, was_at = 0;
    std::string file;
    std::uint64_t at = 0, bytes = 0;
    bool repeats = false;
    friend bool operator==(const Part&, const Part&) = default;
  };
  void add(Part part);
  // Of bytes that are at hand; `part.file` says of what.
  void add(Part part, MemoryFile file);

  bool empty() const { return parts_.empty(); }
  bool holds(std::uint64_t address) const { return part_at(address) != nullptr; }
  // Whether it lies behind what is known of its allocation, which repeats.
  bool repeats(std::uint64_t address) const {
    const Part* part = part_at(address);
    return part != nullptr && address - part->address >= part->bytes;
  }
  // `count` bytes, 1 to 8, the lowest first. Eight that were an address of a known allocation are that of the
  // simulation. Empty: not known. They are of a load of `width` bytes, 0: of none.
  std::optional<std::uint64_t> read(std::uint64_t address, std::size_t count, std::size_t width = 0) const;

  friend bool operator==(const DeviceMemory& a, const DeviceMemory& b) { return a.parts_ == b.parts_; }

private:
  const Part* part_at(std::uint64_t address) const;
  std::vector<Part> parts_;
  std::vector<MemoryFile> files_; // of each part
};

} // namespace perfmodel
