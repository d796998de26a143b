// A model asked the way the command line asks it: options and facts as text, on GPUs of the database.
#pragma once

#include "hwdb/database.hpp"
#include "hwdb/measured.hpp"
#include "models/core/model.hpp"
#include "models/core/what_if.hpp"
#include "models/views/kernel.hpp"

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfmodel {

using Words = std::vector<std::pair<std::string, std::string>>; // option or fact -> text

inline const hwdb::Database& database() {
  static const hwdb::Database all(PERFMODEL_SOURCE_DIR "/hwdb");
  return all;
}

// With estimates of what nobody has measured on it, as the command line has it.
inline Gpu gpu_named(const std::string& name) { return database().completed(database().gpu(name)); }

// With what the committed runs found on it as well, as every answer has it.
inline Gpu measured_gpu(const std::string& name) {
  Gpu gpu = database().gpu(name);
  for (const auto& file : database().measured_files(name))
    gpu = with_constants(std::move(gpu), hwdb::constants_of(database().run(file), file.filename().string()),
                         Over::readings);
  return database().completed(std::move(gpu));
}

inline const std::vector<Gpu>& every_gpu() {
  static const std::vector<Gpu> gpus = [] {
    std::vector<Gpu> all;
    for (const std::string& name : database().names()) all.push_back(gpu_named(name));
    return all;
  }();
  return gpus;
}

inline std::string shipped_listing(const std::string& name) {
  std::ifstream file(PERFMODEL_SOURCE_DIR "/hwdb/kernels/" + name + ".sass");
  return {std::istreambuf_iterator<char>(file), {}};
}

inline Request request_of(const Model& m, const Words& options) {
  Request request;
  for (const auto& [name, text] : options)
    request.inputs.push_back({name, parse_values(*m.find(name), text)});
  for (const Option& option : m.options) // as the command line has it
    if (option.shipped_in == NodeGraph::shipped_in &&
        std::none_of(options.begin(), options.end(), [&](const auto& o) { return o.first == option.name; }))
      request.inputs.push_back({option.name, {{.text = database().node(option.shipped_default).text()}}});
    else if (option.shipped_in == Listing::shipped_in &&
             std::none_of(options.begin(), options.end(),
                          [&](const auto& o) { return o.first == option.name; }))
      request.inputs.push_back(
          {option.name, {{.text = shipped_listing(std::string(option.shipped_default))}}});
  return request;
}

inline Result ask_graded(std::string_view name, const Gpu& gpu, const Words& options = {}) {
  const Model& m = model(name);
  return predict(m, std::span(&gpu, 1), request_of(m, options));
}
// With the worst grade of all that was read for every row, which need not be asked about again.
inline Result ask(std::string_view name, const Gpu& gpu, const Words& options = {}) {
  const Model& m = model(name);
  Request request = request_of(m, options);
  request.quick_grades = true;
  return predict(m, std::span(&gpu, 1), request);
}

inline Gpu with_facts(Gpu gpu, const Words& facts) {
  for (const auto& [path, text] : facts) gpu = with_fact(std::move(gpu), path, std::string_view(text));
  return gpu;
}

inline const Table& table_of(const Result& result, std::string_view title) {
  for (const Table& table : result.tables)
    if (table.title == title) return table;
  throw std::runtime_error("no table '" + std::string(title) + "'");
}

// The first row whose column `key` holds `word`.
inline std::size_t row_of(const Table& table, std::string_view key, std::string_view word) {
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (table.at(key).text(row) == word) return row;
  throw std::runtime_error("no row '" + std::string(word) + "'");
}

inline double number(const Result& result, std::string_view title, std::string_view column,
                     std::size_t row = 0) {
  return table_of(result, title).at(column).number(row);
}
inline std::string text(const Result& result, std::string_view title, std::string_view column,
                        std::size_t row = 0) {
  return table_of(result, title).at(column).text(row);
}

// A GPU on which these take no time: what is worked by hand leaves them out.
inline Gpu free_of(Gpu gpu, std::initializer_list<const char*> costs) {
  for (const char* path : costs)
    gpu.facts[path] = {.values = {0}, .layer = Layer::set, .source = "worked by hand without it"};
  return gpu;
}

// Round numbers: 1 Tflop/s, 100 GB/s, so a balance of 10 flop/B, and 1 us of memory latency.
inline Gpu toy() {
  return with_facts({.name = "toy", .title = "a toy", .file = "toy.yaml"},
                    {{"sm_count", "10"},
                     {"clock", "1 GHz"},
                     {"throughput.fp32_fma", "50 1/cycle"},
                     {"fma.latency", "20 cycle"},
                     {"dram.bandwidth", "100 GB/s"},
                     {"dram.latency", "1000 cycle"},
                     {"warp_size", "32"},
                     {"max_threads_per_sm", "2048"},
                     {"max_threads_per_block", "1024"}});
}

} // namespace perfmodel
