// One command = one file: a function that adds it to the program, with what it runs.
#pragma once

#include "cli/context.hpp"
#include "models/core/error.hpp"
#include "models/core/model.hpp"

namespace perfmodel::cli {

// `measure message`: the program that sees MPI is another one.
struct NeedsRanks : MachineError {
  NeedsRanks()
      : MachineError("measure message needs perfmodel-messages beside this program: install the package of "
                     "this name, or "
                     "libopenmpi-dev and openmpi-bin and build again; then start 'mpirun -n 2 perfmodel "
                     "measure message'") {}
};

// `capture`: what is injected into the program that runs has to be built first.
struct NeedsCaptureLibrary : MachineError {
  NeedsCaptureLibrary()
      : MachineError("what capture injects is not built: with the CUDA toolkit (nvcc) there, configure with "
                     "-DPERFMODEL_CUDA=ON and build") {}
};

// `help`: what is asked for is the answer to other words (run.cpp).
struct HelpAsked {
  std::vector<std::string> words;
};

void add_model_command(CLI::App& program, Context& context, const Model& model);
void add_hw_command(CLI::App& program, Context& context);
void add_measure_command(CLI::App& program, Context& context);
void add_capture_command(CLI::App& program, Context& context);
void add_validate_command(CLI::App& program, Context& context);
void add_compare_command(CLI::App& program, Context& context);
void add_rank_command(CLI::App& program, Context& context);
void add_slips_command(CLI::App& program, Context& context);
void add_cite_command(CLI::App& program, Context& context);
void add_exercise_command(CLI::App& program, Context& context);
void add_explain_command(CLI::App& program, Context& context);
void add_completion_command(CLI::App& program, Context& context);
void add_help_command(CLI::App& program, Context& context);

} // namespace perfmodel::cli
