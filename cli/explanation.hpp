// What the tool says about a word: a term of the glossary, a fact's name, a model's name.
#pragma once

#include "models/core/result.hpp"

#include <string>
#include <string_view>

namespace perfmodel::cli {

// A table of each kind of thing that is called so; their columns "ask" and "read" are commands and pages,
// with "; " between them. Throws InputError, with the nearest words, where nothing is.
Result explanation(std::string_view word);

bool is_explained(std::string_view word);

// The same for a screen of so many columns.
std::string explanation_text(const Result& explained, std::size_t columns);

// All terms with their meanings, and their names alone for a screen.
Result every_term();
std::string every_term_text(std::size_t columns);

} // namespace perfmodel::cli
