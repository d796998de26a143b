// Runs of our own probes: the constants they found out, and the series that predictions are held against.
#pragma once

#include "hwdb/database.hpp"
#include "models/validation/measurement.hpp"

#include <filesystem>
#include <span>
#include <vector>

namespace perfmodel::hwdb {

// One result file of kind "measured". Throws InputError.
Record read_run(const std::filesystem::path& file);
// The same from text that is already read; `file` appears in messages.
Record run_from(const std::string& text, const std::filesystem::path& file);

// The verified, valid constants of a run, with on what, when and at what clock; `place` is the file's name.
std::vector<Constant> constants_of(const Record& run, const std::string& place);

// The measurements of a run that belong to a model, as series: one for each measured column. Unverified and
// invalid ones are left out.
std::vector<Series> series_of(const Record& run, const std::string& place);

// What the arithmetic probes reached, to be held against SMs x throughput x operations x the clock that the
// GPU ran at in the same run: that clock is a key of the series, under the name that the peak's fact gives
// it.
std::vector<Series> peaks_of(const Record& run, const std::string& place, const Gpu& gpu);

// Sentences about the measurements that series_of and constants_of leave out, of `model` or, if "", of all.
std::vector<std::string> left_out(const Record& run, std::string_view model = "");

} // namespace perfmodel::hwdb
