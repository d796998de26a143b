#include "cli/run.hpp"

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <new>
#include <string_view>
#include <system_error>

#include <unistd.h>

namespace {

// At once, and without unwinding: destructors that need memory themselves would end in std::terminate.
void say_that_memory_is_short() {
  constexpr std::string_view sentence = "perfmodel: not enough memory for this request\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, sentence.data(), sentence.size());
  ::_exit(3);
}

void replace_by(std::vector<std::string> words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  std::cout.flush();
  ::execv(words.front().c_str(), pointers.data()); // returns when there is no such program
}

// The launcher, where it started this program, builds perfmodel-measure first if need be; elsewhere it was
// built and installed with this program, or was not.
void start_measuring(const std::vector<std::string>& arguments, const std::string& what) {
  std::vector<std::string> words;
  std::error_code none;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", none);
  if (what == "mpi") {
    words = {self.parent_path() / "perfmodel-messages"};
  } else if (const char* launcher = std::getenv("PERFMODEL_LAUNCHER")) {
    words = {launcher, "--measure-on", what};
    if (what == "capture") words = {launcher, "--capture"};
  } else if (what == "capture") {
    return; // it was built and installed with this program, or was not
  } else {
    words = {self.parent_path() / "perfmodel-measure"};
  }
  words.insert(words.end(), arguments.begin(), arguments.end());
  replace_by(std::move(words));
}

} // namespace

int main(int argc, char** argv) {
  std::set_new_handler(say_that_memory_is_short);
  const int code = perfmodel::cli::run({argv + 1, argv + argc}, std::cout, std::cerr, start_measuring);
  if (std::cout.flush()) return code;
  std::cerr << "perfmodel: the answer cannot be written to the standard output\n";
  return 3;
}
