// What of an SM a kernel uses that not every kernel does, as its machine code says.
#pragma once

#include "models/kernel/listing.hpp"

namespace perfmodel {

// What of an SM a program uses that not every program does: the costs of the rest are not asked for.
struct UsedParts {
  bool barriers = true, shared_memory = true, atomics = true;
  bool fences = false, shared_atomics = false, commits = false;
  bool lets_next_begin = false;                        // griddepcontrol.launch_dependents
  bool held_by_global = false, held_by_shared = false; // registers, by stores, until these have read them
};

UsedParts used_by(const KernelCode& code);

} // namespace perfmodel
