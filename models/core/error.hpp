// The two ways a question can fail. Only cli/ catches; the text is one sentence the user can act on.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace perfmodel {

// The input is wrong (usage, file, unit, unknown name): exit code 2.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A model needs a fact that the device's files lack; the sentence names both.
struct MissingFact : InputError {
  MissingFact(const std::string& sentence, std::string_view missing) : InputError(sentence), path(missing) {}
  std::string path;
};

// The kernel of one point cannot run on the device: a sweep goes on without the point, and says so.
struct LaunchError : InputError {
  using InputError::InputError;
};

// Of a kernel nothing can be said: an instruction is not known, or what it costs, a way or an address rests
// on what is loaded, a block takes too long.
struct RefusedKernel : InputError {
  using InputError::InputError;
};

// The machine cannot do it (no GPU, no toolkit, no permission): exit code 3.
struct MachineError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What the user wrote, as a sentence can show it: in quotes, cut short, without control characters.
std::string quoted(std::string_view text);

} // namespace perfmodel
