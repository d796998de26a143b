// How wide what is printed may be.
#pragma once

#include <cstddef>

namespace perfmodel::cli {

// Characters across an answer: the terminal's, from 40 to 160. Where the standard output is none, those of
// the variable COLUMNS, which shells export only where somebody says so; else 100, so that what is written to
// a file does not hang on who wrote it.
std::size_t text_columns();

// The same of help, which 80 columns hold where there is no terminal: people page it.
std::size_t help_columns();

// Of the standard error: the terminal's, from 40 to 160; 0 where it is none, so that programs read whole
// sentences.
std::size_t error_columns();

} // namespace perfmodel::cli
