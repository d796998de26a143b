// A model asked the way the command line asks it: options and facts as text, on GPUs of the database.
#pragma once

#include "hwdb/database.hpp"
#include "models/core/model.hpp"
#include "models/core/what_if.hpp"

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfmodel {

using Words = std::vector<std::pair<std::string, std::string>>; // option or fact -> text

const hwdb::Database& database();

// With estimates of what nobody has measured on it, as the command line has it.
Gpu gpu_named(const std::string& name);

// With what the committed runs found on it as well, as every answer has it.
Gpu measured_gpu(const std::string& name);

const std::vector<Gpu>& every_gpu();

std::string shipped_listing(const std::string& name);

// As the command line has it: with the node and the listing that are shipped, where none is given.
Request request_of(const Model& m, const Words& options);

Result ask_graded(std::string_view name, const Gpu& gpu, const Words& options = {});
// With the worst grade of all that was read for every row, which need not be asked about again.
Result ask(std::string_view name, const Gpu& gpu, const Words& options = {});

Gpu with_facts(Gpu gpu, const Words& facts);

const Table& table_of(const Result& result, std::string_view title);

// The first row whose column `key` holds `word`.
std::size_t row_of(const Table& table, std::string_view key, std::string_view word);

double number(const Result& result, std::string_view title, std::string_view column, std::size_t row = 0);
std::string text(const Result& result, std::string_view title, std::string_view column, std::size_t row = 0);

// A GPU on which these take no time: what is worked by hand leaves them out.
Gpu free_of(Gpu gpu, std::initializer_list<const char*> costs);

// Round numbers: 1 Tflop/s, 100 GB/s, so a balance of 10 flop/B, and 1 us of memory latency.
Gpu toy();

} // namespace perfmodel
