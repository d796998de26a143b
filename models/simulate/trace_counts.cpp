#include "block_trace.hpp"

namespace perfmodel {

void TraceCounts::add(const TraceCounts& o, double times) {
  instructions += times * o.instructions;
  lanes += times * o.lanes;
  load_sectors += times * o.load_sectors;
  store_sectors += times * o.store_sectors;
  load_requests += times * o.load_requests;
  store_requests += times * o.store_requests;
  load_transactions += times * o.load_transactions;
  store_transactions += times * o.store_transactions;
  store_lines += times * o.store_lines;
  store_lines_in_part += times * o.store_lines_in_part;
  load_moved += times * o.load_moved;
  parts += times * o.parts;
  l2_read_sectors += times * o.l2_read_sectors;
  shared_wavefronts += times * o.shared_wavefronts;
  shared_least += times * o.shared_least;
  branches += times * o.branches;
  divergent += times * o.divergent;
  atomics += times * o.atomics;
}

void LocalTraffic::add(const LocalTraffic& o, double times) {
  read += times * o.read;
  changed += times * o.changed;
  written += times * o.written;
  touched += times * o.touched;
  read_lines += times * o.read_lines;
  changed_lines += times * o.changed_lines;
}

} // namespace perfmodel
