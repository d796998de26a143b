#include "profile_roofs.hpp"

#include "models/bounds/roofline.hpp"
#include "models/core/error.hpp"
#include "models/core/in_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace perfmodel {

namespace {

// One roof, and how much of it a kernel reaches.
struct Reached {
  std::string roof;      // "DRAM", "fp32 arithmetic"
  std::string of;        // "DRAM's pin bandwidth", "the fp32 peak"
  std::string rate;      // "4.2 TB/s"
  double share = 0;      // of it
  double other = absent; // of the same bandwidth on the other basis, where both are known
};

// L1 delivers no more than the banks of shared memory, which are its own on most GPUs.
std::optional<Level> roof_of(const Gpu& gpu, Level level) {
  const auto known = [&](Level l) {
    return has_bandwidth(gpu, l, Basis::spec) || has_bandwidth(gpu, l, Basis::measured);
  };
  if (known(level)) return level;
  if (level == Level::l1 && known(Level::shared)) return Level::shared;
  return std::nullopt;
}

std::optional<Reached> reached(const Gpu& gpu, Level level, BytesPerSecond rate, Basis basis, Plain& plain) {
  const std::optional<Level> roof = roof_of(gpu, level);
  if (!roof) return std::nullopt;
  const bool both = has_bandwidth(gpu, *roof, Basis::spec) && has_bandwidth(gpu, *roof, Basis::measured);
  const Basis own = has_bandwidth(gpu, *roof, basis) ? basis
                    : basis == Basis::spec           ? Basis::measured
                                                     : Basis::spec;
  const Basis other = own == Basis::spec ? Basis::measured : Basis::spec;
  const std::string_view kind = own == Basis::measured ? "measured" : level == Level::dram ? "pin" : "peak";
  return Reached{.roof = std::string(called(level)),
                 .of = fmt::format("its {} bandwidth", kind),
                 .rate = in_words(rate),
                 .share = rate / bandwidth(gpu, *roof, own, plain),
                 .other = both ? rate / bandwidth(gpu, *roof, other, plain) : absent};
}

std::optional<Reached> reached(const Gpu& gpu, Precision precision, FlopsPerSecond done, Basis basis,
                               Plain& plain) {
  const auto units = arithmetic_units();
  const bool known = std::any_of(units.begin(), units.end(), [&](const ArithmeticUnit& unit) {
    return unit.precision == precision &&
           (gpu.record(unit.throughput) != nullptr || gpu.record(unit.peak) != nullptr);
  });
  if (!known) return std::nullopt;
  const ArithmeticUnit& unit = *units_of(gpu, precision).front();
  return Reached{.roof = fmt::format("{} arithmetic", unit.name),
                 .of = basis == Basis::spec ? "its peak" : "what is sustained of it",
                 .rate = in_words(done, unit.name),
                 .share = done / rate(gpu, unit, basis, plain)};
}

// The nearest roof first.
std::vector<Reached> all_reached(const Gpu& gpu, const ProfiledWork& work, Basis basis, Plain& plain) {
  std::vector<Reached> all;
  for (const auto& [level, bytes] : work.bytes)
    if (auto one = reached(gpu, level, bytes / *work.time, basis, plain)) all.push_back(std::move(*one));
  for (const auto& [precision, flops] : work.flops)
    if (flops > Flops(0))
      if (auto one = reached(gpu, precision, flops / *work.time, basis, plain))
        all.push_back(std::move(*one));
  std::stable_sort(all.begin(), all.end(),
                   [](const Reached& a, const Reached& b) { return a.share > b.share; });
  return all;
}

std::string sentence(const std::string& name, Seconds time, const std::vector<Reached>& all,
                     const ProfiledWork& work, Basis basis) {
  if (all.empty())
    return fmt::format("{} takes {}; neither bytes nor operations of it were counted.", name, in_words(time));
  const Reached& nearest = all.front();
  const bool bound = nearest.share >= bound_from;
  std::string text = fmt::format(
      "{} takes {}{} {}: {} is {} of {}", name, in_words(time),
      bound
          ? " and is bound by"
          : ", and is bound by no roof, but by latency or by too little work at a time; the nearest roof is",
      nearest.roof, nearest.rate, in_percent(nearest.share), nearest.of);
  if (!std::isnan(nearest.other))
    text += fmt::format(" and {} of the {}", in_percent(nearest.other),
                        basis == Basis::spec     ? "measured"
                        : nearest.roof == "DRAM" ? "pins'"
                                                 : "peak");
  if (nearest.share > above_roof && nearest.roof == "L2" && basis == Basis::measured)
    text += ", more than a kernel that only reads it reached: what L2 fills, writes back and hands from half "
            "to half is "
            "counted as well";
  else if (nearest.share > above_roof)
    text += ", which nothing can be: check the counters, and that they are of this GPU";
  else
    text += fmt::format(", {}x below the roof", format_quantity(1 / nearest.share, {}, Prefix::si, 3));
  for (std::size_t i = 1; i < all.size(); ++i)
    text += fmt::format("{}{} {}", i == 1 ? "; farther are " : ", ", all[i].roof, in_percent(all[i].share));
  if (work.on_tensor_units) text += "; instructions of the tensor units are not among its operations";
  return text + ".";
}

struct Row {
  const ProfiledKernel* kernel;
  std::string name;
  ProfiledWork work;
  Seconds total() const { return static_cast<double>(kernel->launches) * *work.time; }
};

class Columns {
public:
  template <class V> void add(const char* name, V value, Role role, Unit unit = {}) {
    if (at_ == table.columns.size())
      table.columns.push_back({.name = name, .unit = std::move(unit), .role = role});
    append(table.columns[at_++], std::move(value));
  }
  void end_row() { at_ = 0; }
  Table table;

private:
  std::size_t at_ = 0;
};

double share_of(const std::vector<Reached>& all, std::string_view roof) {
  const auto at = std::find_if(all.begin(), all.end(), [&](const Reached& r) {
    return roof.empty() ? r.roof.find("arithmetic") != std::string::npos : r.roof == roof;
  });
  return at == all.end() ? absent : at->share;
}

} // namespace

ProfiledRoofs roofs_of(const Gpu& gpu, const std::vector<ProfiledKernel>& kernels,
                       const std::vector<std::string>& names, Basis basis) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < kernels.size(); ++i)
    if (Row row{&kernels[i], names[i], work_of(kernels[i])}; row.work.time) rows.push_back(std::move(row));
  const Seconds total = std::accumulate(rows.begin(), rows.end(), Seconds(0),
                                        [](Seconds sum, const Row& row) { return sum + row.total(); });
  ProfiledRoofs roofs;
  Columns columns;
  const Unit fraction{"fraction", {}};
  for (const Row& row : rows) {
    Plain plain;
    const std::vector<Reached> all = all_reached(gpu, row.work, basis, plain);
    const bool bound = !all.empty() && all.front().share >= bound_from;
    columns.add("gpu", gpu.name, Role::key);
    columns.add("kernel", row.name, Role::key);
    columns.add("grid", row.kernel->grid ? row.kernel->grid->text() : "", Role::key);
    columns.add("block", row.kernel->block ? row.kernel->block->text() : "", Role::key);
    columns.add("launches", static_cast<std::int64_t>(row.kernel->launches), Role::measured);
    columns.add("time", row.work.time->value, Role::measured, unit_of<Seconds>());
    columns.add("of_time", row.total() / total, Role::measured, fraction);
    columns.add("bound", all.empty() ? "not known" : bound ? all.front().roof : "latency", Role::note);
    columns.add("of_roof", all.empty() ? absent : all.front().share, Role::measured, fraction);
    columns.add("of_dram", share_of(all, "DRAM"), Role::measured, fraction);
    columns.add("of_l2", share_of(all, "L2"), Role::measured, fraction);
    columns.add("of_l1", share_of(all, "L1"), Role::measured, fraction);
    columns.add("of_arithmetic", share_of(all, ""), Role::measured, fraction);
    columns.add("function", row.kernel->kernel, Role::note);
    columns.add("grade", std::string(name_of(plain.grades.worst())), Role::note);
    columns.end_row();
    roofs.verdicts.push_back(sentence(shortened(row.name, 60), *row.work.time, all, row.work, basis));
  }
  roofs.table = std::move(columns.table);
  roofs.table.title = "what binds each kernel";
  return roofs;
}

} // namespace perfmodel
