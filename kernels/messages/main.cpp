// perfmodel-messages: what `mpirun -n 2 perfmodel measure message` starts. Messages and all-reduce of MPI
// between the ranks of one host; alpha, beta and gamma of each protocol, and how far the models are off with
// them.
#include "report.hpp"

#include "cli/format.hpp"
#include "cli/version.hpp"
#include "hwdb/result_file.hpp"
#include "hwdb/text_file.hpp"
#include "models/core/error.hpp"
#include "models/core/quantity_text.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <sstream>

#include <malloc.h>
#include <unistd.h>

namespace perfmodel::messages {

namespace {

struct Options {
  std::vector<std::string> words;
  std::string file, longest;
  double most = 1 << 30; // bytes
  bool quick = false;
  unsigned limit = 30;
};

std::vector<int> sizes(int first, int last, int factor) {
  std::vector<int> all;
  for (std::int64_t n = first; n <= last; n *= factor) all.push_back(static_cast<int>(n));
  return all;
}

// The longest vector: a power of two up to `most`, that leaves every rank room for three, and a quarter of
// the memory for others.
int longest(int ranks, double most) {
  const double free =
      static_cast<double>(::sysconf(_SC_AVPHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  int bytes = 1 << 30;
  while (bytes > most) bytes /= 2;
  while (bytes > 1 << 20 && 4.0 * bytes * ranks > free) bytes /= 2;
  return bytes;
}

// A limit that the library has and names (MPI_T), or what it commonly is.
int limit_of_library(const char* name, int commonly) {
  int level = 0, index = 0, count = 0, value = commonly;
  MPI_T_cvar_handle handle{};
  if (MPI_T_init_thread(MPI_THREAD_SINGLE, &level) != MPI_SUCCESS) return commonly;
  std::uint64_t wide = 0; // unsigned, or size_t
  if (MPI_T_cvar_get_index(name, &index) == MPI_SUCCESS &&
      MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count) == MPI_SUCCESS) {
    if (count == 1 && MPI_T_cvar_read(handle, &wide) == MPI_SUCCESS && wide > 0 && wide < 1 << 20)
      value = static_cast<int>(wide);
    MPI_T_cvar_handle_free(&handle);
  }
  MPI_T_finalize();
  return value;
}

// Where messages begin to cost something else: Open MPI writes the shortest into the receiver's memory at
// once, copies those below its eager limit by way of a buffer, and lets the receiver fetch longer ones
// itself; and long ones no longer fit into the caches of a core and of all cores, with where they go.
std::vector<Bytes> ends_of_ranges(int ranks) {
  const int header = 64;
  std::vector<Bytes> ends{Bytes(limit_of_library("btl_vader_max_inline_send", 256)),
                          Bytes(limit_of_library("btl_vader_eager_limit", 4096) - header)};
  for (const double most : {static_cast<double>(::sysconf(_SC_LEVEL2_CACHE_SIZE)) / 2,
                            static_cast<double>(::sysconf(_SC_LEVEL3_CACHE_SIZE)) / 2 / ranks})
    if (most > ends.back().value) ends.emplace_back(most);
  return ends;
}

// "AMD EPYC, 2 cores"
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  std::string name = "a host";
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) {
      name = line.substr(std::min(line.find(": ") + 2, line.size()));
      break;
    }
  return fmt::format("{}, {} cores", name, ::sysconf(_SC_NPROCESSORS_ONLN));
}

std::string now() {
  const std::time_t seconds = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[32] = "";
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

// Open MPI between processes of a host: eager up to 4 KiB with its header.
constexpr int eager_most = 2048;

// Which sizes, and how much of each.
struct Extent {
  int most = 1 << 20, factor = 4, factor_of_sums = 32, rounds = 1;
  Effort effort{.samples = 5, .seconds_of_a_size = 0.02};
};

// Vectors of up to a GiB take seconds: only every third round has them.
void add_round(Watch& watch, Extent of, int round, Measured& m) {
  constexpr int long_ones = 16 << 20;
  if (round % 3 != 0) of.most = std::min(of.most, long_ones);
  const auto all = [&](int first, int last) { return sizes(first, last, of.factor); };
  const auto ball = [&](std::size_t protocol, Send send, const std::vector<int>& sizes) {
    ping_pong(watch, send, sizes, of.effort, m.protocols[protocol].times);
  };
  ball(0, Send::standard, all(8, eager_most));
  ball(1, Send::standard, all(2 * eager_most, of.most));
  ball(2, Send::synchronous, all(8, eager_most));
  exchange(watch, all(8, of.most), of.effort, m.exchanges);
  adding(watch, all(1024, of.most), of.effort, m.adding);
  const std::vector<int> sums = sizes(1024, of.most, of.factor_of_sums);
  for (std::size_t a = 0; a < m.sums.size(); ++a)
    all_reduce(watch, static_cast<AllReduceAlgorithm>(a), sums, of.effort, m.sums[a]);
  all_reduce(watch, std::nullopt, sums, of.effort, m.library);
}

double bytes_of(const std::string& longest) {
  const double bytes = parse_quantity_as(longest, unit_of<Bytes>());
  if (!(bytes >= 1 << 20 && bytes <= 1 << 30))
    throw InputError("--longest " + longest + ": 1 MiB to 1 GiB are expected");
  return bytes;
}

int measure(const Options& options) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks < 2)
    throw InputError("messages are between ranks: 'mpirun -n 2 perfmodel measure message' starts two");
  Watch watch(MPI_COMM_WORLD, options.limit);
  Extent extent;
  if (!options.quick)
    extent = {
        .most = longest(ranks, options.most), .factor = 2, .factor_of_sums = 4, .rounds = 9, .effort = {}};
  MPI_Bcast(&extent.most, 1, MPI_INT, 0, MPI_COMM_WORLD); // what is free is not the same a moment later
  Measured m{.ranks = ranks,
             .protocols = {{"eager", {}, {}}, {"large", {}, {}}, {"synchronous", {}, {}}},
             .sums = std::vector<Times>(names(AllReduceAlgorithm{}).size())};
  for (int round = 0; round < extent.rounds; ++round) add_round(watch, extent, round, m);
  if (rank > 0) return 0;
  for (Protocol& p : m.protocols) p.fitted = hockney_fit(p.times.points);
  std::vector<Timed> one_way = m.protocols[0].times.points;
  one_way.insert(one_way.end(), m.protocols[1].times.points.begin(), m.protocols[1].times.points.end());
  const std::vector<Bytes> ends = ends_of_ranges(ranks);
  m.costs = costs_by_size(m.exchanges.points, m.adding.points, ends).text();
  m.one_way = costs_by_size(one_way, {}, ends).text();
  Record record{.version = std::string(cli::version()), .commit = std::string(cli::commit())};
  char name[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(name, &length);
  const std::string library(name, static_cast<std::size_t>(std::max(length, 0)));
  record.environment = {{"mpi", library.substr(0, library.find(','))}, {"ranks", std::to_string(ranks)}};
  record.date = now();
  record.device = {{"name", processor()}};
  report(m, record);
  if (!options.file.empty()) hwdb::write_whole(options.file, hwdb::to_json(record));
  bool verified = true;
  Result shown{.verdict = record.result.verdict, .notes = record.result.notes};
  for (Measurement& of : record.measurements) {
    verified = verified && of.verified;
    shown.tables.push_back(std::move(of.table));
  }
  std::cout << cli::to_text(shown, 100) << std::flush;
  if (!verified) throw MachineError("a message did not bring what was sent");
  return 0;
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("messages between ranks of MPI");
  app.add_option("words", options.words, "'measure message', as perfmodel was called");
  app.add_option("-o,--output", options.file, "write the run to this file (.json)");
  app.add_flag("--quick", options.quick, "fewer and shorter sizes, and one round");
  app.add_option("--longest", options.longest, "longest message and vector, 1 MiB to 1 GiB");
  app.add_option("--time-limit", options.limit, "seconds that a size may take")
      ->check([](const std::string& text) {
        constexpr double most = 3600;
        std::istringstream words(text);
        double seconds = 0;
        return words >> seconds && words.eof() && seconds >= 1 && seconds <= most
                   ? std::string()
                   : text + ": 1 to 3600 seconds are expected";
      });
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e); // --help
    throw InputError(e.what());
  }
  if (!options.file.empty() && std::filesystem::path(options.file).extension() != ".json") {
    std::cerr << "perfmodel: -o " << options.file << ": a run is written as .json\n";
    return 2;
  }
  if (!options.longest.empty()) options.most = bytes_of(options.longest);
  // Long vectors come and go: their pages are kept, or the operating system would zero new ones for each
  // probe and round.
  ::mallopt(M_MMAP_MAX, 0);
  ::mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
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
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (code == 0 || ranks == 1) // nobody is left to wait; an abort would add the library's words
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
  } catch (const perfmodel::InputError& e) {
    std::cerr << "perfmodel: " << e.what() << "\n";
    return 2;
  } catch (const std::exception& e) {
    std::cerr << "perfmodel: " << e.what() << "\n";
    return 3;
  }
}
