// The instruction classes of the throughput table, each once.
#pragma once

#include "instruction_conversions.cuh"
#include "instruction_exchange.cuh"
#include "instruction_floats.cuh"
#include "instruction_integers.cuh"
#include "instruction_special.cuh"
