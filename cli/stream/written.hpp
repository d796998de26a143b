// The formats that have every row, written a block at a time: to the byte what to_csv, to_json and to_text
// give for the same tables held whole.
#pragma once

#include "spool.hpp"

#include "hwdb/text_file.hpp"
#include "models/core/result.hpp"
#include "models/validation/measurement.hpp"

namespace perfmodel::cli {

// `rows` are those of the result's tables that have `of_rows`.
void write_csv(const Result& result, const Spool& rows, const hwdb::Write& write);
// Every row, where the result's tables have those of `Ends`.
void write_text(const Result& result, std::size_t columns, const Spool& rows, const hwdb::Write& write);
void write_json(const Record& record, const Spool& rows, const hwdb::Write& write);

} // namespace perfmodel::cli
