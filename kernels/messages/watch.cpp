#include "watch.hpp"

#include "models/core/error.hpp"

#include <csignal>
#include <cstring>

#include <unistd.h>

namespace perfmodel::messages {

namespace {

struct Place { // of one rank on the board
  volatile long step, alarmed;
};

// What a signal handler can reach.
constexpr int most_ranks = 1024;
Place* places[most_ranks];
int rank_of_this, number_of_ranks;
const char* volatile step_of_this = "the start";
unsigned limit;

// fmt allocates, which a handler must not.
struct Sentence {
  char text[512];
  std::size_t length = 0;
  void add(const char* more) {
    for (; *more != '\0' && length < sizeof text; ++more) text[length++] = *more;
  }
  void add(long number) {
    char digits[20];
    int n = 0;
    do digits[n++] = static_cast<char>('0' + number % 10);
    while ((number /= 10) > 0);
    while (n > 0 && length < sizeof text) text[length++] = digits[--n];
  }
  void write_and_exit() {
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text, length);
    ::_exit(3);
  }
};

void did_not_start(int) {
  Sentence s;
  s.add("perfmodel: not all ranks have started within ");
  s.add(limit);
  s.add(" s\n");
  s.write_and_exit();
}

void too_long(int) {
  const long here = places[rank_of_this]->step;
  places[rank_of_this]->alarmed = 1;
  ::sleep(2); // until those that can have said so, too
  int first = number_of_ranks;
  for (int r = number_of_ranks; r-- > 0;)
    if (places[r]->alarmed != 0) first = r;
  if (first != rank_of_this) { // one of them tells it, and the end of that one ends all
    ::sleep(5);
    ::_exit(3);
  }
  Sentence s;
  s.add("perfmodel: ");
  s.add(step_of_this);
  s.add(" has not ended within ");
  s.add(limit);
  s.add(" s: ");
  bool any = false;
  const auto name = [&](auto missing) {
    for (int r = 0; r < number_of_ranks && !any; ++r)
      if (missing(*places[r])) {
        any = true;
        for (int other = r; other < number_of_ranks; ++other)
          if (missing(*places[other])) {
            s.add(other == r ? "rank " : ", rank ");
            s.add(other);
          }
        s.add(" is missing\n");
      }
  };
  name([](const Place& p) { return p.alarmed == 0 && p.step >= 0; });
  name([&](const Place& p) { return p.step < here; });
  if (!any) s.add("all ranks have come, and wait\n");
  s.write_and_exit();
}

} // namespace

void limit_start(unsigned seconds) {
  limit = seconds;
  std::signal(SIGALRM, did_not_start);
  ::alarm(seconds);
}

Watch::Watch(MPI_Comm ranks, unsigned seconds) : seconds_(seconds) {
  MPI_Comm_rank(ranks, &rank_of_this);
  MPI_Comm_size(ranks, &number_of_ranks);
  MPI_Comm host = MPI_COMM_NULL;
  MPI_Comm_split_type(ranks, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  int on_host = 0;
  MPI_Comm_size(host, &on_host);
  MPI_Comm_free(&host);
  if (on_host != number_of_ranks)
    throw MachineError("the ranks are on several hosts; those of one are measured");
  if (number_of_ranks > most_ranks) throw MachineError("there are more than 1024 ranks");
  Place* own = nullptr;
  MPI_Win_allocate_shared(sizeof(Place), sizeof(Place), MPI_INFO_NULL, ranks, &own, &window_);
  own->step = 0;
  own->alarmed = 0;
  for (int r = 0; r < number_of_ranks; ++r) {
    MPI_Aint size = 0;
    int unit = 0;
    MPI_Win_shared_query(window_, r, &size, &unit, static_cast<void*>(&places[r]));
  }
  MPI_Barrier(ranks);
  limit = seconds;
  std::signal(SIGALRM, too_long);
}

Watch::~Watch() {
  ::alarm(0);
  MPI_Win_free(&window_);
}

void Watch::step(const char* what) {
  step_of_this = what;
  places[rank_of_this]->step = places[rank_of_this]->step + 1;
  ::alarm(seconds_);
}

} // namespace perfmodel::messages
