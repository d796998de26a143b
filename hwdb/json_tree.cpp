#include "json_tree.hpp"

#include "models/core/error.hpp"
#include "models/core/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace perfmodel::hwdb {

namespace {

constexpr std::size_t deepest = 50; // far deeper than any file of ours, shallower than any stack

// nlohmann's parser calls these in the order of the text.
// NOLINTNEXTLINE(bugprone-exception-escape): as JsonTree
class TreeBuilder {
public:
  JsonTree tree;

  bool null() { return is_apart() ? cell(absent) : add(nullptr); }
  bool boolean(bool value) { return is_apart() ? refuse() : add(value); }
  bool number_integer(std::int64_t value) { return is_apart() ? whole(value) : add(value); }
  bool number_unsigned(std::uint64_t value) {
    if (!is_apart()) return add(value);
    return value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())
               ? whole(static_cast<std::int64_t>(value))
               : cell(static_cast<double>(value));
  }
  bool number_float(double value, const std::string&) { return is_apart() ? cell(value) : add(value); }
  bool string(std::string& value) { return is_apart() ? word(std::move(value)) : add(std::move(value)); }
  bool binary(Json::binary_t&) { return refuse(); } // no text has it
  bool start_object(std::size_t) { return is_apart() ? refuse() : open(Json::object()); }
  bool end_object() { return close(); }
  bool start_array(std::size_t) {
    if (is_apart()) return refuse();
    if (open_.empty() || !open_.back()->is_object() || key_ != "values") return open(Json::array());
    tree.lists.emplace_back();
    apart_ = true;
    return add(Json::binary({}, tree.lists.size() - 1)); // no JSON text has a binary: it is the list's number
  }
  bool end_array() {
    if (std::exchange(apart_, false)) return true;
    return close();
  }
  bool key(std::string& name) {
    key_ = std::move(name);
    return true;
  }
  template <class Error> bool parse_error(std::size_t, const std::string&, const Error& error) {
    throw error;
  }

private:
  std::vector<Json*> open_; // innermost last; only it grows, so that the others stay where they are
  std::string key_;
  bool apart_ = false;

  bool is_apart() const { return apart_; }
  [[noreturn]] static bool refuse() {
    throw InputError("a list of values holds more than numbers, or more than texts");
  }

  Json& place(Json value) {
    if (open_.empty()) return tree.root = std::move(value);
    if (open_.back()->is_array()) return open_.back()->emplace_back(std::move(value));
    return (*open_.back())[key_] = std::move(value);
  }
  bool add(Json value) {
    place(std::move(value));
    return true;
  }
  bool open(Json value) {
    if (open_.size() == deepest) throw InputError("nested too deeply");
    open_.push_back(&place(std::move(value)));
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  // A list begins as numbers, of which it has none yet; its first cells decide.
  template <class T> std::vector<T>* cells() { return std::get_if<std::vector<T>>(&tree.lists.back()); }
  bool is_empty() {
    return std::visit([](const auto& list) { return list.empty(); }, tree.lists.back());
  }
  bool whole(std::int64_t value) {
    if (is_empty()) tree.lists.back().emplace<std::vector<std::int64_t>>();
    if (auto* list = cells<std::int64_t>()) return list->push_back(value), true;
    return cell(static_cast<double>(value));
  }
  bool cell(double value) {
    if (const auto* counts = cells<std::int64_t>())
      tree.lists.back() = std::vector<double>(counts->begin(), counts->end());
    auto* list = cells<double>();
    if (list == nullptr) refuse();
    list->push_back(value);
    return true;
  }
  bool word(std::string value) {
    if (is_empty()) tree.lists.back().emplace<std::vector<std::string>>();
    auto* list = cells<std::string>();
    if (list == nullptr) refuse();
    list->push_back(std::move(value));
    return true;
  }
};

// Past the text whose opening quote is at `at`; npos where it does not end.
std::size_t end_of_text(std::string_view json, std::size_t at) {
  for (++at; at < json.size(); ++at) {
    if (json[at] == '\\')
      ++at;
    else if (json[at] == '"')
      return at + 1;
  }
  return std::string_view::npos;
}

// The place of the bracket that closes a list of plain values from `at` on; npos where none does.
std::size_t end_of_list(std::string_view json, std::size_t at) {
  while (at < json.size() && json[at] != ']') {
    if (json[at] == '[' || json[at] == '{' || json[at] == '}') return std::string_view::npos;
    at = json[at] == '"' ? end_of_text(json, at) : at + 1;
  }
  return at < json.size() ? at : std::string_view::npos;
}

} // namespace

std::string with_empty_lists(std::string_view json, std::initializer_list<std::string_view> keys) {
  constexpr std::string_view space = " \t\r\n";
  std::string rest;
  std::size_t copied = 0; // up to here it is in `rest`, or left out
  for (std::size_t at = json.find('"'); at < json.size(); at = json.find('"', at)) {
    const std::size_t end = end_of_text(json, at);
    if (end >= json.size()) break;
    const std::string_view key = json.substr(at + 1, end - at - 2);
    at = end;
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) continue;
    const std::size_t colon = json.find_first_not_of(space, end);
    if (colon >= json.size() || json[colon] != ':') continue;
    const std::size_t open = json.find_first_not_of(space, colon + 1);
    if (open >= json.size() || json[open] != '[') continue;
    const std::size_t close = end_of_list(json, open + 1);
    if (close == std::string_view::npos) continue;
    rest += json.substr(copied, open + 1 - copied);
    copied = at = close;
  }
  rest += json.substr(copied);
  return rest;
}

CellList* JsonTree::list(const Json& node) {
  return node.is_binary() ? &lists[static_cast<std::size_t>(node.get_binary().subtype())] : nullptr;
}

JsonTree parse_json(std::string_view text) {
  TreeBuilder builder;
  Json::sax_parse(text.begin(), text.end(), &builder);
  return std::move(builder.tree);
}

std::string in_a_sentence(std::string_view text, const nlohmann::json::exception& error) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos) return "the file is empty; JSON is expected";
  if (text[first] != '{' && text[first] != '[') {
    const std::string_view line = text.substr(first, std::min(text.find('\n', first), text.size()) - first);
    return fmt::format("this is no JSON: it begins with {}", perfmodel::quoted(line.substr(0, 30)));
  }
  if (const auto* wrong = dynamic_cast<const nlohmann::json::parse_error*>(&error)) {
    const std::string_view before = text.substr(0, std::min<std::size_t>(wrong->byte, text.size()));
    return fmt::format(
        "this is no JSON from line {} on: the file is torn, or something else was written into it",
        1 + std::count(before.begin(), before.end(), '\n'));
  }
  std::string what = error.what(); // "[json.exception.out_of_range.403] key 'gpu' not found"
  if (const std::size_t end = what.find("] "); end != std::string::npos) what = what.substr(end + 2);
  return what.substr(0, 200);
}

} // namespace perfmodel::hwdb
