// The names that an option takes.
#pragma once

#include "completion.hpp"

namespace CLI { // NOLINT(readability-identifier-naming): the library's
class Option;
}

namespace perfmodel::cli {

// What CLI11 shows for a value in the help says which names there are: an option says so where it is
// declared.
inline constexpr const char* gpu_value = "GPU";
inline constexpr const char* gpus_value = "GPU,...";
inline constexpr const char* fact_value = "FACT=VALUE";
inline constexpr const char* fact_name_value = "FACT ...";
inline constexpr const char* price_value = "GPU=NUMBER ...";
inline constexpr const char* model_value = "MODEL";
inline constexpr const char* format_value = "FORMAT";
inline constexpr const char* theme_value = "THEME";
inline constexpr const char* size_value = "SIZE";
inline constexpr const char* drawing_value = "DRAWING";
inline constexpr const char* column_value = "COLUMN";
inline constexpr const char* probe_value = "PROBE";
inline constexpr const char* hidden_value = "PROBE|all"; // or each
inline constexpr const char* slip_value = "SLIP";
inline constexpr const char* term_value = "TERM ...";
inline constexpr const char* command_value = "COMMAND ...";
inline constexpr const char* shell_value = "SHELL";
// And where no names are offered: files are the shell's to complete.
inline constexpr const char* file_value = "FILE";
inline constexpr const char* file_or_name_value = "FILE|NAME";
inline constexpr const char* folder_value = "FOLDER";
inline constexpr const char* number_value = "NUMBER";
inline constexpr const char* name_value = "NAME";
inline constexpr const char* binding_value = "NAME=NUMBER";

// Of an option that is an input of the command's model: its choices, or the names that the database ships. Of
// any other what its kind of value says; none of files and numbers. `before`: words of the same option.
std::vector<Completion> names_for(Context& context, const CLI::App& program, const CLI::App& command,
                                  const CLI::Option& option, const std::vector<std::string>& before = {});

// The commands of a program or of a command of it, and the one of that name; nullptr where none is.
std::vector<Completion> commands_of(const CLI::App& app);
const CLI::App* command_called(const CLI::App& app, const std::string& name);

} // namespace perfmodel::cli
