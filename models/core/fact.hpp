// A hardware fact: the value used, where it came from, and what other sources say. A number never travels
// without it.
#pragma once

#include "units.hpp"

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
};

// The name of a fact, spelled once: the YAML key, the `--set` name, the line of `hw show`.
// Q is the type of its value: a Quantity or Count, std::string, or std::vector of either quantity.
// [least, most] is the plausible order of magnitude in base units, for catching a slip of a thousand.
template <class Q> struct Key {
  std::string_view path, meaning;
  double least = 0, most = 0;
};

enum class FactKind { number, list, text };

// A Key without its type, for loading, listing and `--set`.
struct KeyInfo {
  std::string_view path, meaning;
  FactKind kind = FactKind::number;
  Dimension dimension{};
  double least = 0, most = 0;
};

template <class Q> struct KindOf {
  static constexpr FactKind kind = FactKind::number;
  using Element = Q;
};
template <> struct KindOf<std::string> {
  static constexpr FactKind kind = FactKind::text;
  using Element = double;
};
template <class E> struct KindOf<std::vector<E>> {
  static constexpr FactKind kind = FactKind::list;
  using Element = E;
};

template <class Q> constexpr KeyInfo info(const Key<Q>& key) {
  return {key.path,  key.meaning, KindOf<Q>::kind, dimension_of<typename KindOf<Q>::Element>,
          key.least, key.most};
}

// Every key there is, in the order `hw show` prints them (facts.cpp lists facts.hpp).
std::span<const KeyInfo> all_keys();

// nullptr when there is no such key.
const KeyInfo* find_key(std::string_view path);

} // namespace perfmodel
