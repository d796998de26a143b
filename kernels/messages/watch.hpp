// A time limit for every step of a communication probe: MPI itself waits for ever for a rank that does not
// come. Ranks write how far they are on a board in memory that all of them share; when a step takes longer
// than the limit, SIGALRM stops the program, and the sentence names the ranks that are missing: those that do
// not even answer the signal, else those that have not come to the step.
#pragma once

#include <mpi.h>

namespace perfmodel::messages {

// Before MPI_Init, which may wait for a rank that never starts. Seconds.
void limit_start(unsigned seconds);

class Watch {
public:
  // All ranks of `ranks` must be on one host, and call it. Throws MachineError where they are not.
  Watch(MPI_Comm ranks, unsigned seconds);
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch();

  // This rank has come to the next step, called `what` (a literal): the limit begins anew.
  void step(const char* what);

private:
  MPI_Win window_ = MPI_WIN_NULL;
  unsigned seconds_;
};

} // namespace perfmodel::messages
