#include "mangled_name.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

#include <cxxabi.h>

namespace perfmodel {

namespace {

bool opens(char c) { return c == '(' || c == '<' || c == '['; }
bool closes(char c) { return c == ')' || c == '>' || c == ']'; }

// Of the last list in parentheses: names in front of it have such, too, "(anonymous namespace)::f(int)".
std::size_t begin_of_arguments(std::string_view written) {
  if (written.empty() || written.back() != ')') return std::string_view::npos;
  int depth = 0;
  for (std::size_t i = written.size(); i-- > 0;) {
    depth += closes(written[i]) ? 1 : opens(written[i]) ? -1 : 0;
    if (depth == 0) return i;
  }
  return std::string_view::npos;
}

} // namespace

std::string demangled(const std::string& name) {
  if (name.compare(0, 2, "_Z") != 0) return name; // "f" would be the type float
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text != nullptr ? std::string(text.get()) : name;
}

std::string function_called(const std::string& name) {
  std::string written = demangled(name);
  written.resize(std::min(begin_of_arguments(written), written.size()));
  return written.compare(0, 5, "void ") == 0 ? written.substr(5) : written;
}

std::vector<std::string> argument_types(const std::string& name) {
  const std::string written = demangled(name);
  const std::size_t open = written == name ? std::string::npos : begin_of_arguments(written);
  if (open == std::string::npos) return {};
  std::vector<std::string> types;
  int depth = 0;
  for (std::size_t at = open + 1, begin = at; at < written.size(); ++at) {
    const char c = written[at];
    if (depth == 0 && (c == ',' || c == ')')) {
      types.push_back(written.substr(begin, at - begin));
      begin = at + 2; // behind the blank
    }
    depth += opens(c) ? 1 : closes(c) ? -1 : 0;
  }
  return types == std::vector<std::string>{""} ? std::vector<std::string>{} : types;
}

bool is_whole_type(std::string_view type) {
  constexpr auto whole = std::to_array<std::string_view>(
      {"bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int",
       "long", "unsigned long", "long long", "unsigned long long"});
  return std::find(whole.begin(), whole.end(), type) != whole.end();
}

} // namespace perfmodel
