#include "json_tree.hpp"

#include "models/core/error.hpp"
#include "models/core/table.hpp"

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

} // namespace

CellList* JsonTree::list(const Json& node) {
  return node.is_binary() ? &lists[static_cast<std::size_t>(node.get_binary().subtype())] : nullptr;
}

JsonTree parse_json(std::string_view text) {
  TreeBuilder builder;
  Json::sax_parse(text.begin(), text.end(), &builder);
  return std::move(builder.tree);
}

} // namespace perfmodel::hwdb
