// The functions of a listing, by their names and as what was launched.
#pragma once

#include "models/kernel/captured_launches.hpp"
#include "models/kernel/listing.hpp"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace perfmodel {

// Each is read when it is first asked about.
class ListingFunctions {
public:
  explicit ListingFunctions(const std::string& listing);
  bool are_of(const std::string& listing) const { return listing_ == listing; }
  bool contain(const std::string& kernel) const { return names_.contains(kernel); }
  // Of several functions of the kernel's name, that which has the launch's registers and shared memory, and
  // takes blocks of its size. Throws InputError: none has, or several.
  const KernelCode& of(const CapturedLaunch& launch);

private:
  std::string listing_;
  std::set<std::string> names_;
  std::map<std::string, std::vector<KernelCode>> read_;
};

// Kept for the points of a sweep and for the GPUs that the same file is asked about: the last listing's.
ListingFunctions& functions_read(const std::string& listing);

} // namespace perfmodel
