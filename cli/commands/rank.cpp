// perfmodel rank: on which GPU would it run fastest? A template, a listing with its launch, the launches of a
// captured program, or so many operations and bytes, asked about on every GPU.
#include "commands.hpp"

#include "cli/answer.hpp"
#include "cli/examples.hpp"
#include "cli/kernel_launches.hpp"
#include "cli/model_inputs.hpp"
#include "cli/progress.hpp"
#include "cli/ranking.hpp"
#include "cli/template_inputs.hpp"
#include "models/bounds/roofline.hpp"
#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"
#include "models/views/kernel.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace perfmodel::cli {

namespace {

struct RankOptions {
  HardwareOptions hardware{.hw = "all"};
  AnswerOptions answer;
  ModelInputs kernel;
  TemplateInputs of_template;
  std::string flops, bytes, precision = "fp32";
  std::vector<std::string> prices; // GPU=NUMBER
  bool bands = false;
};

std::map<std::string, double> prices_of(Context& context, const RankOptions& options) {
  std::map<std::string, double> all;
  for (const std::string& word : options.prices) {
    const std::size_t at = word.find('=');
    if (at == std::string::npos)
      throw InputError(
          fmt::format("--price: GPU=NUMBER is expected, an hour's price, not '{}'", word.substr(0, 60)));
    const double price = parse_quantity_as(word.substr(at + 1), {});
    if (!(price > 0))
      throw InputError(fmt::format("--price: the price of {} is not above zero", word.substr(0, at)));
    all[context.database().gpu(word.substr(0, at)).name] = price;
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
  for (const auto& [name, text] : {std::pair<std::string, std::string>{"flops", options.flops},
                                   {"bytes", options.bytes},
                                   {"precision", options.precision},
                                   {"basis", "spec"}}) {
    if (text.empty())
      throw InputError(fmt::format("--flops and --bytes belong together: --{} is missing", name));
    request.inputs.push_back({name, parse_values(*roofline.find(name), text)});
  }
  return request;
}

// Bytes of all arrays; 0 where launches were captured.
double bytes_of_arrays(const Request& request) {
  double bytes = 0;
  for (const Axis& axis : request.inputs)
    if (axis.name == "arg")
      for (const Allocation& one : KernelArguments::from_text(axis.values.front().text).allocations)
        bytes += static_cast<double>(one.bytes);
  return bytes;
}

double cell(const Table& table, std::string_view column, std::size_t row) {
  const Column* found = table.find(column);
  return found == nullptr ? absent : found->number(row);
}

// Of captured launches all of them, each as often as it was launched; the bound is that of the one that takes
// most.
void add_time(const Table& table, RankedGpu& ranked) {
  ranked.time = ranked.low = ranked.high = 0;
  double longest = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const double runs = std::isnan(cell(table, "runs", row)) ? 1 : cell(table, "runs", row);
    const double time = runs * cell(table, "time", row);
    ranked.time += time;
    ranked.low += runs * cell(table, "time_low", row);
    ranked.high += runs * cell(table, "time_high", row);
    if (time <= longest) continue;
    longest = time;
    ranked.bound = table.at("bound").text(row);
  }
}

RankedGpu ranked_by_kernel(const Gpu& gpu, const Request& request) {
  RankedGpu ranked{.gpu = gpu.name, .title = gpu.title};
  const double bytes = bytes_of_arrays(request);
  const FactRecord* memory = gpu.record("dram.size");
  if (memory != nullptr && bytes > memory->values.front()) {
    ranked.why_not = fmt::format("its memory of {} does not hold the arrays, {}",
                                 format_quantity(memory->values.front(), unit_of<Bytes>()),
                                 format_quantity(bytes, unit_of<Bytes>()));
    return ranked;
  }
  try {
    const Result result = predict(model("kernel"), std::span(&gpu, 1), request);
    for (const Table& table : result.tables)
      if (table.title == KernelModel::Summary::title && table.rows() > 0) add_time(table, ranked);
    ranked.grade = result.grade;
    if (std::isnan(ranked.time)) ranked.why_not = "none of its launches is understood";
  } catch (const InputError& e) {
    ranked.why_not = e.what();
  }
  return ranked;
}

RankedGpu ranked_by_work(const Gpu& gpu, const Request& request) {
  RankedGpu ranked{.gpu = gpu.name, .title = gpu.title};
  try {
    const Result result = predict(model("roofline"), std::span(&gpu, 1), request);
    for (const Table& table : result.tables)
      if (table.title == Roofline::Kernel::title && table.rows() > 0) {
        ranked.time = cell(table, "least_time", 0);
        ranked.bound = table.at("bound").text(0);
      }
    ranked.grade = result.grade;
    if (std::isnan(ranked.time)) ranked.why_not = "it has no peak rate of that precision";
  } catch (const InputError& e) {
    ranked.why_not = e.what();
  }
  return ranked;
}

void run(Context& context, RankOptions& options) {
  options.answer.check();
  const bool by_work = !options.flops.empty() || !options.bytes.empty();
  if (by_work && !options.kernel.given["listing"].empty())
    throw InputError("rank takes a kernel, or --flops and --bytes, not both");
  Request request;
  if (by_work) {
    request = work_request(options);
  } else {
    check_launches_alone(options.kernel.given);
    options.of_template.fill(context, options.kernel.given);
    request.inputs = options.kernel.axes(context, model("kernel"));
  }
  request.facts = fact_axes(options.hardware.set);
  request.bands = options.bands && !by_work;
  check_one_point(request);
  const std::map<std::string, double> prices = prices_of(context, options);
  const std::vector<Gpu> gpus = devices(context, options.hardware);
  std::vector<RankedGpu> ranked;
  Progress progress(context);
  for (const Gpu& gpu : gpus) {
    progress.say(fmt::format("{}/{} {}", ranked.size() + 1, gpus.size(), gpu.name));
    ranked.push_back(by_work ? ranked_by_work(gpu, request) : ranked_by_kernel(gpu, request));
  }
  progress.end();
  // What no GPU answers is wrong with the question.
  if (std::none_of(ranked.begin(), ranked.end(), [](const RankedGpu& g) { return g.why_not.empty(); }))
    throw InputError(fmt::format("no GPU has an answer: {}", ranked.front().why_not));
  give(context, options.answer, ranking(std::move(ranked), prices));
}

} // namespace

void add_rank_command(CLI::App& program, Context& context) {
  auto options = std::make_shared<RankOptions>();
  CLI::App* command = program.add_subcommand("rank", "on which GPU would a kernel run fastest");
  command->footer([&context] {
    return fmt::format("Templates, with their usual sizes:\n{}\n{}", template_lines(context),
                       examples_text({"perfmodel rank softmax --let rows=1024,columns=2048 --hw 'cc>=8.0'",
                                      "perfmodel rank --flops 2Tflop --bytes 64GB --precision fp64"}));
  });
  options->hardware.add_to(*command, false);
  options->kernel.add_to(*command, model("kernel"));
  options->of_template.add_to(*command);
  command->add_option("--flops", options->flops, "operations, in place of a kernel [flop]");
  command->add_option("--bytes", options->bytes, "bytes that they move to and from device memory [B]");
  command->add_option("--precision", options->precision, "of the operations, default fp32");
  command
      ->add_option("--price", options->prices,
                   "what an hour of a GPU costs, such as h200=3.50; again for more")
      ->type_name("GPU=NUMBER ...");
  command->add_flag("--bands", options->bands,
                    "how far the costs leave the answer open: 5 to 95 % of 32 draws of them");
  options->answer.add_to(*command, true);
  command->callback([&context, options] { run(context, *options); });
}

} // namespace perfmodel::cli
