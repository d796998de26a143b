// Results of nvbench and Google Benchmark as CSV. Columns are found by name.
#include "benchmark_run.hpp"

#include "models/bounds/csv_record.hpp"
#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

namespace perfmodel::hwdb {

namespace {

using Cells = std::vector<std::string>;
constexpr CsvLimits table_limits{"the table", 10'000, 1'000};

struct Rows {
  Cells header;
  std::vector<Cells> rows;
  std::optional<std::size_t> find(std::string_view name) const {
    const auto at = std::find(header.begin(), header.end(), name);
    if (at == header.end()) return std::nullopt;
    return static_cast<std::size_t>(at - header.begin());
  }
  std::optional<double> number(const Cells& row, std::string_view column) const {
    const auto at = find(column);
    if (!at || row[*at].empty() || row[*at] == "inf" || row[*at] == "nan") return std::nullopt;
    return number_in(row[*at], column);
  }
  std::string text(const Cells& row, std::string_view column) const {
    const auto at = find(column);
    return at ? row[*at] : "";
  }
};

Rows rows_from(std::string_view text, std::string_view header_holds) {
  std::size_t line = 1;
  while (!text.empty() && text.substr(0, text.find('\n')).find(header_holds) == std::string_view::npos) {
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    ++line;
  }
  Rows all{take_record(text, line, table_limits), {}};
  while (!text.empty()) {
    const std::size_t at = line;
    Cells cells = take_record(text, line, table_limits);
    if (cells.size() == 1 && cells.front().empty()) continue;
    if (cells.size() != all.header.size())
      refuse(at, fmt::format("{} cells where the header has {}", cells.size(), all.header.size()),
             table_limits.file);
    all.rows.push_back(std::move(cells));
  }
  return all;
}

bool ends_with(const std::string& name, std::string_view end) {
  return name.size() > end.size() && name.compare(name.size() - end.size(), end.size(), end) == 0;
}

// "copy_mean" of the repetitions of "copy": told by what it ends with, for CSV has no column of it.
bool is_left_out(const std::string& name, const std::set<std::string>& names) {
  for (const std::string_view end : {"_stddev", "_cv", "_BigO", "_RMS"})
    if (ends_with(name, end)) return true;
  for (const std::string_view end : {"_mean", "_median"})
    if (ends_with(name, end)) {
      const std::string of = name.substr(0, name.size() - end.size());
      return names.count(of) != 0 || (end == "_mean" && names.count(of + "_median") != 0);
    }
  return false;
}

} // namespace

Benchmarks nvbench_csv(std::string_view text) {
  Benchmarks all{.tool = "nvbench"};
  const Rows table = rows_from(text, "Benchmark,Device,Device Name");
  const auto name = table.find("Device Name"), skipped = table.find("Skipped");
  for (const Cells& row : table.rows) {
    BenchmarkRun run{.name = row.front()};
    std::string values;
    for (std::size_t i = *name + 1; skipped && i < *skipped; ++i)
      if (!row[i].empty())
        values += fmt::format("{}{}={}", values.empty() ? "" : " ", table.header[i], row[i]);
    if (!values.empty()) run.name += fmt::format(" [{}]", values);
    if (table.text(row, "Skipped") == "Yes") {
      all.notes.push_back(fmt::format("{} was skipped.", perfmodel::quoted(run.name)));
      continue;
    }
    run.time = table.number(row, "GPU Time (sec)");
    if (const auto rate = table.number(row, "GlobalMem BW (bytes/sec)"); rate && run.time)
      run.bytes = *rate * *run.time;
    for (const std::string& column : table.header)
      if (const auto factor = flop_rate(column); factor && run.time)
        if (const auto rate = table.number(row, column)) run.flops = *factor * *rate * *run.time;
    if (!run.time) run.time = table.number(row, "Batch GPU (sec)");
    run.is_double = speaks_of_double(run.name);
    add_run(run, all);
  }
  return all;
}

Benchmarks google_csv(std::string_view text) {
  Benchmarks all{.tool = "Google Benchmark"};
  const Rows table = rows_from(text, "real_time,cpu_time,time_unit");
  std::set<std::string> names;
  for (const Cells& row : table.rows) names.insert(table.text(row, "name"));
  for (const Cells& row : table.rows) {
    BenchmarkRun run{.name = table.text(row, "name")};
    if (is_left_out(run.name, names)) continue;
    if (table.text(row, "error_occurred") == "true") {
      all.notes.push_back(fmt::format("{} ended with an error.", perfmodel::quoted(run.name)));
      continue;
    }
    const double unit = benchmark_seconds(table.text(row, "time_unit"));
    const auto real = table.number(row, "real_time"), processor = table.number(row, "cpu_time");
    if (real) run.time = unit * *real;
    const bool by_real = run.name.find("/real_time") != std::string::npos ||
                         run.name.find("/manual_time") != std::string::npos;
    const auto over = by_real ? real : processor;
    if (const auto rate = table.number(row, "bytes_per_second"); rate && over)
      run.bytes = *rate * unit * *over;
    for (const std::string& column : table.header)
      if (const auto factor = flop_rate(column); factor && over)
        if (const auto rate = table.number(row, column)) run.flops = *factor * *rate * unit * *over;
    run.is_double = speaks_of_double(run.name);
    add_run(run, all);
  }
  return all;
}

} // namespace perfmodel::hwdb
