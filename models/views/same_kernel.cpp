#include "same_kernel.hpp"

#include "models/kernel/mangled_name.hpp"
#include "models/validation/profile.hpp"

#include <array>
#include <charconv>
#include <string_view>

namespace perfmodel {

namespace {

// "axpy<float,4>" of both "void axpy<float, (int)4>(int, T1 *)" and "void axpy<float, 4>(int, float*)".
std::string instance(std::string_view kernel) {
  std::string name(without_arguments(kernel));
  if (name.rfind("void ", 0) == 0) name.erase(0, 5);
  std::erase(name, ' ');
  for (const std::string_view cast : std::to_array<std::string_view>({"(int)", "(unsignedint)", "(bool)"}))
    for (std::size_t at = name.find(cast); at != std::string::npos; at = name.find(cast))
      name.erase(at, cast.size());
  return name;
}

// "histogram" of "9histogramE", a piece of a mangled name: so many letters, and the end of the name or a
// template's arguments. Empty of others.
std::string_view counted_name(std::string_view piece) {
  std::size_t letters = 0;
  const auto [end, error] = std::from_chars(piece.data(), piece.data() + piece.size(), letters);
  piece.remove_prefix(static_cast<std::size_t>(end - piece.data()));
  const bool is_one =
      error == std::errc() && letters < piece.size() && (piece[letters] == 'E' || piece[letters] == 'I');
  return is_one ? piece.substr(0, letters) : std::string_view();
}

// "matmul_tiled" of "matmul_tiledILi32E", a piece from the name on: what follows are the template's numbers.
std::string_view before_template_numbers(std::string_view piece) {
  const auto digit = [&](std::size_t i) { return i < piece.size() && piece[i] >= '0' && piece[i] <= '9'; };
  for (std::size_t at = piece.find("IL"); at != piece.npos; at = piece.find("IL", at + 1)) {
    std::size_t end = at + 3; // behind the letter of the type
    if (at == 0 || !digit(end)) continue;
    while (digit(end)) ++end;
    if (end < piece.size() && piece[end] == 'E') return piece.substr(0, at);
  }
  return {};
}

} // namespace

SameName same_name(const std::string& listed, std::string_view profiled) {
  if (listed == profiled) return SameName::instance;
  const std::string written = demangled(listed);
  if (instance(written) == instance(profiled)) return SameName::instance;
  return function_name(written) == function_name(profiled) ? SameName::function : SameName::no;
}

std::string written_name(const std::string& listed) {
  if (const std::string_view name = counted_name(listed); !name.empty()) return std::string(name);
  if (listed.compare(0, 2, "_Z") == 0) return function_name(demangled(listed));
  const std::string_view name = before_template_numbers(listed);
  return name.empty() ? function_name(listed) : std::string(name);
}

std::string written_instance(const std::string& listed) {
  std::string name(without_arguments(demangled(listed)));
  if (name.rfind("void ", 0) == 0) name.erase(0, 5);
  return name;
}

} // namespace perfmodel
