// A kernel by the name that a listing has for it, and by the one that a profiler prints.
#pragma once

#include <string>
#include <string_view>

namespace perfmodel {

enum class SameName { no, function, instance }; // instance: with its template arguments

// `listed`: mangled, "_Z4axpyIfEviT_PS0_"; `profiled`: that, or "void axpy<float>(int, T1, T1 *)".
SameName same_name(const std::string& listed, std::string_view profiled);

// As people write it, "axpy", of a piece of a mangled name, "4axpyE", too; one that is not mangled, as it is.
std::string written_name(const std::string& listed);
// The same with its template arguments, "axpy<float, 4>".
std::string written_instance(const std::string& listed);

} // namespace perfmodel
