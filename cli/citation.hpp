// How the program is cited, as CITATION.cff says, which is compiled in; and the texts that its numbers come
// from.
#pragma once

#include "models/core/gpu.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace perfmodel::cli {

// CITATION.cff as it stands.
std::string_view citation_file();

struct Citation {
  std::string title, version, licence; // licence: its SPDX name
  std::vector<std::string> authors;
};
// Throws InputError: no text in the Citation File Format with title, version, license and named authors.
Citation parse_citation(std::string_view text);

// The sources that a fact's record names.
std::vector<std::string> sources_named(const std::string& sources);

// A work whose numbers or formulas are used, and what for: "12 facts of h200".
struct CitedWork {
  std::string of; // a GPU or a model
  std::string work, used_for;
};
// Of the facts that go into answers, not of readings that lost against them, nor of unverified ones; in the
// order of `hw show`. Our own probes are one work.
std::vector<CitedWork> works_behind(const Gpu& gpu);

// "h200: 313 facts, 24 datasheet, 240 measured, 3 unverified. Unverified ones have no source to be cited."
std::string facts_by_status(const Gpu& gpu);

// An entry for the program and one for each work, for LaTeX. `revision`: of the program.
std::string to_bibtex(const Citation& citation, const std::string& revision,
                      const std::vector<CitedWork>& works);

} // namespace perfmodel::cli
