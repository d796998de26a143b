// That an access to shared memory without bank conflicts is one of a single word, which all threads share.
#pragma once

#include "models/core/model.hpp"
#include "models/core/result.hpp"

namespace perfmodel::cli {

// A sentence of the verdict of `bank-conflicts`, where the stride or the index asks for one word alone.
void say_broadcast(const Model& model, const Request& request, Result& result);

} // namespace perfmodel::cli
