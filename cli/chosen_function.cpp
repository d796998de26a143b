#include "chosen_function.hpp"

#include "models/core/error.hpp"
#include "models/core/model.hpp"
#include "models/core/utf8.hpp"
#include "models/kernel/listing.hpp"
#include "models/views/same_kernel.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

namespace perfmodel::cli {

namespace {

// "matmul_tiled<16>", without the namespaces before it, as `same_name` takes it.
std::string instance_of(const std::string& name) {
  const std::string whole = written_instance(name);
  const std::size_t at = whole.find(written_name(name) + "<");
  return at == std::string::npos ? written_name(name) : whole.substr(at);
}

// The functions by their names; those that have one name by their template arguments.
std::string functions_in_words(const std::vector<std::string>& names) {
  constexpr std::size_t shown = 8;
  const auto is_called_alike = [&](const std::string& other) {
    return written_name(other) == written_name(names.front());
  };
  const bool by_arguments = std::all_of(names.begin(), names.end(), is_called_alike);
  std::set<std::string> words;
  for (const std::string& name : names)
    words.insert("'" + printable(by_arguments ? instance_of(name) : written_name(name)) + "'");
  const std::vector<std::string> first(
      words.begin(), std::next(words.begin(), static_cast<std::ptrdiff_t>(std::min(shown, words.size()))));
  const std::size_t more = words.size() - first.size();
  return fmt::format("{}{}", fmt::join(first, ", "), more > 0 ? fmt::format(" and {} more", more) : "");
}

} // namespace

std::string chosen_function(std::string_view listing, const std::string& given) {
  const std::vector<std::string> all = functions_of(listing);
  const std::set<std::string> names(all.begin(), all.end()); // one may be there for several architectures
  if (names.size() < 2 || names.contains(given)) return given;
  std::vector<std::string> called, holding;
  for (const std::string& name : names) {
    if (instance_of(name) == given) return name;
    if (!given.empty() && same_name(name, given) != SameName::no) called.push_back(name);
    if (name.find(given) != std::string::npos) holding.push_back(name);
  }
  if (called.size() == 1) return called.front();
  if (called.empty() && holding.size() == 1) return given;
  if (given.empty())
    throw InputError(fmt::format("--kernel is missing: which of the listing's {} functions, {}?",
                                 names.size(), functions_in_words(holding)));
  if (called.empty() && holding.empty()) {
    std::vector<std::string> known;
    for (const std::string& name : names) known.push_back(written_name(name));
    throw InputError(fmt::format("--kernel: no function of this listing is named {}{}; it has {}",
                                 perfmodel::quoted(given), suggestion(given, known),
                                 functions_in_words({names.begin(), names.end()})));
  }
  throw InputError(fmt::format("--kernel: {} may be one of {}", perfmodel::quoted(given),
                               functions_in_words(called.empty() ? holding : called)));
}

} // namespace perfmodel::cli
