// Rungs of the ladder of a matrix product.
#pragma once

#include "models/core/trace.hpp"
#include "models/ladders/matmul.hpp"

#include <tuple>
#include <vector>

namespace perfmodel::matmul_rungs {

using Version = MatmulVersion;

inline std::vector<Matmul::Rung> ladder(const Gpu& gpu, Count n, Count tile = 16) {
  Plain plain;
  Matmul::Input in;
  in.n = n;
  in.tile = tile;
  return std::get<0>(Matmul::predict(gpu, in, plain));
}

inline Matmul::Rung rung(const Gpu& gpu, Version version, Count n = 1024, Count tile = 16) {
  Plain plain;
  Matmul::Input in;
  in.version = version;
  in.n = n;
  in.tile = tile;
  return std::get<0>(Matmul::predict(gpu, in, plain)).front();
}

} // namespace perfmodel::matmul_rungs
