#include "transpose_kernels.hpp"

namespace perfmodel {

namespace {

constexpr std::int64_t lanes = static_cast<std::int64_t>(warp_lanes), bytes = 4;

// The tile that a block reads: `x` columns and `y` rows of it are inside.
struct Inside {
  std::int64_t n, x, y;
};

void add(LaneAccess& access, std::int64_t lane, std::int64_t word) {
  access.address[static_cast<std::size_t>(lane)] = word * bytes;
  access.mask |= std::uint32_t{1} << lane;
}

// Blocks of 32 x 8 threads, of which each has four rows of a column of the tile.
WarpAccesses by_words(const TransposeKernel& k, std::int64_t warp, const Inside& in) {
  WarpAccesses all;
  const std::int64_t warps = k.threads / lanes;
  for (std::int64_t row = warp; row < k.side; row += warps) {
    LaneAccess load, store, to_shared, from_shared;
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      const bool reads = lane < in.x && row < in.y;
      const bool writes = k.transposes_tile ? lane < in.y && row < in.x : reads;
      if (reads) add(load, lane, k.reads_columns ? lane * in.n + row : row * in.n + lane);
      if (writes) add(store, lane, k.writes_columns ? lane * in.n + row : row * in.n + lane);
      if (k.pitch == 0) continue;
      if (reads) add(to_shared, lane, row * k.pitch + lane);
      add(from_shared, lane, k.transposes_tile ? lane * k.pitch + row : row * k.pitch + lane);
    }
    all.loads.push_back(load);
    all.stores.push_back(store);
    if (k.pitch == 0) continue;
    all.shared_stores.push_back(to_shared);
    all.shared_loads.push_back(from_shared);
  }
  return all;
}

// The four words of each vector, with one access where rows are a multiple of 16 bytes.
void add_vectors(std::vector<LaneAccess>& to, const LaneAccess& vectors, const Inside& in) {
  if (in.n % 4 == 0) return to.push_back(vectors);
  for (std::int64_t i = 0; i < 4; ++i) {
    LaneAccess word = vectors;
    for (std::int64_t& address : word.address) address += i * bytes;
    to.push_back(word);
  }
}

// 16 bytes a load and store. Vector v of row r is at v ^ (r / 4 mod 8) of its row in shared memory; a vector
// to be written is gathered from four rows.
WarpAccesses by_vectors(const TransposeKernel& k, std::int64_t warp, const Inside& in) {
  WarpAccesses all;
  all.word = in.n % 4 == 0 ? 4 * bytes : bytes;
  all.shared_store_word = 4 * bytes;
  const std::int64_t row_vectors = k.side / 4, parts = k.side / lanes, warps = k.threads / lanes;
  for (std::int64_t first = warp * lanes; first < k.side * row_vectors; first += k.threads) {
    LaneAccess load, to_shared;
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      const std::int64_t row = (first + lane) / row_vectors, vector = (first + lane) % row_vectors;
      if (row < in.y && vector * 4 < in.x) add(load, lane, row * in.n + vector * 4);
      add(to_shared, lane, row * k.pitch + (vector ^ (row / 4 % 8)) * 4);
    }
    add_vectors(all.loads, load, in);
    all.shared_stores.push_back(to_shared);
  }
  for (std::int64_t part = warp; part < k.side * row_vectors / lanes; part += warps) {
    LaneAccess store;
    std::array<LaneAccess, 4> gathered{};
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      const std::int64_t across = part % parts * 8 + lane % 8, column = part / parts * 4 + lane / 8;
      const std::int64_t at = (column / 4 ^ across % 8) * 4 + column % 4;
      for (std::int64_t i = 0; i < 4; ++i)
        add(gathered[static_cast<std::size_t>(i)], lane, (across * 4 + i) * k.pitch + at);
      if (column < in.x && across * 4 < in.y) add(store, lane, column * in.n + across * 4);
    }
    all.shared_loads.insert(all.shared_loads.end(), gathered.begin(), gathered.end());
    add_vectors(all.stores, store, in);
  }
  return all;
}

// 64 threads for each box of 32 x 32 words, 4 x 4 words each, along diagonals of the box; vector v of row r
// is at v ^ (r mod 8).
WarpAccesses by_boxes(std::int64_t warp) {
  WarpAccesses all;
  all.shared_store_word = all.shared_load_word = 4 * bytes;
  constexpr std::int64_t box_threads = 64, box_words = 1024; // 32 x 32
  const std::int64_t box = warp * lanes / box_threads;
  const auto at = [&](std::int64_t row, std::int64_t vector) {
    return box * box_words + row * 32 + (vector ^ row % 8) * 4;
  };
  for (std::int64_t i = 0; i < 4; ++i) {
    LaneAccess load, store;
    for (std::int64_t lane = 0; lane < lanes; ++lane) {
      const std::int64_t thread = warp * lanes % box_threads + lane, column = thread % 8,
                         row = column ^ thread / 8;
      add(load, lane, at(row * 4 + i, column));
      add(store, lane, at(column * 4 + i, row));
    }
    all.shared_loads.push_back(load);
    all.shared_stores.push_back(store);
  }
  return all;
}

} // namespace

TransposeKernel kernel_of(TransposeVersion version) {
  using V = TransposeVersion;
  switch (version) {
  case V::copy:
    return {};
  case V::naive:
    return {.writes_columns = true};
  case V::strided_both:
    return {.reads_columns = true, .writes_columns = true};
  case V::tile_copy:
    return {.pitch = 32};
  case V::tiled:
    return {.pitch = 32, .transposes_tile = true};
  case V::padded:
    return {.pitch = 33, .transposes_tile = true};
  case V::diagonal:
    return {.pitch = 33, .transposes_tile = true, .diagonal = true};
  case V::diagonal_unpadded:
    return {.pitch = 32, .transposes_tile = true, .diagonal = true};
  case V::vectorised:
    return {.side = 64, .threads = 512, .words = 4, .pitch = 64, .transposes_tile = true};
  case V::tensor_copy:
    break;
  }
  return {.side = 64, .words = 4, .pitch = 64, .overhead = 32, .transposes_tile = true, .by_boxes = true};
}

WarpAccesses accesses_of(const TransposeKernel& kernel, std::int64_t warp, std::int64_t n,
                         std::int64_t columns, std::int64_t rows) {
  if (kernel.by_boxes) return by_boxes(warp);
  const Inside inside{n, columns, rows};
  return kernel.words == 1 ? by_words(kernel, warp, inside) : by_vectors(kernel, warp, inside);
}

} // namespace perfmodel
