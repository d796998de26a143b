// What the name of a C++ function says, as compilers mangle it (Itanium C++ ABI, section 5.1).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

// "axpy(int, float*)" of "_Z4axpyiPf", "void f<float>(float*)" of a template; no mangled name: as it is.
std::string demangled(const std::string& name);

// Without arguments and return type: "axpy", "ns::f<float>".
std::string function_called(const std::string& name);

// The types of its arguments, "int" and "float*". Empty: none, or the name does not say.
std::vector<std::string> argument_types(const std::string& name);

// Whether a value of this type is a whole number: "unsigned int", "bool"; a pointer is none.
bool is_whole_type(std::string_view type);

} // namespace perfmodel
