#include "given_file.hpp"

#include "hwdb/launches_file.hpp"
#include "hwdb/text_file.hpp"
#include "models/core/error.hpp"
#include "models/kernel/listing.hpp"
#include "models/parallel/node_graph.hpp"
#include "models/views/kernel.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

namespace perfmodel::cli {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_bytes = std::size_t{512} << 20; // listings of machine code are long

std::vector<std::string> names_in(const fs::path& folder, const std::string& extension) {
  std::vector<std::string> names;
  std::error_code none; // a database of the user's may have no such folder
  for (const auto& entry : fs::directory_iterator(folder, none))
    if (entry.path().extension() == extension) names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

// What others call the templates, among them this program's own ladders.
constexpr auto other_names =
    std::to_array<std::pair<std::string_view, std::string_view>>({{"reduction", "sum"},
                                                                  {"reduce", "sum"},
                                                                  {"matmul", "gemm"},
                                                                  {"matvec", "gemv"},
                                                                  {"stencil", "stencil7"},
                                                                  {"softmax-three-pass", "softmax"},
                                                                  {"softmax-3pass", "softmax"},
                                                                  {"softmax-2pass", "softmax-two-pass"},
                                                                  {"histogram-shared", "histogram"},
                                                                  {"spmv-csr", "spmv"}});

std::string meant(const std::string& word, const std::vector<std::string>& names) {
  for (const auto& [other, name] : other_names)
    if (word == other && std::find(names.begin(), names.end(), name) != names.end())
      return fmt::format(" (did you mean '{}'?)", name);
  return suggestion(word, names);
}

} // namespace

std::vector<std::string> given_names(Context& context, const Option& option) {
  if (option.kind != OptionKind::file || option.shipped_in == CapturedLaunches::shipped_in) return {};
  if (option.shipped_in == NodeGraph::shipped_in) return context.database().node_names();
  const bool listings = option.shipped_in == Listing::shipped_in;
  std::vector<std::string> names =
      names_in(context.database().root() / option.shipped_in, listings ? ".sass" : ".txt");
  if (listings) // template_inputs.hpp
    for (std::string& name : context.database().template_names()) names.push_back(std::move(name));
  return names;
}

std::string given_text(Context& context, const Option& option, const std::string& word) {
  if (option.shipped_in == NodeGraph::shipped_in) return context.database().node(word).text();
  if (option.shipped_in == CapturedLaunches::shipped_in) return hwdb::read_launches(word).text();
  if (word.find_first_of("/.") != std::string::npos) {
    std::string text = hwdb::read_text(word, most_bytes);
    if (option.shipped_in == Listing::shipped_in && functions_of(text).empty())
      throw InputError(
          fmt::format("{} is no listing of machine code: no function is in it, 'Function : NAME' of "
                      "cuobjdump -sass or '.text.NAME:' of nvdisasm",
                      word));
    return text;
  }
  const std::string extension = option.shipped_in == Listing::shipped_in ? ".sass" : ".txt";
  const fs::path file = context.database().root() / option.shipped_in / (word + extension);
  std::error_code failed;
  if (!fs::exists(file, failed)) {
    const std::vector<std::string> names = given_names(context, option);
    throw InputError(fmt::format("--{}: unknown name '{}'{}; one of {} is expected, or a file's path such as "
                                 "./{}{}",
                                 option.name, word.substr(0, 60), meant(word, names),
                                 names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")),
                                 word.substr(0, 60), extension));
  }
  return hwdb::read_text(file, most_bytes);
}

} // namespace perfmodel::cli
