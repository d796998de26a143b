// What the subcommands of `perfmodel hw` share. Each has a file of its own beside this one.
#pragma once

#include "cli/answer.hpp"
#include "cli/context.hpp"
#include "models/core/fact.hpp"
#include "models/core/table.hpp"

#include <string>
#include <vector>

namespace perfmodel::cli::hw {

struct Options {
  AnswerOptions answer;
  std::string name, other, measured_file;
  std::vector<std::string> set, facts;
  bool all = false;
};

void list(Context& context, const Options& options);
void show(Context& context, const Options& options);
void runs(Context& context, const Options& options);
void costs(Context& context, const Options& options);
void diff(Context& context, const Options& options);
void check(Context& context, const Options& options);
void keys(Context& context, const Options& options);
void detect(Context& context, const Options& options);

// A fact's value as people read it: "384 bit", "768 KiB", "177.4 GB/s", "GDDR5".
std::string value_text(const KeyInfo& key, const FactRecord& fact);

// The same for programs: the number in the unit base_symbol() gives, NaN of what is no single number; and
// what it is instead, a word or a list of numbers.
double base_value(const KeyInfo& key, const FactRecord& fact);
std::string base_text(const KeyInfo& key, const FactRecord& fact);

// Its unit, "word" of a text; the range, in that unit, outside of which a file's value is taken for a slip;
// and the models that read it, or why none does.
std::string unit_text(const KeyInfo& key);
std::string range_text(const KeyInfo& key);
std::string readers_text(const KeyInfo& key);

inline Column text_column(const std::string& name, Role role = Role::note) {
  return {.name = name, .role = role, .cells = std::vector<std::string>{}};
}
inline Column number_column(const std::string& name, const Unit& unit) {
  return {.name = name, .unit = unit, .cells = std::vector<double>{}};
}

} // namespace perfmodel::cli::hw
