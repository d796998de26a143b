// The functions of a listing, by their names and as what was launched.
#pragma once

#include "models/kernel/captured_launches.hpp"
#include "models/kernel/listing.hpp"

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace perfmodel {

// Each is read when it is first asked about.
class ListingFunctions {
public:
  explicit ListingFunctions(const std::string& listing);
  bool are_of(const std::string& listing) const { return listing_ == listing; }
  bool contain(const std::string& kernel) const { return !listed_name(kernel).empty(); }
  // Of several functions of the kernel's name, that which has the launch's registers and shared memory, and
  // takes blocks of its size. Throws InputError: none has, or several.
  const KernelCode& of(const CapturedLaunch& launch);

  // The same with the launch's registers, shared memory and parameters, kept.
  std::shared_ptr<const KernelCode> launched(const CapturedLaunch& launch);

private:
  // Of a kernel in an anonymous namespace also that of the same source compiled once more, whose name differs
  // in the hashes that the compiler puts there. "": the listing has none, or several.
  std::string listed_name(const std::string& kernel) const;

  // What a launch says of its function.
  struct Said {
    std::string kernel;
    std::optional<std::uint32_t> registers, shared;
    std::int64_t threads = 0;
    std::vector<std::pair<std::uint32_t, std::size_t>> parameters;
    friend auto operator<=>(const Said&, const Said&) = default;
  };
  std::string listing_;
  std::set<std::string> names_;
  std::map<std::string, std::vector<KernelCode>> read_;
  std::map<Said, std::shared_ptr<const KernelCode>> launched_;
};

// Kept for the points of a sweep and for the GPUs that the same file is asked about: the last listing's.
ListingFunctions& functions_read(const std::string& listing);

} // namespace perfmodel
