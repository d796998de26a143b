#include "pattern_time.hpp"

#include "models/core/trace.hpp"

#include <fmt/format.h>

namespace perfmodel {

template <class T>
KernelTime pattern_time(const Gpu& gpu, const PatternKernel& pattern, std::int64_t blocks,
                        Count most_resident, T& trace) {
  const std::int64_t words = blocks * pattern.threads * pattern.words,
                     bytes = ((words - 1) * pattern.stride + pattern.offset + 1) * pattern.word;
  const KernelLaunch launch{.grid = {blocks, 1, 1},
                            .block = {pattern.threads, 1, 1},
                            .arguments = KernelArguments::from_text(fmt::format("from={0}B,to={0}B", bytes))};
  return kernel_time(gpu,
                     {.code = code_of(pattern),
                      .launch = launch,
                      .caches = Caches::cold,
                      .data = {},
                      .last_block = {},
                      .code_stays = true,
                      .owner = {},
                      .most_resident = most_resident,
                      .most_steps = few_steps},
                     trace);
}

template KernelTime pattern_time(const Gpu&, const PatternKernel&, std::int64_t, Count, Plain&);
template KernelTime pattern_time(const Gpu&, const PatternKernel&, std::int64_t, Count, Recorder&);

} // namespace perfmodel
