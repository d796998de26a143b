// What `ncu --csv` counted, or a benchmark measured, beside an answer: kernels on the roofline, and
// predictions held against counters.
#pragma once

#include "context.hpp"
#include "models/core/model.hpp"
#include "models/validation/profile.hpp"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace perfmodel::cli {

struct GivenProfile {
  std::string file;
  std::vector<ProfiledKernel> kernels;
  std::vector<std::string> names; // short, of each
  bool caches_kept = false;       // ncu says that it did not empty them before each launch
  std::string tool = "ncu";       // or the benchmark harness that wrote it
  std::vector<std::string> told;  // by its reader: sentences
};

struct ProfileOptions {
  std::string file;         // --profile; or --measured, whose file says itself what it is
  std::string fail_over;    // --fail-over
  std::string before;       // --before, an earlier profile of the same program
  std::string top;          // --top, kernels; "": a table for people has 20, one for programs all
  bool every_level = false; // --every-level
};

// The profile that the options name: --profile, or else --measured where its file is one; `measured_file` is
// then empty, and `inputs` ask what goes with a profile: its points on the roofline, a kernel that is timed
// by ncu. Nothing where none is named. Throws InputError.
std::optional<GivenProfile> given_profile(const Model& model, const ProfileOptions& options,
                                          std::string& measured_file,
                                          std::map<std::string, std::string>& inputs);

// Adds to an answer what the profile says: the verdict first. With --fail-over the exit code is 1 where a
// time that `kernel` predicts is off by more, or where one under `roofline` is longer than in the profile
// before by more. `is_data`: the answer is for a program. Throws InputError.
void add_profile(Context& context, const Model& model, std::span<const Gpu> gpus, const GivenProfile& profile,
                 const ProfileOptions& options, const std::map<std::string, std::string>& inputs,
                 bool is_data, Result& result);

} // namespace perfmodel::cli
