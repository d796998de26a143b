// What validate holds predictions against: the series about one GPU, all of them or those asked for.
#pragma once

#include "cli/context.hpp"
#include "models/core/gpu.hpp"
#include "models/validation/series.hpp"

#include <string>
#include <vector>

namespace perfmodel::cli {

// All that is published or measured of this GPU, and of any GPU; instead of what was measured the run of a
// file, where one is given. Throws InputError: there is nothing about it, or the file is no run.
std::vector<Series> series_about(Context& context, const Gpu& gpu, const std::string& measured_file);

// Leaves those of these models, or all where none is named. Throws InputError: no model of that name, or
// nothing is known of them.
void keep_models(std::vector<Series>& series, const std::vector<std::string>& names);

// Leaves those whose table `--table NAME` means; all where that may be another table of the answer, as a
// number or "ledger: blind" is.
void keep_table_called(std::vector<Series>& series, const std::string& name);

// Throws InputError where no table of the answer to `validate` can be called that: it says so before anything
// is predicted. `summary`: the answer has the ledger alone.
void require_table_called(const std::vector<Series>& series, const std::string& name, bool summary);

// The other cards that series name, with what was measured on them.
std::vector<Gpu> cards_of(Context& context, const Gpu& gpu, const std::vector<Series>& series);

} // namespace perfmodel::cli
