// A stencil of seven points on a cube of doubles, one point a thread, x along the lanes of a warp.
#pragma once

namespace perfmodel::templates {

// Points on the faces of the cube are left as they are.
__global__ void stencil7(const double* in, double* out, int n, double centre, double side) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int z = static_cast<int>(blockIdx.z);
  if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1) return;
  const size_t row = static_cast<size_t>(n), plane = row * row, at = z * plane + y * row + x;
  out[at] = centre * in[at] +
            side * (in[at - 1] + in[at + 1] + in[at - row] + in[at + row] + in[at - plane] + in[at + plane]);
}

} // namespace perfmodel::templates
