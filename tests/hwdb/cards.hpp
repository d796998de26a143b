// A GPU's file as small as it can be, and what is said about a text that is wrong.
#pragma once

#include "hwdb/fact_file.hpp"
#include "tests/models/error_of.hpp"

#include <string>
#include <string_view>

namespace perfmodel::hwdb {

inline const Sources sources{
    {"manual", "Board manual"}, {"manuel", "Manuel, private"}, {"lecture", "A lecture"}};

// Line 6 is the first fact.
inline const std::string card =
    "name: card\n"
    "title: My card\n"
    "aliases: [c]\n"
    "architecture: \"3.5\"\n"
    "facts:\n"
    "  sm_count: {value: 14, status: datasheet, source: manual}\n"
    "  dram.bandwidth: {value: 288 GB/s, status: derived, source: manual, note: bus x rate}\n";

inline Gpu parse(const std::string& text) { return parse_facts(text, "card.yaml", FileKind::gpu, sources); }
inline std::string why(const std::string& text) {
  return error_of([&] { parse(text); });
}
// The card with one more line of facts, which is line 8.
inline std::string why_fact(const std::string& line) { return why(card + "  " + line + "\n"); }

// `text` with the first `from` replaced.
inline std::string with(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  return at == std::string::npos ? "the test replaces what is not there: " + std::string(from)
                                 : text.replace(at, from.size(), to);
}

} // namespace perfmodel::hwdb
