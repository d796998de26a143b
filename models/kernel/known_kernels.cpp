#include "known_kernels.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace perfmodel {

namespace {

const KnownListing& listing_for(std::string_view family, double capability) {
  const KnownListing* best = nullptr;
  for (const KnownListing& one : known_listings()) {
    if (one.family != family) continue;
    const bool better =
        best == nullptr ||
        (one.capability <= capability ? best->capability > capability || one.capability > best->capability
                                      : best->capability > capability && one.capability < best->capability);
    if (better) best = &one;
  }
  if (best == nullptr) throw InputError(fmt::format("no kernels of {} are known (hwdb/kernels)", family));
  return *best;
}

} // namespace

const KernelCode& known_kernel(std::string_view family, std::string_view name, double capability) {
  thread_local std::map<std::pair<const KnownListing*, std::string>, KernelCode> read;
  const KnownListing& listing = listing_for(family, capability);
  const auto key = std::pair(&listing, std::string(name));
  const auto at = read.find(key);
  return at != read.end() ? at->second : read.emplace(key, read_listing(listing.text, name)).first->second;
}

std::optional<PtxCode> known_ptx(const KernelCode& kernel) {
  for (const KnownListing& one : known_listings())
    if (std::lround(10 * one.capability) == kernel.capability)
      if (std::optional<PtxCode> found = read_ptx(one.ptx, kernel.name)) return found;
  return std::nullopt;
}

std::optional<PtxCode> ptx_of(std::string_view listing, const KernelCode& function) {
  if (std::optional<PtxCode> found = read_ptx(listing, function.name)) return found;
  for (const KnownListing& one : known_listings())
    if (one.text == listing) return read_ptx(one.ptx, function.name);
  return std::nullopt;
}

std::string foreign_code(std::string_view family, double capability) {
  const double own = listing_for(family, capability).capability;
  if (own == capability) return {};
  return fmt::format("machine code of cc {:.1f}", own);
}

} // namespace perfmodel
