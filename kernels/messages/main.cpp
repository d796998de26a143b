// perfmodel-messages: what `mpirun -n 2 perfmodel measure message` starts. Ping-pong and all-reduce of MPI
// between the ranks of one host; alpha and beta of each protocol, and how far the models are off with them.
#include "probes.hpp"

#include "cli/format.hpp"
#include "cli/version.hpp"
#include "hwdb/result_file.hpp"
#include "hwdb/text_file.hpp"
#include "models/core/error.hpp"
#include "models/core/in_words.hpp"
#include "models/core/model.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <iostream>

namespace perfmodel::messages {

namespace {

struct Options {
  std::vector<std::string> words;
  std::string file;
  bool quick = false;
  unsigned limit = 30;
};

std::vector<int> sizes(int first, int last, int factor) {
  std::vector<int> all;
  for (int n = first; n <= last; n *= factor) all.push_back(n);
  return all;
}

struct Protocol {
  const char* name;
  Times times;
  Hockney fitted;
};

Column numbers(const char* name, const Unit& unit, Role role) {
  return {.name = name, .unit = unit, .role = role, .cells = std::vector<double>{}};
}

Table table_of_messages(const std::vector<Protocol>& protocols) {
  const Unit s = unit_of<Seconds>();
  Table t{.title = "messages between two ranks"};
  t.columns = {{.name = "protocol", .role = Role::key, .cells = std::vector<std::string>{}},
               numbers("bytes", unit_of<Bytes>(), Role::key),
               numbers("time", s, Role::measured),
               numbers("p5", s, Role::low),
               numbers("p95", s, Role::high),
               numbers("predicted", s, Role::predicted),
               numbers("error", {"fraction", {}}, Role::predicted),
               {.name = "used", .role = Role::note, .cells = std::vector<std::string>{}}};
  for (const Protocol& p : protocols)
    for (std::size_t i = 0; i < p.times.points.size(); ++i) {
      const Timed& x = p.times.points[i];
      const Seconds predicted = p.fitted.time(x.bytes);
      append(t.columns[0], std::string(p.name));
      const double cells[] = {x.bytes.value, x.time.value,    x.low.value,
                              x.high.value,  predicted.value, predicted / x.time - 1};
      for (std::size_t c = 0; c < 6; ++c) append(t.columns[c + 1], cells[c]);
      append(t.columns[7], std::string(i % 2 == 0 ? "to fit" : "to judge"));
    }
  return t;
}

// The fastest algorithm of the model all-reduce, with alpha and beta of the protocol that carries so much.
std::pair<std::string, double> predicted_sum(double bytes, int ranks, const Hockney& link) {
  const Model& m = model("all-reduce");
  Request request{.inputs = {{"bytes", {{.number = bytes}}},
                             {"ranks", {{.number = static_cast<double>(ranks)}}},
                             {"latency", {{.number = link.alpha.value}}},
                             {"bandwidth", {{.number = link.beta.value}}}}};
  const Result r = predict(m, {}, request);
  const Table& t = r.tables.front();
  std::size_t best = 0;
  for (std::size_t row = 0; row < t.rows(); ++row)
    if (t.at("time").number(row) < t.at("time").number(best)) best = row;
  return {t.at("algorithm").text(best), t.at("time").number(best)};
}

Table table_of_sums(const Times& sums, int ranks, const std::vector<Protocol>& protocols) {
  const Unit s = unit_of<Seconds>();
  Table t{.title = fmt::format("all-reduce of {} ranks", ranks)};
  t.columns = {numbers("bytes", unit_of<Bytes>(), Role::key),
               numbers("time", s, Role::measured),
               numbers("p5", s, Role::low),
               numbers("p95", s, Role::high),
               numbers("predicted", s, Role::predicted),
               numbers("error", {"fraction", {}}, Role::predicted),
               {.name = "algorithm", .role = Role::note, .cells = std::vector<std::string>{}}};
  for (const Timed& x : sums.points) {
    const bool small = x.bytes <= protocols[0].times.points.back().bytes;
    const auto [algorithm, time] = predicted_sum(x.bytes.value, ranks, protocols[small ? 0 : 1].fitted);
    const double cells[] = {x.bytes.value, x.time.value, x.low.value,
                            x.high.value,  time,         time / x.time.value - 1};
    for (std::size_t c = 0; c < 6; ++c) append(t.columns[c], cells[c]);
    append(t.columns[6], algorithm);
  }
  return t;
}

// Why times are not to be used: where one in four of them is not the same twice, something else had the
// cores.
std::string unsteady(const std::vector<Timed>& points) {
  const auto wide = std::count_if(points.begin(), points.end(),
                                  [](const Timed& x) { return x.high > 2 * x.time || x.time > 2 * x.low; });
  if (4 * wide < static_cast<std::ptrdiff_t>(points.size())) return "";
  return fmt::format(
      "{} of {} times vary by more than twice: other programs ran on these cores, or there are "
      "fewer cores than ranks",
      wide, points.size());
}

std::string verdict_of(const std::vector<Protocol>& protocols) {
  std::string text;
  double worst = 0;
  for (const Protocol& p : protocols) {
    text += fmt::format("{}{}: alpha {}, beta {}", text.empty() ? "" : "; ", p.name, in_words(p.fitted.alpha),
                        in_words(p.fitted.beta));
    worst = std::max(worst, error_of_others(p.fitted, p.times.points));
  }
  return text + fmt::format(". Sizes that were not fitted are off by {} on average, of the worst of these.",
                            in_percent(worst));
}

int measure(const Options& options) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks < 2)
    throw InputError("messages are between ranks: 'mpirun -n 2 perfmodel measure message' starts two");
  Watch watch(MPI_COMM_WORLD, options.limit);
  const Effort effort{.samples = options.quick ? 11 : 41};
  const int most = options.quick ? 1 << 20 : 1 << 24;
  // Open MPI between processes of a host: eager up to 4 KiB with its header.
  constexpr int eager_most = 2048;
  std::vector<Protocol> protocols{
      {"eager", ping_pong(watch, Send::standard, sizes(8, eager_most, 2), effort), {}},
      {"large", ping_pong(watch, Send::standard, sizes(8192, most, 2), effort), {}},
      {"synchronous", ping_pong(watch, Send::synchronous, sizes(8, eager_most, 2), effort), {}}};
  const Times sums = all_reduce(watch, sizes(1024, most, 4), effort);
  if (rank > 0) return 0;
  for (Protocol& p : protocols) p.fitted = hockney_fit(p.times.points);
  Record record{.version = std::string(cli::version()), .commit = std::string(cli::commit())};
  char name[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(name, &length);
  const std::string library(name, static_cast<std::size_t>(std::max(length, 0)));
  record.environment = {{"mpi", library.substr(0, library.find(','))}, {"ranks", std::to_string(ranks)}};
  record.result.verdict = {verdict_of(protocols)};
  bool verified = true;
  for (const Protocol& p : protocols) verified = verified && p.times.verified;
  std::vector<Timed> sent;
  for (const Protocol& p : protocols) sent.insert(sent.end(), p.times.points.begin(), p.times.points.end());
  record.measurements.push_back({.probe = "ping-pong",
                                 .model = "message",
                                 .measures = "half of the way there and back",
                                 .table = table_of_messages(protocols),
                                 .verified = verified,
                                 .invalid = unsteady(sent)});
  record.measurements.push_back({.probe = "all-reduce",
                                 .model = "all-reduce",
                                 .measures = "MPI_Allreduce of floats",
                                 .table = table_of_sums(sums, ranks, protocols),
                                 .verified = sums.verified,
                                 .invalid = unsteady(sums.points)});
  for (const Measurement& m : record.measurements)
    if (!m.invalid.empty())
      record.result.notes.push_back(fmt::format("{} is not to be used: {}.", m.probe, m.invalid));
  if (!options.file.empty()) hwdb::write_whole(options.file, hwdb::to_json(record));
  Result shown{.verdict = record.result.verdict, .notes = record.result.notes};
  for (Measurement& m : record.measurements) shown.tables.push_back(std::move(m.table));
  std::cout << cli::to_text(shown, 100) << std::flush;
  if (!verified || !sums.verified) throw MachineError("a message did not bring what was sent");
  return 0;
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("messages between ranks of MPI");
  app.add_option("words", options.words, "'measure message', as perfmodel was called");
  app.add_option("-o,--output", options.file, "write the run to this file (.json)");
  app.add_flag("--quick", options.quick, "fewer sizes and samples");
  app.add_option("--time-limit", options.limit, "seconds that a size may take")->check(CLI::Range(1, 3600));
  CLI11_PARSE(app, argc, argv);
  if (!options.file.empty() && std::filesystem::path(options.file).extension() != ".json") {
    std::cerr << "perfmodel: -o " << options.file << ": a run is written as .json\n";
    return 2;
  }
  limit_start(options.limit);
  MPI_Init(&argc, &argv);
  int code = 0;
  try {
    code = measure(options);
  } catch (const InputError& e) {
    std::cerr << "perfmodel: " << e.what() << "\n";
    code = 2;
  } catch (const std::exception& e) { // MachineError, and what the libraries throw
    std::cerr << "perfmodel: " << e.what() << "\n";
    code = 3;
  }
  if (code == 0)
    MPI_Finalize();
  else
    MPI_Abort(MPI_COMM_WORLD, code);
  return code;
}

} // namespace
} // namespace perfmodel::messages

int main(int argc, char** argv) {
  try {
    return perfmodel::messages::run(argc, argv);
  } catch (const std::exception& e) {
    std::cerr << "perfmodel: " << e.what() << "\n";
    return 3;
  }
}
