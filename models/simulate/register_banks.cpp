#include "register_banks.hpp"

#include "models/kernel/register_use.hpp"

#include <algorithm>

namespace perfmodel {

namespace {

bool among(const std::vector<std::uint16_t>& places, std::uint16_t place) {
  return std::find(places.begin(), places.end(), place) != places.end();
}

} // namespace

std::vector<BankReads> bank_reads(const KernelCode& code, unsigned banks) {
  std::vector<BankReads> all;
  all.reserve(code.instructions.size());
  std::vector<std::uint16_t> kept; // by the instruction before
  for (const Instruction& i : code.instructions) {
    const RegisterUse use = register_use(i);
    BankReads reads{};
    std::vector<std::uint16_t> seen;
    for (const std::uint16_t place : use.reads) {
      if (place >= predicate_places || among(seen, place) || among(kept, place)) continue;
      seen.push_back(place);
      ++reads[place % banks];
    }
    all.push_back(reads);
    kept = use.kept;
  }
  return all;
}

} // namespace perfmodel
