// What a model's command is asked: its options as a request, the GPUs, and the answer.
#pragma once

#include "cli/answer.hpp"
#include "cli/context.hpp"
#include "cli/model_inputs.hpp"
#include "cli/profile.hpp"
#include "cli/progress.hpp"
#include "cli/template_inputs.hpp"
#include "models/core/model.hpp"

#include <span>
#include <string>
#include <vector>

namespace CLI {
class Option;
}

namespace perfmodel::cli {

struct ModelOptions {
  HardwareOptions hardware;
  AnswerOptions answer;
  ProfileOptions profile;
  ModelInputs inputs;
  TemplateInputs of_template; // of `kernel`
  bool explain = false, bands = false;
  std::string draw;                // the name of a drawing, instead of tables and their chart
  CLI::Option* measured = nullptr; // none where no GPU is asked about
  bool published = false;
};

bool takes_template(const Model& model);

Request request_of(Context& context, const Model& model, const ModelOptions& options);

// None where the model takes no GPU. Throws InputError.
std::vector<Gpu> devices_asked_for(Context& context, const Model& model, const ModelOptions& options);

// Of GPUs that were chosen by what they are, those that have no answer are left out, and said to be. Throws
// InputError where none has one.
std::vector<Gpu> that_answer(Context& context, const Model& model, std::vector<Gpu> gpus, Request request,
                             const HardwareOptions& hardware, Progress& progress);

// The prediction, its long tables into `sink` where there is one. Throws InputError; what is wrong in a
// points file is said with its name.
Result answer_of(const Model& model, std::span<const Gpu> gpus, const Request& request,
                 const ModelOptions& options, RowSink* sink);

// A fact that was set and that nothing rests on was probably meant to be another one. Several words
// (precisions, levels) may rest on different facts, and the derivation is of the first: then nothing is said.
// Leaves the derivations to --explain.
void note_unused_facts(Result& result, const Request& request, bool explain);

// "kernel on h200, m2090".
std::string asked_in_words(const Model& model, std::span<const Gpu> gpus);

} // namespace perfmodel::cli
