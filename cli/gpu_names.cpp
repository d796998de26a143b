#include "gpu_names.hpp"

#include "hwdb/names/driver_names.hpp"
#include "hwdb/names/gpu_names.hpp"
#include "models/core/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <vector>

namespace perfmodel::cli {

namespace {

constexpr std::array<std::string_view, 3> makers_words{"nvidia", "tesla", "geforce"};

// Small letters and digits alone.
std::string letters_of(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

// The same without what some drivers leave out: "NVIDIA Tesla T4" and "Tesla T4" are one.
std::string name_key(std::string_view text) {
  std::string key = letters_of(text);
  for (const std::string_view word : makers_words)
    if (key.starts_with(word)) key.erase(0, word.size());
  return key;
}

bool is_file(const std::string& name) {
  return name.find('/') != std::string::npos || name.ends_with(".yaml") || name.ends_with(".yml");
}

// As only drivers write them.
bool is_drivers(const std::string& name) {
  return name.find(' ') != std::string::npos || name_key(name) != letters_of(name);
}

struct Known {
  std::string gpu, title; // the database's name, the driver's
};

std::vector<Known> known_names(Context& context) {
  std::vector<Known> all;
  for (const std::string& name : context.database().names()) all.push_back({name, name});
  for (const auto& [gpu, titles] : hwdb::driver_names(context.database().root()))
    for (const std::string& title : titles) all.push_back({gpu, title});
  return all;
}

std::vector<std::string> gpus_called(const std::vector<Known>& known, const std::string& name) {
  std::vector<std::string> gpus;
  for (const Known& one : known)
    if (name_key(one.title) == name_key(name) && std::find(gpus.begin(), gpus.end(), one.gpu) == gpus.end())
      gpus.push_back(one.gpu);
  return gpus;
}

// The word of a driver's name that says which chip: "A100", "4090"; not the memory's size.
std::string model_word(std::string_view name) {
  while (!name.empty()) {
    const std::size_t end = std::min(name.find_first_of(" -"), name.size());
    const std::string word = letters_of(name.substr(0, end));
    const bool has_digit =
        std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isdigit(c); });
    if (word.size() > 1 && has_digit && !word.ends_with("gb")) return word;
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return "";
}

// " (did you mean ...?)" of a driver's name that nobody knows: cards with the same chip first.
std::string hint(const std::vector<Known>& known, const std::string& name) {
  std::vector<std::string> alike, keys;
  const std::string word = model_word(name);
  for (const Known& one : known) {
    keys.push_back(name_key(one.title));
    if (!word.empty() && name_key(one.gpu).find(word) != std::string::npos &&
        std::find(alike.begin(), alike.end(), one.gpu) == alike.end())
      alike.push_back(one.gpu);
  }
  if (!alike.empty()) return fmt::format(" (did you mean '{}'?)", fmt::join(alike, "' or '"));
  const std::string near = nearest(name_key(name), keys);
  // An L40S is no slip for a K40.
  const auto of_a_series = [&](const std::string& other) {
    return word.empty() || other.empty() || std::isdigit(static_cast<unsigned char>(word.front())) != 0 ||
           word.front() == other.front();
  };
  for (const Known& one : known)
    if (!near.empty() && name_key(one.title) == near && of_a_series(model_word(one.title)))
      return fmt::format(" (did you mean '{}'?)", one.gpu);
  return "";
}

// The names and the aliases of the database, with the one that is near to `name` in small letters.
struct Spelled {
  bool known = false;
  std::string nearest;
};

Spelled spelled(Context& context, const std::string& name) {
  std::string small = name;
  for (char& c : small) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  std::vector<std::string> all;
  for (hwdb::GpuNames& gpu : hwdb::gpu_names(context.database().root())) {
    all.push_back(std::move(gpu.name));
    all.insert(all.end(), gpu.aliases.begin(), gpu.aliases.end());
  }
  return {std::find(all.begin(), all.end(), small) != all.end(), nearest(name, all)};
}

// A name, or an alias. Of "4090", to which none is near, the cards that have it in theirs are what may have
// been meant.
Gpu known_by_name(Context& context, const std::vector<Known>& known, const std::string& name) {
  const Spelled as = spelled(context, name);
  const std::string meant = as.known || !as.nearest.empty() ? "" : hint(known, name);
  if (meant.empty()) return context.database().gpu(name); // or its sentence about an unknown one
  throw InputError(
      fmt::format("unknown GPU '{}'{}; 'perfmodel hw list' shows all", name.substr(0, 60), meant));
}

} // namespace

std::string gpu_of_driver(Context& context, const std::string& title, const std::string& cc) {
  std::vector<std::string> gpus = gpus_called(known_names(context), title);
  std::erase_if(gpus, [&](const std::string& name) {
    return !cc.empty() && context.database().gpu(name).architecture != cc;
  });
  return gpus.size() == 1 ? gpus.front() : "";
}

Gpu gpu_named(Context& context, const std::string& name) {
  if (is_file(name) || letters_of(name).empty()) return context.database().gpu(name);
  const std::vector<Known> known = known_names(context);
  const std::vector<std::string> gpus = gpus_called(known, name);
  if (gpus.size() == 1) return context.database().gpu(gpus.front());
  if (!is_drivers(name)) return known_by_name(context, known, name);
  const std::string given = name.substr(0, 60);
  if (!gpus.empty())
    throw InputError(fmt::format("'{}' is the driver's name of several cards: give '{}'", given,
                                 fmt::join(gpus, "' or '")));
  throw InputError(
      fmt::format("unknown GPU '{}'{}; 'perfmodel hw list' shows all", given, hint(known, name)));
}

} // namespace perfmodel::cli
