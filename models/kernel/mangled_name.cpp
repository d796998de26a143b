#include "mangled_name.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

#include <cxxabi.h>

namespace perfmodel {

std::string demangled(const std::string& name) {
  if (name.compare(0, 2, "_Z") != 0) return name; // "f" would be the type float
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text != nullptr ? std::string(text.get()) : name;
}

std::vector<std::string> argument_types(const std::string& name) {
  const std::string written = demangled(name);
  if (written == name || written.empty() || written.back() != ')') return {};
  // From the end: names in front of the list have parentheses, too, "(anonymous namespace)::f(int)".
  std::vector<std::string> types;
  std::size_t end = written.size() - 1;
  int depth = 0;
  for (std::size_t i = end; i-- > 0;) {
    const char c = written[i];
    if (c == ')' || c == '>' || c == ']') ++depth;
    const bool opens = c == '(' && depth == 0;
    if (opens || (c == ',' && depth == 0)) {
      const std::size_t begin = std::min(written.find_first_not_of(' ', i + 1), end);
      types.push_back(written.substr(begin, end - begin));
      end = i;
    }
    if (opens) break;
    if (c == '(' || c == '<' || c == '[') --depth;
  }
  if (types.size() == 1 && types.front().empty()) return {};
  std::reverse(types.begin(), types.end());
  return types;
}

bool is_whole_type(std::string_view type) {
  constexpr auto whole = std::to_array<std::string_view>(
      {"bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int",
       "long", "unsigned long", "long long", "unsigned long long"});
  return std::find(whole.begin(), whole.end(), type) != whole.end();
}

} // namespace perfmodel
