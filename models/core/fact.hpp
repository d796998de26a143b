// A hardware fact: the value used, where it came from, and what other sources say. A number never travels
// without it.
#pragma once

#include "units.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

// datasheet: the vendor's text. secondary: a copy of it. published: a lecture or paper. measured: a
// measurement, whose is in the source. derived: arithmetic from other facts. fitted: chosen so that a model
// matches published results, which the note names; they are scored apart. unverified: somebody's memory.
enum class Status { datasheet, secondary, published, measured, derived, fitted, unverified };
inline constexpr std::string_view status_names[] = {"datasheet", "secondary", "published", "measured",
                                                    "derived",   "fitted",    "unverified"};
constexpr std::string_view name_of(Status status) { return status_names[static_cast<int>(status)]; }

// Who overrides whom: `--set`, then our own measurements (`--basis measured`), the device's file, its
// architecture's.
enum class Layer { architecture, device, measured, set };
inline constexpr std::string_view layer_names[] = {"architecture file", "device file", "measured", "--set"};
constexpr std::string_view name_of(Layer layer) { return layer_names[static_cast<int>(layer)]; }

// A value another source gives; `high` differs from `low` where it is a range.
struct Rival {
  double low = 0, high = 0; // base units
  Status status = Status::unverified;
  std::string source, note;
};

// One fact as loaded. Numbers are in base units; a list has several; a text fact has `text` and no numbers.
struct FactRecord {
  std::vector<double> values;
  std::string text;
  Status status = Status::unverified;
  Layer layer = Layer::device;
  std::string source; // readable: "TechPowerUp, Tesla M2090; Rupp 2013"
  std::string note;
  std::string clock; // of a peak: the path of the clock the printed value assumes
  std::string place; // "m2090.yaml:12", "h200/dram.json", "--set"
  std::string probe; // of a measured value: the probe that found it
  std::vector<Rival> rivals;
  // Of a measured value: 5th and 95th percentile, of one that was fitted its 95 % confidence interval.
  double low = std::numeric_limits<double>::quiet_NaN(), high = low;
};

// The name of a fact, spelled once: the YAML key, the `--set` name, the line of `hw show`.
// Q is the type of its value: a Quantity or Count, std::string, or std::vector of either quantity.
// `index` is its place in all_keys(), where the rest is said.
template <class Q> struct Key {
  std::string_view path, meaning;
  int index = 0;
};

enum class FactKind { number, list, text };

// A Key without its type, for loading, listing and `--set`. Numbers are in base units.
struct KeyInfo {
  std::string_view path, meaning;
  FactKind kind = FactKind::number;
  Dimension dimension{};
  double least = 0, most = 0; // the plausible order of magnitude, for catching a slip of a thousand
  std::string_view probe;     // the microkernel that finds it; empty: none
  // `scale`: "same", or the facts, with a blank between them, whose product it goes with; empty: none.
  // `follows`: where --set changes one of those, it goes along (what_if.hpp). `carried_over`: a GPU that
  // lacks it is given an estimate (models/machine/inherit.hpp). `since`: the compute capability from which
  // the hardware has it.
  std::string_view scale;
  bool follows = true, carried_over = true;
  double since = 0;
  // A fact that an estimate is not below, such as a bandwidth that passes through it; empty: none.
  std::string_view above;
  // The range of an assumed value, in multiples of what it scales with, and its reason; NaN and empty: none.
  double assumed_low = std::numeric_limits<double>::quiet_NaN(), assumed_high = assumed_low;
  std::string_view why;

  // What the models charge for, known or not.
  bool is_cost() const { return !scale.empty() && carried_over; }

  // Whether `ask` holds for each of the facts that `scale` names, asked from the first to the first for which
  // it does not; "same" names none.
  template <class Ask> bool every_factor(const Ask& ask) const {
    for (std::string_view left = scale == "same" ? "" : scale; !left.empty();) {
      const std::size_t end = std::min(left.find(' '), left.size());
      if (!ask(left.substr(0, end))) return false;
      left.remove_prefix(std::min(end + 1, left.size()));
    }
    return true;
  }
};

template <class Q> struct KindOf { static constexpr FactKind kind = FactKind::number; };
template <> struct KindOf<std::string> { static constexpr FactKind kind = FactKind::text; };
template <class E> struct KindOf<std::vector<E>> { static constexpr FactKind kind = FactKind::list; };

// Every key there is, in the order `hw show` prints them: that of hwdb/facts/.
std::span<const KeyInfo> all_keys();

template <class Q> const KeyInfo& info(const Key<Q>& key) {
  return all_keys()[static_cast<std::size_t>(key.index)];
}

// nullptr when there is no such key.
const KeyInfo* find_key(std::string_view path);

} // namespace perfmodel
