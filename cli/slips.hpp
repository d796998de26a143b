// Where an answer meets a slip of a lecture: the register's entry, as a note of the answer.
#pragma once

#include "hwdb/slip_file.hpp"
#include "models/core/gpu.hpp"
#include "models/core/result.hpp"
#include "models/core/row_sink.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel::cli {

// "R. Giorgi, slide 25, prints: ... Right: ... Why: ... See 'perfmodel slips giorgi-3-blocks'."
std::string note_of(const hwdb::Slip& slip);

// Which slips an answer meets: those of its model and its GPUs, once a row that an entry names was among the
// rows that were looked at. Of a sweep that no one holds these are the rows as they pass (SlipLookout).
class SlipsMet {
public:
  SlipsMet(std::string_view model, std::span<const Gpu> gpus, const std::vector<hwdb::Slip>& slips);

  void look(const Table& rows);
  // A note for each slip that is met, in the order of the register.
  void note(Result& result) const;

private:
  struct Entry {
    const hwdb::Slip* slip;
    const hwdb::SlipMet* met;
    std::vector<std::string> gpus; // of the answer that the entry concerns
    bool is_met;
  };
  std::vector<Entry> entries_;
};

// Hands the rows of a sweep on to `to`, and has them looked at.
class SlipLookout final : public RowSink {
public:
  SlipLookout(RowSink& to, SlipsMet& met) : RowSink(to.block_rows), to_(to), met_(met) {}

  void take(std::size_t table, const Table& rows) override {
    met_.look(rows);
    to_.take(table, rows);
  }
  Table close(std::size_t table, const std::vector<bool>& kept) override { return to_.close(table, kept); }

private:
  RowSink& to_;
  SlipsMet& met_;
};

} // namespace perfmodel::cli
