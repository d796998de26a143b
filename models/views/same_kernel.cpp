#include "same_kernel.hpp"

#include "models/validation/profile.hpp"

#include <array>
#include <cstdlib>
#include <memory>

#include <cxxabi.h>

namespace perfmodel {

namespace {

std::string demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text != nullptr ? std::string(text.get()) : name;
}

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

} // namespace

SameName same_name(const std::string& listed, std::string_view profiled) {
  if (listed == profiled) return SameName::instance;
  const std::string written = demangled(listed);
  if (instance(written) == instance(profiled)) return SameName::instance;
  return function_name(written) == function_name(profiled) ? SameName::function : SameName::no;
}

std::string written_name(const std::string& listed) { return function_name(demangled(listed)); }

std::string written_instance(const std::string& listed) {
  std::string name(without_arguments(demangled(listed)));
  if (name.rfind("void ", 0) == 0) name.erase(0, 5);
  return name;
}

} // namespace perfmodel
