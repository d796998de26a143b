#include "meant_command.hpp"

#include "explanation.hpp"
#include "gpu_names.hpp"

#include "models/core/error.hpp"
#include "models/core/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

namespace perfmodel::cli {

namespace {

// What other programs call it, and what it is here.
constexpr auto other_words = std::to_array<std::pair<std::string_view, std::string_view>>(
    {{"gpus", "hw list"},
     {"devices", "hw list"},
     {"list", "hw list"},
     {"show", "hw show h200"},
     {"templates", "kernel --help"},
     {"kernels", "kernel --help"},
     {"quiz", "exercise"},
     {"exercises", "exercise"},
     {"glossary", "explain"},
     {"ncu", "roofline --hw h200 --profile FILE"},
     {"nvbench", "roofline --hw h200 --profile FILE"},
     {"profile", "roofline --hw h200 --profile FILE"},
     {"report", "roofline --hw h200 -o roofline.html"},
     {"plot", "roofline --hw h200 -o roofline.svg"},
     {"draw", "roofline --hw h200 -o roofline.svg"}});

bool is_gpu(Context& context, const std::string& word) {
  try {
    gpu_named(context, word);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

// Its letters and digits, small.
std::string bare(std::string_view word) {
  std::string out;
  for (const char c : word)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

} // namespace

std::string meant_command(Context& context, const std::string& word) try {
  for (const auto& [other, here] : other_words)
    if (word == other) return fmt::format("'perfmodel {}' may be meant", here);
  for (const Model& model : models())
    if (bare(word) == bare(model.info.name))
      return fmt::format("'perfmodel {}' may be meant", model.info.name);
  const std::vector<std::string> templates = context.database().template_names();
  if (std::find(templates.begin(), templates.end(), word) != templates.end())
    return fmt::format(
        "it is a template: 'perfmodel kernel {0} --hw h200' predicts it, 'perfmodel rank {0}' on all GPUs",
        word);
  if (is_gpu(context, word))
    return fmt::format("it is a GPU: 'perfmodel hw show {}' says what is known of it",
                       word.find(' ') == word.npos ? word : fmt::format("\"{}\"", word));
  if (is_explained(word)) return fmt::format("'perfmodel explain {}' says what it means", word);
  return "";
} catch (const InputError&) { // the database is not to be read: that is not what was asked
  return "";
} catch (const MachineError&) { // neither is a file of that name
  return "";
}

} // namespace perfmodel::cli
