#include "yaml_map.hpp"

#include "models/core/error.hpp"
#include "models/core/model.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <utility>

namespace perfmodel::hwdb {

namespace {
std::string shortened(const std::string& text) {
  return text.size() > 60 ? text.substr(0, 60) + "..." : text;
}

// Deeper than any file of ours, shallower than any stack.
void check_depth(const std::string& text, const std::string& file) {
  int depth = 0, line = 1;
  std::size_t indent = 0;
  bool leading = true;
  for (const char c : text) {
    if (c == '\n')
      ++line, indent = 0, leading = true;
    else if (leading && (c == ' ' || c == '-' || c == '?'))
      ++indent;
    else
      leading = false;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > 50 || indent > 200) throw InputError(fmt::format("{}:{}: nested too deeply", file, line));
  }
}

// The line on which each document's content starts; the content itself is passed over.
class DocumentStarts : public YAML::EventHandler {
public:
  std::vector<int> lines;

  void OnDocumentStart(const YAML::Mark& mark) override {
    lines.push_back(mark.line + 1);
    open_ = true;
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { content(mark); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { content(mark); }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t, const std::string&) override {
    content(mark);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    content(mark);
  }
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    content(mark);
  }
  void OnMapEnd() override {}

private:
  bool open_ = false;
  void content(const YAML::Mark& mark) {
    if (std::exchange(open_, false)) lines.back() = mark.line + 1;
  }
};

// A line break at the end would close a quote that nobody closes, without a word.
std::string with_end(const std::string& text) { return text + "\n# the end"; }

// A map of indented lines ends where the text does, or at one of these marks at the start of a line.
bool has_document_mark(std::string_view text) {
  while (true) {
    if (text.starts_with("---") || text.starts_with("...") || text.starts_with('%')) return true;
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return false;
    text.remove_prefix(end + 1);
  }
}

// YAML::Load reads the first document and drops the rest without a word; YAML::LoadAll never ends on ",a: b".
void check_one_document(const std::string& text, const std::string& file) {
  std::istringstream in(with_end(text));
  YAML::Parser parser(in);
  DocumentStarts starts;
  if (parser.HandleNextDocument(starts) && parser.HandleNextDocument(starts))
    throw InputError(fmt::format("{}:{}: a second document, which nobody would read", file,
                                 starts.lines.size() > 1 ? starts.lines[1] : 1));
}
} // namespace

YAML::Node parse_yaml(const std::string& text, const std::string& file) {
  check_depth(text, file);
  try {
    YAML::Node root = YAML::Load(with_end(text));
    const bool is_block_map = root.IsMap() && root.Style() == YAML::EmitterStyle::Block;
    if (!is_block_map || has_document_mark(text))
      check_one_document(text, file); // else it would be read twice
    return root;
  } catch (const YAML::Exception& e) {
    if (e.msg == "illegal EOF in scalar")
      throw InputError(fmt::format("{}: not YAML: a quote is opened and never closed", file));
    throw InputError(fmt::format("{}:{}: not YAML: {}", file, e.mark.line + 1, e.msg));
  }
}

YamlMap::YamlMap(const YAML::Node& node, std::string file, std::string what, int key_line)
    : file_(std::move(file)), what_(std::move(what)),
      line_(key_line > 0 ? key_line : std::max(1, node.Mark().line + 1)) {
  if (!node.IsMap()) refuse(line_, what_ + " is not a map of keys and values");
  for (const auto& pair : node) {
    const int line = pair.first.Mark().line + 1;
    if (!pair.first.IsScalar()) refuse(line, what_ + " has a key that is no plain word");
    entries_.push_back({pair.first.Scalar(), pair.second, line});
  }
  for (std::size_t i = 0; i < entries_.size(); ++i)
    if (const auto [first, is_new] = index_.emplace(entries_[i].key, i); !is_new)
      refuse(entries_[i].line, fmt::format("{} has the key '{}' twice, first on line {}", what_,
                                           shortened(entries_[i].key), entries_[first->second].line));
}

const YAML::Node* YamlMap::find(std::string_view key) {
  asked_.emplace_back(key);
  const auto at = index_.find(key);
  if (at == index_.end()) return nullptr;
  entries_[at->second].used = true;
  return &entries_[at->second].value;
}

const YAML::Node& YamlMap::at(std::string_view key) {
  if (const YAML::Node* node = find(key)) return *node;
  refuse(line_, fmt::format("{} has no '{}'", what_, key));
}

std::string YamlMap::text(std::string_view key) {
  const YAML::Node& node = at(key);
  if (!node.IsScalar()) refuse(node, fmt::format("'{}' of {} is not a plain value", key, what_));
  return node.Scalar();
}

std::string YamlMap::text_or(std::string_view key, std::string other) {
  return find(key) == nullptr ? std::move(other) : text(key);
}

std::vector<std::string> YamlMap::texts(std::string_view key) {
  const YAML::Node& node = at(key);
  if (node.IsScalar()) return {node.Scalar()};
  if (!node.IsSequence()) refuse(node, fmt::format("'{}' of {} is neither a value nor a list", key, what_));
  std::vector<std::string> all;
  for (const YAML::Node& item : node) {
    if (!item.IsScalar()) refuse(item, fmt::format("'{}' of {} holds more than plain values", key, what_));
    all.push_back(item.Scalar());
  }
  return all;
}

void YamlMap::finish() const {
  for (const Entry& e : entries_)
    if (!e.used)
      refuse(e.line,
             fmt::format("{} has an unknown key '{}'{}", what_, shortened(e.key), suggestion(e.key, asked_)));
}

void YamlMap::refuse(int line, const std::string& message) const {
  throw InputError(fmt::format("{}:{}: {}", file_, line, message));
}

void YamlMap::refuse(const YAML::Node& node, const std::string& message) const {
  refuse(node.Mark().line + 1, message);
}

int YamlMap::line_of(std::string_view key) const {
  const auto at = index_.find(key);
  return at == index_.end() ? line_ : entries_[at->second].line;
}

} // namespace perfmodel::hwdb
