// Runs the collection, or the themes that are named: to be run under `perfmodel capture`, so that predictions
// of kernels that were not written for this tool can be held against a GPU.
//   nvcc -O3 -std=c++20 -arch=sm_90a -I. -o collection kernels/collection/*.cu
//   perfmodel capture --serial -o collection.launches -- ./collection
#include "themes.hpp"

#include <cstdio>
#include <cstring>

using perfmodel::collection::Theme;
using perfmodel::collection::themes;

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    bool known = false;
    for (const Theme& theme : themes) known = known || std::strcmp(argv[i], theme.name) == 0;
    if (known) continue;
    std::fprintf(stderr, "collection: no theme is named %s; there are:", argv[i]);
    for (const Theme& theme : themes) std::fprintf(stderr, " %s", theme.name);
    std::fputs("\n", stderr);
    return 2;
  }
  for (const Theme& theme : themes) {
    bool wanted = argc == 1;
    for (int i = 1; i < argc; ++i) wanted = wanted || std::strcmp(argv[i], theme.name) == 0;
    if (!wanted) continue;
    theme.run();
    std::printf("%s: all right\n", theme.name);
  }
}
