// The kernels that the tool knows: what a compiler made of them, in hwdb/kernels/FAMILY/CAPABILITY.sass, one
// listing for each compute capability. They are part of the program, so that models read no file.
#pragma once

#include "listing.hpp"
#include "ptx_text.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace perfmodel {

struct KnownListing {
  std::string_view family; // such as "reduction"
  double capability = 0;   // that it was compiled for
  std::string_view text;
  std::string_view ptx; // that was compiled to it; "": not known
};

// Made of hwdb/kernels when the tool is built.
std::span<const KnownListing> known_listings();

// The function of a family by its name, or by a part of it that only one has: as it was compiled for the
// highest compute capability that is not above the one asked for, or else for the lowest there is. Read once;
// stays valid. Throws InputError: there is no such family or function.
const KernelCode& known_kernel(std::string_view family, std::string_view name, double capability);

// What such a function was compiled from; nullopt: not known. Refers to texts that stay.
std::optional<PtxCode> known_ptx(const KernelCode& kernel);

// The PTX of a listing's function: within the listing, as cuobjdump -ptx -sass prints both, or known where
// the whole listing is. Refers to the listing.
std::optional<PtxCode> ptx_of(std::string_view listing, const KernelCode& function);

// For a GPU of another compute capability than the family's code: "machine code of cc 9.0"; else "".
std::string foreign_code(std::string_view family, double capability);

} // namespace perfmodel
