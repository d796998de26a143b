// Where the time of an answer goes: reading the database, reading numbers, predicting, writing.
#include "cli/format.hpp"
#include "cli/run.hpp"
#include "hwdb/database.hpp"
#include "hwdb/result_file.hpp"
#include "hwdb/text_file.hpp"
#include "models/access/divergence_count.hpp"
#include "models/access/pattern_walk.hpp"
#include "models/bounds/points.hpp"
#include "models/core/model.hpp"
#include "models/core/quantity_text.hpp"

#include <benchmark/benchmark.h>

#include <fstream>
#include <sstream>

namespace perfmodel {
namespace {

const std::string root = PERFMODEL_SOURCE_DIR "/hwdb";

const Gpu& m2090() {
  static const Gpu gpu = hwdb::Database(root).gpu("m2090");
  return gpu;
}

Result sweep(std::int64_t points) {
  const Model& roofline = model("roofline");
  Request request;
  request.inputs.push_back(
      {"intensity", parse_values(*roofline.find("intensity"), "1:" + std::to_string(points))});
  return predict(roofline, std::span(&m2090(), 1), request);
}

void the_whole_program(benchmark::State& state) {
  for (auto _ : state) {
    std::ostringstream out, err;
    benchmark::DoNotOptimize(cli::run({"--hwdb", root, "roofline", "--hw", "m2090"}, out, err));
  }
}
BENCHMARK(the_whole_program)->Unit(benchmark::kMillisecond);

void load_one_gpu(benchmark::State& state) {
  const hwdb::Database database(root);
  for (auto _ : state) benchmark::DoNotOptimize(database.gpu("m2090"));
}
BENCHMARK(load_one_gpu)->Unit(benchmark::kMillisecond);

void load_every_gpu(benchmark::State& state) {
  const hwdb::Database database(root);
  for (auto _ : state)
    for (const std::string& name : database.names()) benchmark::DoNotOptimize(database.gpu(name));
}
BENCHMARK(load_every_gpu)->Unit(benchmark::kMillisecond);

void read_a_quantity(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(parse_quantity("177.4 GB/s"));
}
BENCHMARK(read_a_quantity);

void read_a_range(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(parse_quantities("1:1000000", {}));
  state.SetItemsProcessed(state.iterations() * 1'000'000);
}
BENCHMARK(read_a_range)->Unit(benchmark::kMillisecond);

void read_points(benchmark::State& state) {
  std::string csv = "name,intensity [flop/B],performance [GFLOP/s]\n";
  for (int i = 1; i <= 100'000; ++i)
    csv += "kernel " + std::to_string(i) + "," + std::to_string(i) + ",31.3\n";
  for (auto _ : state) benchmark::DoNotOptimize(RooflinePoints::from_csv(csv));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(csv.size()));
}
BENCHMARK(read_points)->Unit(benchmark::kMillisecond);

void predict_a_sweep(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(sweep(state.range(0)));
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(predict_a_sweep)->Arg(1'000)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

void read_an_expression(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(Expression::from_text("row < n && i * dx + x < n"));
}
BENCHMARK(read_an_expression);

// 2^24 threads, whose one warp after another is looked at; the goal is 0.5 s on one core.
void walk_a_launch(benchmark::State& state, const char* predicate, const char* path) {
  Branching branching;
  branching.predicate = Expression::from_text(predicate);
  branching.path = Expression::from_text(path);
  for (auto _ : state)
    benchmark::DoNotOptimize(
        count_divergence(LaunchWalk({16, 16, 1}, {256, state.range(0), 1}, {{{"n", 4000}}}), branching, 1));
  state.SetItemsProcessed(state.iterations() * 65536 * state.range(0));
}
BENCHMARK_CAPTURE(walk_a_launch, boundary, "row < n && i * dx + x < n", "")
    ->Arg(64)
    ->Arg(256)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(walk_a_launch, divisions, "(row * 7 + col) % 3 == 1 && x / (y + 1) < 5", "")
    ->Arg(256)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(walk_a_launch, switch_of_32_ways, "", "tid * 5 % 32")
    ->Arg(256)
    ->Unit(benchmark::kMillisecond);

// 2^24 blocks of one thread: warps that are nearly empty.
void walk_single_threads(benchmark::State& state) {
  Branching branching;
  branching.predicate = Expression::from_text("gid % 3 == 0");
  for (auto _ : state)
    benchmark::DoNotOptimize(
        count_divergence(LaunchWalk({1, 1, 1}, {1 << 24, 1, 1}, {{{"n", 4000}}}), branching, 1));
  state.SetItemsProcessed(state.iterations() << 24);
}
BENCHMARK(walk_single_threads)->Unit(benchmark::kMillisecond);

// Transactions and DRAM bytes of a launch of 2^(second argument) threads; the goal for 2^24 is 0.5 s on one
// core, and as many threads per second for all.
void count_strides(benchmark::State& state, GlobalAccess access) {
  static const Gpu gpu = hwdb::Database(root).gpu("h200");
  Coalescing::Input in;
  in.access = access;
  in.stride = static_cast<double>(state.range(0));
  in.grid = Shape{(std::int64_t{1} << state.range(1)) / 256, 1, 1};
  for (auto _ : state) benchmark::DoNotOptimize(count_pattern(gpu, in, {.atom = 64, .row_reach = 256}));
  state.SetItemsProcessed(state.iterations() << state.range(1));
}
BENCHMARK_CAPTURE(count_strides, load, GlobalAccess::load)
    ->ArgsProduct({{1, 33}, {22, 24, 26}})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(count_strides, store, GlobalAccess::store)->Args({33, 24})->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(count_strides, copy, GlobalAccess::copy)
    ->ArgsProduct({{1, 33}, {22, 24, 26}})
    ->Unit(benchmark::kMillisecond);

// 2^24 threads and an expression: a transposition, a gather from 64 MiB and one from 40 GB.
void count_an_index(benchmark::State& state, const char* index) {
  static const Gpu gpu = hwdb::Database(root).gpu("h200");
  Coalescing::Input in;
  in.index = Expression::from_text(index);
  in.block = {32, 8, 1};
  in.grid = Shape{128, 512, 1};
  for (auto _ : state) benchmark::DoNotOptimize(count_pattern(gpu, in, {.atom = 64, .row_reach = 256}));
  state.SetItemsProcessed(state.iterations() << 24);
}
BENCHMARK_CAPTURE(count_an_index, transposition, "col * 4096 + row")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(count_an_index, gather, "(gid * 2654435761) % 16777216")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(count_an_index, wide_gather, "(gid * 2654435761) % 10000000019")
    ->Unit(benchmark::kMillisecond);

void write_a_sweep(benchmark::State& state, std::string (*to_text)(const Result&)) {
  const Result result = sweep(state.range(0));
  std::size_t bytes = 0;
  for (auto _ : state) bytes = to_text(result).size();
  state.SetItemsProcessed(state.iterations() * state.range(0));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}
BENCHMARK_CAPTURE(write_a_sweep, csv, cli::to_csv)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write_a_sweep, markdown, [](const Result& r) { return cli::to_markdown(r); })
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write_a_sweep, text, [](const Result& r) { return cli::to_text(r, 100); })
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(write_a_sweep, json, [](const Result& r) { return hwdb::to_json({.result = r}); })
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond);

// The same from the question to the last byte, without whole tables: of one table, 10^6 rows in 1.5 s and
// less than 100 MB of memory (/usr/bin/time -v says how much the program takes).
void stream_a_sweep(benchmark::State& state, const char* format) {
  const std::string bytes = "1:" + std::to_string(state.range(0));
  for (auto _ : state) {
    std::ofstream out("/dev/null");
    std::ostringstream err;
    cli::run({"--hwdb", root, "transfer", "--hw", "m2090", "--bytes", bytes, "--format", format}, out, err);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK_CAPTURE(stream_a_sweep, csv, "csv")->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(stream_a_sweep, json, "json")->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(stream_a_sweep, text, "text")->Arg(1'000'000)->Unit(benchmark::kMillisecond);

} // namespace
} // namespace perfmodel
