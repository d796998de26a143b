#include "run_program.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace perfmodel::cli {

namespace {

// What the terminal sends goes to all that runs in it, the program too: then this process only waits on.
constexpr std::array by_terminal{SIGINT, SIGQUIT};
constexpr std::array passed_on{SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};

std::atomic<pid_t> started{0};

void pass_on(int signal) {
  if (const pid_t program = started.load(); program > 0) ::kill(program, signal);
}

// How signals are taken while the program runs; as before afterwards.
class SignalsMeanwhile {
public:
  SignalsMeanwhile() {
    std::size_t i = 0;
    for (const int signal : by_terminal) set(signal, SIG_IGN, before_[i++]);
    for (const int signal : passed_on) set(signal, pass_on, before_[i++]);
  }
  SignalsMeanwhile(const SignalsMeanwhile&) = delete;
  SignalsMeanwhile& operator=(const SignalsMeanwhile&) = delete;
  ~SignalsMeanwhile() {
    std::size_t i = 0;
    for (const int signal : by_terminal) ::sigaction(signal, &before_[i++], nullptr);
    for (const int signal : passed_on) ::sigaction(signal, &before_[i++], nullptr);
  }
  // Those that the program is to take as this process did before. What was ignored stays so, as under nohup.
  sigset_t defaults() const {
    sigset_t set;
    sigemptyset(&set);
    for (std::size_t i = 0; i < by_terminal.size(); ++i)
      if (before_[i].sa_handler != SIG_IGN) sigaddset(&set, by_terminal[i]);
    return set;
  }

private:
  static void set(int signal, void (*how)(int), struct sigaction& before) {
    struct sigaction action {};
    action.sa_handler = how;
    action.sa_flags = SA_RESTART;
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
  }
  std::array<struct sigaction, by_terminal.size() + passed_on.size()> before_{};
};

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_with(const std::map<std::string, std::string>& variables) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string text = *entry;
    if (!variables.contains(text.substr(0, text.find('=')))) all.push_back(text);
  }
  for (const auto& [name, value] : variables) {
    std::string entry = name;
    entry += "=" + value;
    all.push_back(std::move(entry));
  }
  return all;
}

} // namespace

int run_program(const std::vector<std::string>& words, const std::map<std::string, std::string>& variables) {
  std::vector<std::string> own_words = words, environment = environment_with(variables);
  const SignalsMeanwhile signals;
  // A signal that comes before the program's number is known waits until it is.
  sigset_t later, before;
  sigemptyset(&later);
  for (const int signal : passed_on) sigaddset(&later, signal);
  ::pthread_sigmask(SIG_BLOCK, &later, &before);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  const sigset_t defaults = signals.defaults();
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setsigmask(&attributes, &before);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  pid_t program = 0;
  const int error = posix_spawnp(&program, words.front().c_str(), nullptr, &attributes,
                                 pointers_to(own_words).data(), pointers_to(environment).data());
  posix_spawnattr_destroy(&attributes);
  started = error == 0 ? program : 0;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (error != 0)
    throw InputError(
        fmt::format("{} cannot be started: {}", perfmodel::quoted(words.front()), std::strerror(error)));
  int status = 0;
  while (::waitpid(program, &status, 0) < 0 && errno == EINTR) {
  }
  started = 0;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

} // namespace perfmodel::cli
