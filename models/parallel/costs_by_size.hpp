// What messages of each size cost, where no single alpha and beta do: short ones go by another protocol
// (eager, rendezvous), and long ones no longer come from the caches. A text, one piece a range of sizes,
//   2KiB:0.4us:3GB/s:20GB/s,rest:1.2us:9GB/s:20GB/s
// is: messages of up to 2 KiB take 0.4 us + n / (3 GB/s), and n bytes are added at 20 GB/s; longer ones as
// the last piece says. The rate of adding may be left out. T. Kielmann, H. Bal, K. Verstoep, "Fast
// measurement of LogP parameters for message passing platforms", IPPS 2000, let all parameters depend on the
// size.
#pragma once

#include "models/core/units.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

struct MessageCost {
  Bytes most; // infinite in the last
  Seconds alpha;
  BytesPerSecond beta;
  std::optional<BytesPerSecond> adding;

  Seconds sent(Bytes n) const { return alpha + n / beta; }
  Seconds added(Bytes n) const { return adding ? n / *adding : Seconds(0); }
};

struct CostsBySize {
  std::vector<MessageCost> pieces; // by rising sizes

  // Throws InputError: no such piece, sizes that do not rise, no rest.
  static CostsBySize from_text(std::string_view text);
  std::string text() const; // four digits a number; sizes in full, or the last of a range would leave it

  const MessageCost& of(Bytes n) const;
  // Of messages of n bytes that are parts of a vector, one after the other: they are sent as any of that size
  // are, but what they carry comes from where the whole vector lies. A vector that the caches do not hold
  // leaves them no higher rates than a message as long as it gets.
  MessageCost of_parts(Bytes n, Bytes vector) const;
};

} // namespace perfmodel
