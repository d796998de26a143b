// What is several instructions on a device, and which: 'udiv: f2i:2,rcp:1,iadd:6' (the fact `functions`).
// The counts are those of the path that ordinary arguments take.
#pragma once

#include "instruction_mix.hpp"

#include "models/core/gpu.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

class Functions {
public:
  // Throws InputError: text that is no list of mixes, a name that is no instruction class or stands twice, a
  // function that is made of itself.
  explicit Functions(std::string_view text);

  // Single instructions only. nullptr where the text does not name it.
  const std::vector<MixPart>* of(std::string_view name) const;

  // The mix with every function replaced by its instructions; each class stands once, in the order in which
  // it comes up first. Throws InputError that begins with `option`: a function of which the text says
  // nothing.
  std::vector<MixPart> expanded(std::string_view option, const std::vector<MixPart>& mix) const;

private:
  std::map<std::string, std::vector<MixPart>, std::less<>> made_of_;
};

// Those of a device; none where its files do not say.
Functions functions_of(const Gpu& gpu);

} // namespace perfmodel
