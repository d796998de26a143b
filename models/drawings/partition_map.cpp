// In which partition of device memory the tile of each block begins: the same one down a column is camping.
#include "kinds.hpp"

#include "input_of.hpp"
#include "models/access/partition_camping.hpp"
#include "models/core/error.hpp"
#include "models/core/trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <sstream>

namespace perfmodel {

Drawing draw_partition_map(const Gpu& gpu, const Request& request) {
  auto in = input_of<PartitionCamping::Input>(request);
  if (in.map == 0) in.map = 16;
  Plain trace;
  const PartitionCamping::Tables tables = PartitionCamping::predict(gpu, in, trace);
  const PartitionCamping::Camping& camping = std::get<0>(tables).front();
  const std::vector<PartitionCamping::Tiles>& rows = std::get<1>(tables);
  if (std::isnan(camping.partitions) || rows.empty())
    throw InputError(
        fmt::format("--draw map: addresses of {} are hashed over its partitions: there is no map", gpu.name));
  Drawing d;
  for (int partition = 0; partition < static_cast<int>(camping.partitions); ++partition)
    d.kinds.push_back({fmt::format("partition {}", partition)});
  std::set<std::size_t> first_column, first_row;
  for (std::size_t y = 0; y < rows.size(); ++y) {
    std::istringstream words(rows[y].partitions);
    std::size_t partition = 0;
    for (std::size_t x = 0; words >> partition; ++x) {
      if (x == 0) first_column.insert(partition);
      if (y == 0) first_row.insert(partition);
      d.width = std::max(d.width, static_cast<double>(x + 1));
      d.cells.push_back(
          {.left = static_cast<double>(x),
           .top = static_cast<double>(y),
           .text = fmt::format("{}", partition),
           .title = fmt::format("block ({}, {}): its tile begins in partition {}", x, y, partition),
           .kind = partition});
    }
    d.rows.push_back({static_cast<double>(y) + 0.5, fmt::format("by = {}", y)});
  }
  d.height = static_cast<double>(rows.size());
  for (int x = 0; x < static_cast<int>(d.width); ++x) d.columns.push_back({x + 0.5, fmt::format("{}", x)});
  d.title = fmt::format("Partitions of {} under the tiles of a matrix of {:.0f}{}", gpu.name, in.n,
                        in.mapping == TileMapping::diagonal ? ", dealt along diagonals" : "");
  d.verdict = {
      fmt::format("The first row of blocks begins in {} of {:.0f} partitions, the first column in {}; time "
                  "with even work over that of the busiest partition: {:.3g} %.",
                  first_row.size(), camping.partitions, first_column.size(), 100 * camping.even)};
  return d;
}

} // namespace perfmodel
