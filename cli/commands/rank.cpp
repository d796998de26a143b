// perfmodel rank: on which GPU would it run fastest? A template, a listing with its launch, the launches of a
// captured program, or so many operations and bytes, asked about on every GPU.
#include "commands.hpp"

#include "cli/answer.hpp"
#include "cli/compared_listings.hpp"
#include "cli/completion/values.hpp"
#include "cli/examples.hpp"
#include "cli/expected_unit.hpp"
#include "cli/gpu_names.hpp"
#include "cli/kept.hpp"
#include "cli/kernel_launches.hpp"
#include "cli/model_error_said.hpp"
#include "cli/model_inputs.hpp"
#include "cli/number_words.hpp"
#include "cli/of_option.hpp"
#include "cli/option_groups.hpp"
#include "cli/progress.hpp"
#include "cli/ranked_gpus.hpp"
#include "cli/ranking.hpp"
#include "cli/template_inputs.hpp"
#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"
#include "models/views/kernel.hpp"
#include "models/views/same_kernel.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <sstream>
#include <utility>

namespace perfmodel::cli {

namespace {

struct RankOptions {
  HardwareOptions hardware{.hw = "all"};
  AnswerOptions answer;
  ModelInputs kernel;
  TemplateInputs of_template;
  std::string flops, bytes, precision;
  std::vector<std::string> prices; // GPU=NUMBER
  bool bands = false;
};

// Of each option, and with commas between.
std::vector<std::string> split(const std::vector<std::string>& given) {
  std::vector<std::string> words;
  for (const std::string& list : given) {
    std::istringstream rest(list);
    for (std::string word; std::getline(rest, word, ',');) words.push_back(word);
  }
  return words;
}

std::map<std::string, double> prices_of(Context& context, const RankOptions& options) {
  std::map<std::string, double> all;
  for (const std::string& word : split(options.prices)) {
    const std::size_t at = word.find('=');
    if (at == std::string::npos)
      throw InputError(
          fmt::format("--price: GPU=NUMBER is expected, an hour's price, not '{}'", word.substr(0, 60)));
    const double price = of_option("--price " + word.substr(0, at),
                                   [&] { return parse_quantity_as(word.substr(at + 1), {}); });
    if (!(price > 0))
      throw InputError(fmt::format("--price: the price of {} is not above zero", word.substr(0, at)));
    all[gpu_named(context, word.substr(0, at)).name] = price;
  }
  return all;
}

// Of a sweep there is no one order.
void check_one_point(const Request& request) {
  for (const Axis& axis : request.inputs)
    if (axis.values.size() > 1)
      throw InputError(fmt::format("rank compares GPUs at one point: --{} has several values", axis.name));
  for (const Axis& axis : request.facts)
    if (axis.values.size() > 1)
      throw InputError(
          fmt::format("rank compares GPUs at one point: --set {} has several values", axis.name));
}

Request work_request(const RankOptions& options) {
  const Model& roofline = model("roofline");
  Request request;
  for (const auto& given : {std::pair<std::string, std::string>{"flops", options.flops},
                            {"bytes", options.bytes},
                            {"precision", options.precision.empty() ? "fp32" : options.precision},
                            {"basis", "spec"}}) {
    const std::string &name = given.first, &text = given.second;
    if (text.empty())
      throw InputError(fmt::format("--flops and --bytes belong together: --{} is missing", name));
    const Option& option = *roofline.find(name);
    request.inputs.push_back(
        {name, in_unit(option.unit, [&] { return parse_values(option, with_known_words(option, text)); })});
  }
  return request;
}

// What is given of a kernel does not go with operations and bytes, and the other way round.
void check_together(const RankOptions& options, bool by_work) {
  if (!by_work) {
    if (!options.precision.empty()) throw InputError("--precision is of --flops and --bytes");
    const auto listing = options.kernel.given.find("listing");
    if (listing != options.kernel.given.end() && !several_listings(listing->second).empty())
      throw InputError(
          fmt::format("rank takes one kernel; 'perfmodel kernel {} --hw h200' compares several on a GPU",
                      listing->second.substr(0, 60)));
    if (const auto view = options.kernel.given.find("view");
        view != options.kernel.given.end() && !view->second.empty())
      throw InputError("rank shows no views: ask 'perfmodel kernel' of one GPU");
    return;
  }
  for (const auto& [name, text] : options.kernel.given)
    if (!text.empty())
      throw InputError(name == "listing"
                           ? "rank takes a kernel, or --flops and --bytes, not both"
                           : fmt::format("--{} is of a kernel, and does not go with --flops", name));
  if (!options.of_template.let.empty())
    throw InputError("--let is of a kernel, and does not go with --flops");
  if (options.bands) throw InputError("--bands is of a kernel, and does not go with --flops");
}

// "2e12 flop" of a plain number.
std::string with_unit(const std::string& given, const char* unit) {
  const bool plain = given.find_first_not_of("0123456789.+-eE") == std::string::npos;
  return plain ? given + " " + unit : given;
}

// "softmax, rows=4096,columns=4096".
std::string name_of(Context& context, const RankOptions& options, bool by_work) {
  if (by_work)
    return fmt::format("{} over {}, {},", with_unit(options.flops, "flop"), with_unit(options.bytes, "B"),
                       options.precision.empty() ? "fp32" : options.precision);
  const auto given = [&](const char* name) {
    const auto found = options.kernel.given.find(name);
    return found == options.kernel.given.end() ? std::string() : found->second;
  };
  std::string name = given("listing").empty() ? std::string(Listing::shipped_default) : given("listing");
  if (!given("kernel").empty())
    name = fmt::format("{} of {}", written_name(given("kernel")),
                       std::filesystem::path(name).filename().string());
  if (!given("launches").empty()) name += ", " + given("launches");
  if (const std::string sizes = options.of_template.sizes(context, given("listing"));
      !sizes.empty() && given("launches").empty() && given("arg").empty() && given("grid").empty())
    name += ", " + sizes;
  return name;
}

void run(Context& context, RankOptions& options) {
  options.answer.check();
  const bool by_work = !options.flops.empty() || !options.bytes.empty();
  check_together(options, by_work);
  const auto listing = options.kernel.given.find("listing");
  const bool is_default = !by_work && (listing == options.kernel.given.end() || listing->second.empty());
  const std::string name = name_of(context, options, by_work);
  Request request;
  if (by_work) {
    request = work_request(options);
  } else {
    check_launches_alone(options.kernel.given);
    options.of_template.fill(context, options.kernel.given);
    request.inputs = options.kernel.axes(context, model("kernel"));
  }
  request.facts = fact_axes(options.hardware.set);
  request.bands = options.bands;
  request.band_draws = fewer_draws; // the order is what is asked, and all draws of a GPU take seconds
  check_one_point(request);
  const std::map<std::string, double> prices = prices_of(context, options);
  const std::vector<Gpu> gpus = devices(context, options.hardware);
  for (const auto& priced : prices)
    if (std::none_of(gpus.begin(), gpus.end(), [&](const Gpu& asked) { return asked.name == priced.first; }))
      throw InputError(fmt::format("--price: {} is not among the GPUs that are asked", priced.first));
  std::vector<RankedGpu> ranked;
  std::vector<std::string> notes;
  Progress progress(context);
  if (by_work)
    ranked = ranked_by_work(gpus, request);
  else
    ranked = ranked_by_kernel(gpus, request, progress, notes);
  progress.end();
  if (options.bands)
    for (std::string& sentence : ModelErrorSaid("kernel", kept_errors(context)).sentences(gpus))
      notes.push_back(std::move(sentence));
  // What no GPU answers is wrong with the question.
  if (std::none_of(ranked.begin(), ranked.end(), [](const RankedGpu& g) { return g.why_not.empty(); }))
    throw InputError(fmt::format("no GPU has an answer: {}", ranked.front().why_not));
  Result result = ranking(name, std::move(ranked), prices);
  if (is_default)
    result.verdict.front().insert(
        0, fmt::format("No kernel was named, so this is {}. ", Listing::shipped_default));
  if (by_work)
    result.notes.emplace_back("Time: at the roofline of the specification, with device memory at its pins; "
                              "'perfmodel roofline' has what was measured, too.");
  else if (!options.bands)
    result.notes.emplace_back("--bands adds how far its costs leave the time of each GPU open.");
  result.notes.insert(result.notes.end(), std::make_move_iterator(notes.begin()),
                      std::make_move_iterator(notes.end()));
  give(context, options.answer, std::move(result));
}

} // namespace

void add_rank_command(CLI::App& program, Context& context) {
  auto options = std::make_shared<RankOptions>();
  CLI::App* command = program.add_subcommand("rank", "on which GPU would a kernel run fastest");
  command->footer([&context] {
    return fmt::format("{}\n{}", template_lines(context),
                       examples_text({"perfmodel rank softmax --let rows=1024,columns=2048 --hw 'cc>=8.0'",
                                      "perfmodel rank --flops 2Tflop --bytes 64GB --precision fp64"}));
  });
  options->hardware.add_to(*command, false);
  options->kernel.add_to(*command, model("kernel"));
  command->get_option("--listing")
      ->description(
          "machine code: a file that cuobjdump -sass or nvdisasm -hex wrote, or a name, such as one "
          "of the templates below");
  command->get_option("--view")->group(""); // refused in a sentence, and not offered
  options->of_template.add_to(*command);
  command->option_defaults()->group("Operations and bytes in place of a kernel");
  command->add_option("--flops", options->flops, "operations [flop]")->type_name(number_value);
  command->add_option("--bytes", options->bytes, "bytes that they move to and from device memory [B]")
      ->type_name(number_value);
  command->add_option("--precision", options->precision, "of the operations, default fp32")
      ->type_name(name_value);
  command->option_defaults()->group(option_group::gpu);
  command->add_option("--price", options->prices, "what an hour of a GPU costs, such as h200=3.50,a100=1.20")
      ->type_name(price_value);
  command->option_defaults()->group(option_group::reasons);
  command->add_flag(
      "--bands", options->bands,
      fmt::format("how far the costs leave each time open: 5 to 95 % of {} draws of them, a second "
                  "or more for each GPU",
                  fewer_draws));
  options->answer.add_to(*command, true);
  command->callback([&context, options] { run(context, *options); });
}

} // namespace perfmodel::cli
