// The collection: kernels as other people write them, by theme. Each runs its kernels `program::times` times
// in a row at one or two sizes, checks their answers, and ends the program where one is wrong.
#pragma once

namespace perfmodel::collection {

void run_linear_algebra();
void run_stencils();
void run_images();
void run_sorting();
void run_scans();
void run_reductions();
void run_dynamic_programming();
void run_exercises();
void run_transformers();
void run_quantised();
void run_simulation();
void run_solvers();
void run_signals();
void run_chance();
void run_codes();
void run_features();

struct Theme {
  const char* name;
  void (*run)();
};

constexpr Theme themes[] = {
    {"linear_algebra", run_linear_algebra},
    {"stencils", run_stencils},
    {"images", run_images},
    {"sorting", run_sorting},
    {"scans", run_scans},
    {"reductions", run_reductions},
    {"dynamic_programming", run_dynamic_programming},
    {"exercises", run_exercises},
    {"transformers", run_transformers},
    {"quantised", run_quantised},
    {"simulation", run_simulation},
    {"solvers", run_solvers},
    {"signals", run_signals},
    {"chance", run_chance},
    {"codes", run_codes},
    {"features", run_features},
};

} // namespace perfmodel::collection
