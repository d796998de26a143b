// Text about instructions: a mix, which pipes execute what, and what functions are made of (the grammars of
// those facts).
#include "target.hpp"

#include "models/concurrency/functions.hpp"
#include "models/concurrency/instruction_mix.hpp"
#include "models/concurrency/pipes.hpp"

#include <cmath>

using namespace perfmodel;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of(data, size);
  fuzz::read_or_refuse([&] {
    const std::vector<MixPart> parts = parse_mix("--mix", text);
    fuzz::promise(!parts.empty(), "a mix has parts");
    for (const MixPart& part : parts) {
      fuzz::promise(part.instruction != nullptr, "every part is an instruction class");
      fuzz::promise(part.count >= 1 && part.count == std::floor(part.count) && std::isfinite(part.count),
                    "every count is a whole number above zero");
    }
  });
  fuzz::read_or_refuse([&] { const Pipes pipes(text); });
  fuzz::read_or_refuse([&] { const Functions functions(text); });
  return 0;
}
