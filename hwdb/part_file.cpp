#include "part_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <iterator>
#include <type_traits>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace perfmodel::hwdb {

namespace {

// SIGXFSZ is not waited for: where it is ignored, the write that goes beyond the limit fails and is told.
constexpr int deadly[] = {SIGINT, SIGTERM, SIGHUP, SIGXFSZ};

// What the handler may touch: it must not allocate, lock or throw (signal-safety(7)).
const char* volatile unfinished = nullptr;
const struct sigaction* volatile earlier = nullptr; // of each signal of `deadly`

extern "C" void remove_unfinished(int signal) {
  const int kept = errno;
  if (const char* name = unfinished) ::unlink(name);
  unfinished = nullptr;
  for (std::size_t i = 0; i < std::size(deadly); ++i)
    if (deadly[i] == signal && earlier != nullptr) ::sigaction(signal, earlier + i, nullptr);
  ::raise(signal); // held back until this function returns, then what it did before
  errno = kept;
}

// No signal comes between a file and the note that it is there.
class Quiet {
public:
  Quiet() {
    sigset_t all;
    sigemptyset(&all);
    for (const int signal : deadly) sigaddset(&all, signal);
    ::pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
  ~Quiet() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

private:
  sigset_t before_;
};

} // namespace

PartFile::PartFile(const std::filesystem::path& folder)
    : name_((folder / ".perfmodel-XXXXXX").string()) { // short: a file's own name may be 255 bytes long
  const Quiet quiet;
  file_ = ::mkostemp(name_.data(), O_CLOEXEC);
  if (file_ < 0) return;
  static_assert(std::size(deadly) == std::extent_v<decltype(before_)>);
  is_made_ = true;
  unfinished = name_.c_str();
  earlier = before_;
  for (std::size_t i = 0; i < std::size(deadly); ++i) {
    struct sigaction removing {};
    removing.sa_handler = deadly[i] == SIGXFSZ ? SIG_IGN : remove_unfinished;
    sigemptyset(&removing.sa_mask);
    ::sigaction(deadly[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) ::sigaction(deadly[i], &removing, nullptr);
  }
}

void PartFile::forget() {
  unfinished = nullptr;
  for (std::size_t i = 0; i < std::size(deadly); ++i) ::sigaction(deadly[i], &before_[i], nullptr);
  earlier = nullptr;
  is_made_ = false;
}

int PartFile::take_place_of(const std::string& path) {
  const Quiet quiet;
  if (::close(std::exchange(file_, -1)) != 0) return errno;
  if (::rename(name_.c_str(), path.c_str()) != 0) return errno;
  forget();
  return 0;
}

PartFile::~PartFile() {
  const Quiet quiet;
  if (file_ >= 0) ::close(file_);
  if (!is_made_) return;
  if (unfinished != nullptr) ::unlink(name_.c_str()); // else a signal did, and the program went on
  forget();
}

} // namespace perfmodel::hwdb
