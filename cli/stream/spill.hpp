// Bytes that are written once and read back in any order: in memory, and from some size on in a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace perfmodel::cli {

// The file lies in the folder for temporary files (TMPDIR) and has no name: it goes with the process, however
// that ends. Where it cannot be made or is full, the bytes stay in memory.
class Spill {
public:
  explicit Spill(std::size_t bytes_in_memory = std::size_t{8} << 20) : most_(bytes_in_memory) {}
  ~Spill();
  Spill(const Spill&) = delete;
  Spill& operator=(const Spill&) = delete;

  // Where they lie.
  std::uint64_t add(std::string_view bytes);
  // What one add() took. Throws MachineError where the file cannot be read.
  std::string read(std::uint64_t at, std::size_t size) const;

  std::size_t in_memory() const { return memory_.size(); }

private:
  bool spill();

  std::size_t most_;
  std::string memory_;        // from in_file_ on
  std::uint64_t in_file_ = 0; // bytes
  int file_ = -1;
  bool has_no_file_ = false;
};

} // namespace perfmodel::cli
