// That an access to shared memory without bank conflicts is one of a single word, which all threads share.
#pragma once

#include "models/core/model.hpp"
#include "models/core/result.hpp"

namespace perfmodel::cli {

// A sentence of the verdict of `bank-conflicts`, where the stride or the index asks for one word alone.
void say_broadcast(const Model& model, const Request& request, Result& result);

// Below a picture of coalescing in which a bandwidth is more than the pins of device memory deliver: why. "":
// none is, or another column is drawn.
std::string why_above_the_pins(const Model& model, std::span<const Gpu> gpus, const std::string& drawn,
                               const Result& result);

} // namespace perfmodel::cli
