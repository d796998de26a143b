// The same asked about many things at once, on all cores.
#pragma once

#include <cstddef>
#include <functional>

namespace perfmodel::cli {

// Calls `ask(i)` for each i below `count`, on as many threads as `workers` says; 0: as many as there are
// cores. `done(i)`, where there is one, is called after each, never twice at once. Where one throws, no
// further ones are begun, and what the first of them threw is thrown once all threads have ended.
void in_parallel(std::size_t count, const std::function<void(std::size_t)>& ask,
                 const std::function<void(std::size_t)>& done = {}, std::size_t workers = 0);

} // namespace perfmodel::cli
