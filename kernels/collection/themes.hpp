// The collection: kernels as other people write them, by theme. Each runs its kernels `program::times` times in
// a row at one or two sizes, checks their answers, and ends the program where one is wrong.
#pragma once

namespace perfmodel::collection {

void run_vectors();

struct Theme {
  const char* name;
  void (*run)();
};

constexpr Theme themes[] = {
    {"vectors", run_vectors},
};

} // namespace perfmodel::collection
