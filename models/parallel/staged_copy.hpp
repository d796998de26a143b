// Copies of pageable memory, which the driver stages: it copies into pinned memory of its own, piece by
// piece, and the GPU fetches from there (or the other way round). Nothing overlaps within the first piece; of
// those that follow, one is copied by the processor while another is on the link.
//   T(n) = alpha + min(n, s) / first + max(n - s, 0) / rest
// s is the size up to which a copy is one piece. `rest` is what the processor copies at: faster where the
// bytes are in its caches than where they come from memory.
#pragma once

#include "hockney_fit.hpp"

#include <optional>
#include <vector>

namespace perfmodel {

struct StagedCopy {
  Seconds alpha;
  Bytes piece; // s
  BytesPerSecond first, rest;
  Seconds time(Bytes n) const;
};

// alpha, s, first and rest by least squares of relative errors; s is one of the sizes. `points` has at least
// four, by rising size. Where no two rates describe them better than one, s is the smallest and first is
// rest.
StagedCopy staged_fit(const std::vector<Timed>& points);

// Repeated copies find their bytes in the host's caches as long as they fit.
struct StagedCopies {
  StagedCopy cached;
  std::optional<Bytes> cache;           // up to where; empty where the rate falls nowhere
  std::optional<BytesPerSecond> memory; // in place of `rest` beyond that
  Seconds time(Bytes n) const;
};

// `points` as above. The caches end between two sizes of a MiB or more: where the rest fits best with a lower
// rate of its own. `known`: where another direction found that they end.
StagedCopies staged_copies(const std::vector<Timed>& points, std::optional<Bytes> known = {});

} // namespace perfmodel
