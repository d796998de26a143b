// A result in each format: one format = one function. JSON is hwdb/result_file.hpp, pictures are plots/.
#pragma once

#include "hwdb/text_file.hpp"
#include "models/core/result.hpp"

#include <functional>
#include <string>

namespace perfmodel::cli {

// Of a long comparison, the rows that a reader looks for, or every one.
enum class Shown { excerpt, all };

// For people: the verdict, tables that fit `columns`, the derivation when there is one, and what the numbers
// mean.
std::string to_text(const Result& result, std::size_t columns, Shown shown = Shown::excerpt);
// The same piece by piece. `write_rows` lays out all rows of a table that is not held, of which `shown` has
// the columns.
using WriteRows = std::function<void(const Table& table, const Table& shown)>;
void write_text(const Result& result, std::size_t columns, Shown shown, const hwdb::Write& write,
                const WriteRows& write_rows);

// The verdict in lines that begin with "# ", which readers are told to pass over (pandas: comment="#"); then
// RFC 4180, base units in the header ("bandwidth [B/s]"), exact numbers; several tables are parted by an
// empty line, each below its "# title".
std::string to_csv(const Result& result);
// Its two parts: what comes before a table's rows, where `table` is one of the result's; and the rows, which
// may come in several blocks. A column of one cell has it in all of the `rows`.
void add_csv_head(std::string& out, const Result& result, const Table& table);
void add_csv_rows(std::string& out, const Table& table, std::size_t rows);

// The verdict and tables for a page, numbers as people write them.
std::string to_markdown(const Result& result, Shown shown = Shown::excerpt);

// The same for a paper: each table a `table` with a `tabular` of booktabs' rules, and a caption; the verdict
// and the notes are comments. It is to be \input, and needs \usepackage{booktabs}, and longtable where a
// table is longer than a page.
std::string to_latex(const Result& result, Shown shown = Shown::excerpt);

} // namespace perfmodel::cli
