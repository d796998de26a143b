// How a kernel is launched: grid, block, shared memory, arguments. Pointers are given as the size of what
// they point to; where it lies is made up, each allocation 16 TiB from the next.
#pragma once

#include "device_memory.hpp"
#include "listing.hpp"
#include "memory_bytes.hpp"

#include "models/core/shape.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

struct Allocation {
  std::string name;
  std::uint64_t address = 0, bytes = 0;
  std::optional<std::uint64_t> others_since{}; // bytes that launches used since one used it; none: not known
};

struct KernelArgument {
  std::string name;
  std::vector<std::uint8_t> bytes; // as they stand in the constant bank, the lowest first
  bool points = false, negative = false;
  std::optional<double> real;  // given with a point; of 4 or 8 bytes, as the kernel takes it
  std::optional<double> whole; // given in decimals without one; where the kernel takes a real, it is one
  friend bool operator==(const KernelArgument&, const KernelArgument&) = default;
};

// What a variable of the program, __device__ or __constant__, held.
struct VariableValue {
  std::string name;
  DeviceMemory::Part held; // its address is not decided yet
};

// Written "n=16777216,in=64MiB,alpha=1.5": whole numbers of 4 bytes (8 with a trailing l; a real where the
// mangled name says that the kernel takes one), reals of 4 (8 with a trailing d, or as the listing says),
// pointers as sizes with a unit; "in+4" offsets by bytes:
// "in=64MiB+4"; "in=64MiB@FILE": what it points to holds the bytes of a file that was kept.
struct KernelArguments {
  std::vector<KernelArgument> list;
  std::vector<Allocation> allocations;
  std::vector<VariableValue> values;    // of the program's variables, at the launch
  std::vector<std::uint64_t> variables; // where those of the code lie; none: the code's are not known
  DeviceMemory memory{};                // what is known to lie there
  std::string given;

  static KernelArguments from_text(std::string_view text);
  static constexpr bool joined = true; // --arg n=4 --arg in=1KiB is n=4,in=1KiB: fields.hpp
  std::string text() const { return given; }
  friend bool operator==(const KernelArguments& a, const KernelArguments& b) {
    return a.given == b.given && a.list == b.list && a.memory == b.memory;
  }
};

// Makes room for an allocation and gives it an address behind those that are there.
std::uint64_t add_allocation(KernelArguments& arguments, std::string name, std::uint64_t bytes);

// Whether no allocation has these bytes.
bool lies_outside(std::span<const Allocation> all, std::uint64_t address, std::uint64_t bytes);

// With the variables of the program as further allocations, which hold what was captured, else what they were
// initialised with.
KernelArguments with_variables(KernelArguments arguments, const KernelCode& code);

struct KernelLaunch {
  Shape grid, block;
  std::uint64_t dynamic_shared = 0;
  KernelArguments arguments;

  std::int64_t threads() const { return block.count(); }
  std::int64_t warps() const { return (threads() + 31) / 32; }
  friend bool operator==(const KernelLaunch&, const KernelLaunch&) = default;
};

// Where a kernel of this compute capability finds its first argument in bank 0, and where the sides of block
// and grid stand.
struct BankLayout {
  std::uint32_t block = 0, grid = 0xc, stack = 0x28, parameters = 0x210;
};
BankLayout bank_layout(const KernelCode& code);

// Bank 4: addresses of the variables.
MemoryBytes variable_bank(const KernelCode& code, const KernelArguments& arguments);

// Puts what __constant__ variables held into bank 3.
void add_constants(MemoryBytes& bank, const KernelCode& code, const KernelArguments& arguments);

// Bank 0 of the launch, with all arguments in their places. Throws InputError: more or fewer arguments than
// the kernel has, one of the wrong size, a real number where its name says that a whole one is taken.
MemoryBytes constant_bank(const KernelCode& code, const KernelLaunch& launch);

} // namespace perfmodel
