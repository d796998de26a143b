#include "ask.hpp"

#include "hwdb/measured.hpp"
#include "models/views/kernel.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>

namespace perfmodel {

const hwdb::Database& database() {
  static const hwdb::Database all(PERFMODEL_SOURCE_DIR "/hwdb");
  return all;
}

Gpu gpu_named(const std::string& name) { return database().completed(database().gpu(name)); }

Gpu measured_gpu(const std::string& name) {
  Gpu gpu = database().gpu(name);
  for (const auto& file : database().measured_files(name))
    gpu = with_constants(std::move(gpu), hwdb::constants_of(database().run(file), file.filename().string()),
                         Over::readings);
  return database().completed(std::move(gpu));
}

const std::vector<Gpu>& every_gpu() {
  static const std::vector<Gpu> gpus = [] {
    std::vector<Gpu> all;
    for (const std::string& name : database().names()) all.push_back(gpu_named(name));
    return all;
  }();
  return gpus;
}

std::string shipped_listing(const std::string& name) {
  std::ifstream file(PERFMODEL_SOURCE_DIR "/hwdb/kernels/" + name + ".sass");
  return {std::istreambuf_iterator<char>(file), {}};
}

Request request_of(const Model& m, const Words& options) {
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

Result ask_graded(std::string_view name, const Gpu& gpu, const Words& options) {
  const Model& m = model(name);
  return predict(m, std::span(&gpu, 1), request_of(m, options));
}

Result ask(std::string_view name, const Gpu& gpu, const Words& options) {
  const Model& m = model(name);
  Request request = request_of(m, options);
  request.quick_grades = true;
  return predict(m, std::span(&gpu, 1), request);
}

Gpu with_facts(Gpu gpu, const Words& facts) {
  for (const auto& [path, text] : facts) gpu = with_fact(std::move(gpu), path, std::string_view(text));
  return gpu;
}

const Table& table_of(const Result& result, std::string_view title) {
  for (const Table& table : result.tables)
    if (table.title == title) return table;
  throw std::runtime_error("no table '" + std::string(title) + "'");
}

std::size_t row_of(const Table& table, std::string_view key, std::string_view word) {
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (table.at(key).text(row) == word) return row;
  throw std::runtime_error("no row '" + std::string(word) + "'");
}

double number(const Result& result, std::string_view title, std::string_view column, std::size_t row) {
  return table_of(result, title).at(column).number(row);
}
std::string text(const Result& result, std::string_view title, std::string_view column, std::size_t row) {
  return table_of(result, title).at(column).text(row);
}

Gpu free_of(Gpu gpu, std::initializer_list<const char*> costs) {
  for (const char* path : costs)
    gpu.facts[path] = {.values = {0}, .layer = Layer::set, .source = "worked by hand without it"};
  return gpu;
}

Gpu toy() {
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
