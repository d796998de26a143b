// --table: one table of an answer that has several.
#pragma once

#include "models/core/result.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel::cli {

// The place of the table that `name` means: its number, from 1 on; its title; or the beginning of the only
// title that begins so. Capitals do not matter, and '-' may stand for a blank: "compute-ceilings". Throws
// InputError, which lists the titles.
std::size_t chosen_table(const Result& result, const std::string& name);
// The same, if there is exactly one.
std::optional<std::size_t> only_table(const Result& result, const std::string& name);

// Throws InputError where `name` can mean none of the tables that an answer may have, before there is one: it
// is no number of so many, and none of these titles begins so.
void require_title(const std::vector<std::string>& titles, const std::string& name);

// Whether the title begins with `name`, as chosen_table compares them.
bool begins_with(std::string_view title, std::string_view name);

} // namespace perfmodel::cli
