// The terms of docs/glossary.md, which is compiled in.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel::cli {

struct Term {
  std::vector<std::string> names; // "bank", "bank conflict": the first is the one it is listed under
  std::string meaning;
  std::vector<std::string> commands; // "perfmodel hw costs h200"
  std::vector<std::string> pages;    // "docs/how-it-works.md", as seen from the top of the tree
};

// The page as it stands.
std::string_view glossary_page();

// The rows of its table `| term | meaning | see |`. Of a model's page the first example of the model is a
// command, too, behind those that the row names. Throws std::invalid_argument for a row of other than three
// cells.
std::vector<Term> parse_glossary(std::string_view page);

// Of glossary_page(), in its order.
std::span<const Term> glossary();

// A word as terms are compared: without capitals, hyphens, blanks and plural: "Bank-conflicts" is
// "bankconflict".
std::string term_key(std::string_view word);

// The terms that `word` names: "latency" that and "latency bound"; else the bound, where it is one as the
// tool prints it, "sp pipe" or "L2, stores of single words". Empty where it names none.
std::vector<const Term*> terms_called(std::string_view word);

} // namespace perfmodel::cli
