// The help of a command: options under their headings, in lines that fit.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <string_view>

namespace perfmodel::cli {

// A name and what it means, in two columns; a name that is too long for the first stands above.
std::string help_entry(const std::string& name, std::string_view meaning, std::size_t columns);

// In place of CLI11's, which writes each description on one line however long it is, and parts headings by
// two empty lines. Examples stay on one line each: they are there to be copied.
class HelpText final : public CLI::Formatter {
public:
  explicit HelpText(std::size_t columns) : columns_(columns) {}

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override;
  std::string make_description(const CLI::App* app) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_footer(const CLI::App* app) const override;

private:
  std::size_t columns_;
};

} // namespace perfmodel::cli
