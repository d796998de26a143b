// perfmodel capture: run a program and write down what it launches on the GPU.
#include "commands.hpp"

#include "cli/append_file.hpp"
#include "cli/completion/values.hpp"
#include "cli/examples.hpp"
#include "cli/option_groups.hpp"
#include "cli/run_program.hpp"
#include "hwdb/launches_file.hpp"
#include "hwdb/text_file.hpp"
#include "kernels/core/driver.hpp"
#include "models/core/in_words.hpp"

#include <CLI/CLI.hpp>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <ostream>
#include <set>
#include <utility>

#include <dlfcn.h>
#include <unistd.h>

namespace perfmodel::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* kept_of_allocation = "268435456"; // bytes, at most

struct CaptureOptions {
  std::string file;
  bool serial = false, data = false;
  std::vector<std::string> program; // of words that are no options; others stand behind --
};

// Where the launcher built it, else beside this program. Throws NeedsCaptureLibrary, or MachineError where it
// cannot be loaded: the driver would leave it out without a word.
fs::path capture_library() {
  std::error_code none;
  fs::path library = fs::read_symlink("/proc/self/exe", none).parent_path() / "perfmodel-capture.so";
  if (const char* built = std::getenv("PERFMODEL_CAPTURE"))
    library = built;
  else if (std::getenv("PERFMODEL_LAUNCHER") != nullptr) // which knows whether it is up to date
    throw NeedsCaptureLibrary();
  if (!fs::exists(library, none)) throw NeedsCaptureLibrary();
  void* const handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr)
    throw MachineError(fmt::format("what capture injects cannot be loaded: {}", ::dlerror()));
  ::dlclose(handle);
  return library;
}

// A folder of this run's own, gone afterwards.
class CaptureFolder {
public:
  explicit CaptureFolder(const fs::path& within) {
    std::string name = (within / "perfmodel-capture-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw MachineError("no folder can be made in " + within.string());
    path_ = name;
  }
  CaptureFolder(const CaptureFolder&) = delete;
  CaptureFolder& operator=(const CaptureFolder&) = delete;
  ~CaptureFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

private:
  fs::path path_;
};

// Puts what a process kept of memory behind what others did, in one file; where that fails, as on a full
// disk, its launches stay without, and a note says so.
void gather_memory(CapturedLaunches& process, const fs::path& all) {
  const fs::path own = std::exchange(process.memory, "");
  std::error_code none;
  if (own.empty() || !fs::exists(own, none)) return;
  const std::optional<std::uint64_t> before = append_file(own, all);
  for (CapturedLaunch& launch : process.launches)
    if (before)
      for (CapturedContents& held : launch.contents) held.at += *before;
    else
      launch.contents.clear();
  if (!before)
    process.notes.push_back(fmt::format("what a process kept of memory is left out: {} cannot be written, is "
                                        "the disk full?",
                                        all.parent_path().parent_path().string()));
}

// What each process of the program left, in the order of their starts; what they kept of memory in one file.
CapturedLaunches captured_in(const fs::path& folder, const fs::path& memory) {
  constexpr std::size_t most_bytes = std::size_t{256} << 20;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".launches") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<CapturedLaunches> processes;
  std::vector<std::string> wrong;
  for (const fs::path& file : files) try {
      processes.push_back(CapturedLaunches::from_text(hwdb::read_text(file, most_bytes)));
      gather_memory(processes.back(), memory);
    } catch (const InputError& e) {
      wrong.push_back(fmt::format("a process's launches cannot be read: {}", e.what()));
    }
  CapturedLaunches all = merged(processes);
  all.notes.insert(all.notes.end(), wrong.begin(), wrong.end());
  return all;
}

std::string sentence_of(const CapturedLaunches& found, const std::string& file) {
  if (found.launches.empty() && found.notes.empty())
    return "the program launched no kernel; " + file + " says so";
  std::set<std::string> kernels;
  for (const CapturedLaunch& launch : found.launches) kernels.insert(launch.kernel);
  std::string text = fmt::format("{} distinct {} of {} in {}", found.launches.size(),
                                 found.launches.size() == 1 ? "launch" : "launches",
                                 in_words(static_cast<double>(kernels.size()), "kernels"), file);
  if (found.left_out > 0) text += fmt::format("; {} more are left out", found.left_out);
  if (!found.complete) text += "; a process was ended from outside, so counts and times may be missing";
  for (const std::string& note : found.notes) text += "; " + note;
  return text;
}

void run(Context& context, const CaptureOptions& options) {
  std::vector<std::string> words = options.program;
  words.insert(words.end(), context.program_words.begin(), context.program_words.end());
  if (words.empty())
    throw InputError(
        "capture: the program to run is missing: 'perfmodel capture -o app.launches -- ./app 4096'");
  const fs::path target = fs::absolute(options.file);
  if (!fs::is_directory(target.parent_path()) || fs::is_directory(target))
    throw InputError(fmt::format("-o {}: a file is expected, in a folder that is there", options.file));
  const kernels::Driver gpu; // throws where there is none
  const fs::path library = capture_library();
  // Contents of memory are large: they are written where they will stay.
  const CaptureFolder folder(options.data ? target.parent_path() : fs::temp_directory_path());
  context.out.flush();
  context.exit_code =
      run_program(words, {{"CUDA_INJECTION64_PATH", library.string()},
                          {"PERFMODEL_CAPTURE_FOLDER", folder.path().string()},
                          {"PERFMODEL_CAPTURE_SERIAL", options.serial ? "1" : ""},
                          {"PERFMODEL_CAPTURE_DATA", options.data ? kept_of_allocation : "0"}});
  const fs::path memory = folder.path() / "memory";
  CapturedLaunches found = captured_in(folder.path(), memory);
  found.command = fmt::format("{}", fmt::join(words, " "));
  found.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  found.serial = options.serial;
  if (fs::exists(memory)) {
    const fs::path beside = target.string() + ".memory";
    fs::rename(memory, beside);
    found.memory = beside.filename().string();
  }
  hwdb::write_whole(target, hwdb::launches_json(found));
  context.err << "perfmodel: " << sentence_of(found, options.file) << "\n";
}

} // namespace

void add_capture_command(CLI::App& program, Context& context) {
  auto options = std::make_shared<CaptureOptions>();
  CLI::App* command = program.add_subcommand(
      "capture", "run a program and write down what it launches on the GPU in this machine");
  command->option_defaults()->group(option_group::answer);
  command->add_option("-o,--output", options->file, "write the launches to this file, for kernel --launches")
      ->type_name(file_value)
      ->required();
  command->option_defaults()->group(option_group::question);
  command->add_flag(
      "--serial", options->serial,
      "kernels run one after the other, and tracing does not slow their blocks; each takes the time "
      "of its launch, too, which the file says");
  command->add_flag(
      "--data", options->data,
      "what memory held when each launch came first is kept, too (allocations up to 256 MiB, and "
      "the first part of larger ones, in a file beside the other): kernels whose ways go by it can then be "
      "followed");
  command->add_option("program", options->program,
                      "the program, best behind --, where its own options stand: -- ./app --size 4096");
  command->footer(examples_text({"perfmodel capture -o app.launches -- ./app 4096",
                                 "perfmodel capture --serial --data -o app.launches -- ./app 4096"}));
  command->callback([&context, options] { run(context, *options); });
}

} // namespace perfmodel::cli
