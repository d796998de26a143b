// The sentence a user reads when `question` is wrong; "no error" when it is not.
#pragma once

#include "models/core/error.hpp"

#include <string>

namespace perfmodel {

template <class Question> std::string error_of(Question question) {
  try {
    question();
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

} // namespace perfmodel
