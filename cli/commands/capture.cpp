// perfmodel capture: run a program and write down what it launches on the GPU.
#include "commands.hpp"

#include "cli/examples.hpp"
#include "cli/run_program.hpp"
#include "hwdb/launches_file.hpp"
#include "hwdb/text_file.hpp"
#include "kernels/core/driver.hpp"
#include "models/core/in_words.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>
#include <set>

#include <dlfcn.h>
#include <unistd.h>

namespace perfmodel::cli {

namespace {

namespace fs = std::filesystem;

struct CaptureOptions {
  std::string file;
  bool serial = false;
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
  CaptureFolder() {
    std::string name = (fs::temp_directory_path() / "perfmodel-capture-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw MachineError("no folder can be made in " + fs::temp_directory_path().string());
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

// What each process of the program left, in the order of their starts.
CapturedLaunches captured_in(const fs::path& folder) {
  constexpr std::size_t most_bytes = std::size_t{256} << 20;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".launches") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::vector<CapturedLaunches> processes;
  std::vector<std::string> wrong;
  for (const fs::path& file : files) try {
      processes.push_back(CapturedLaunches::from_text(hwdb::read_text(file, most_bytes)));
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
  const CaptureFolder folder;
  context.out.flush();
  context.exit_code = run_program(words, {{"CUDA_INJECTION64_PATH", library.string()},
                                          {"PERFMODEL_CAPTURE_FOLDER", folder.path().string()},
                                          {"PERFMODEL_CAPTURE_SERIAL", options.serial ? "1" : ""}});
  CapturedLaunches found = captured_in(folder.path());
  found.command = fmt::format("{}", fmt::join(words, " "));
  found.serial = options.serial;
  hwdb::write_whole(target, hwdb::launches_json(found));
  context.err << "perfmodel: " << sentence_of(found, options.file) << "\n";
}

} // namespace

void add_capture_command(CLI::App& program, Context& context) {
  auto options = std::make_shared<CaptureOptions>();
  CLI::App* command = program.add_subcommand(
      "capture", "run a program and write down what it launches on the GPU in this machine");
  command->add_option("-o,--output", options->file, "write the launches to this file, for kernel --launches")
      ->required();
  command->add_flag(
      "--serial", options->serial,
      "kernels run one after the other, and tracing does not slow their blocks; each takes the time "
      "of its launch, too, which the file says");
  command->add_option("program", options->program,
                      "the program, best behind --, where its own options stand: -- ./app --size 4096");
  command->footer(examples_text({"perfmodel capture -o app.launches -- ./app 4096"}));
  command->callback([&context, options] { run(context, *options); });
}

} // namespace perfmodel::cli
