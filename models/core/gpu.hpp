// The facts of one device, resolved. Which layer a value comes from stays beside the value.
#pragma once

#include "by_path.hpp"
#include "draw.hpp"
#include "estimate.hpp"
#include "fact.hpp"

#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

// The typed view of one record; the record lives in its Gpu.
template <class Q> struct Fact {
  Q value{};
  const FactRecord* record = nullptr;
};

struct Gpu {
  std::string name;         // "m2090": the file's name and what users type
  std::string title;        // "NVIDIA Tesla M2090"
  std::string chip;         // "GF110"
  std::string architecture; // compute capability, "2.0"
  std::string file;         // where it was read, "hwdb/gpus/m2090.yaml"
  std::vector<std::string> aliases;
  ByPath<FactRecord> facts;
  std::map<std::string, std::string, std::less<>> lacks; // facts the hardware has no units for -> why
  // Costs that are no facts of this GPU, by path (models/machine/inherit.hpp). A fact goes before them.
  ByPath<Estimate> estimates;

  double capability() const; // 9.0

  const FactRecord* record(std::string_view path) const {
    const auto at = facts.find(path);
    return at == facts.end() ? nullptr : &at->second;
  }

  template <class Q> const FactRecord* record(const Key<Q>& key) const { return facts.indexed(key.index); }

  template <class Q> std::optional<Fact<Q>> find(const Key<Q>& key) const {
    const FactRecord* r = record(key);
    if (r == nullptr) return std::nullopt;
    return Fact<Q>{value_of<Q>(*r), r};
  }

  // Throws InputError that says which fact is missing and where it belongs, or why the hardware has none.
  template <class Q> Fact<Q> at(const Key<Q>& key) const {
    if (auto fact = find(key)) return *std::move(fact);
    throw_missing(key.path, key.meaning);
  }

  // A cost in base units: a fact, or an estimate on this GPU as it is.
  struct Cost {
    double value = 0, low = 0, high = 0;
    Grade grade = Grade::known;
    const FactRecord* record = nullptr; // of a fact
    const Estimate* estimate = nullptr; // of an estimate
    double shifted(const Shift& shift, std::string_view path) const {
      if (shift.draw > 0) return value_at(place_in_range(path, shift.draw), low, value, high);
      return grade == Grade::known || grade != shift.grade ? value : shift.high ? high : low;
    }
  };
  // Whether the hardware has this cost at all, known or not.
  template <class Q> bool has_cost(const Key<Q>& key) const { return cost_of(key).has_value(); }
  // Throws InputError that names the missing fact, where it is neither known nor can be estimated.
  template <class Q> Cost cost(const Key<Q>& key) const {
    if (const std::optional<Cost> found = cost_of(key)) return *found;
    throw_missing(key.path, key.meaning);
  }
  // The same by name; empty where there is none.
  std::optional<Cost> cost_of(std::string_view path) const;
  // Whether somebody measured or printed it for this GPU, be it before --set changed what it goes with.
  template <class Q> bool has_own(const Key<Q>& key) const {
    if (record(key) != nullptr) return true;
    const Estimate* estimate = estimates.indexed(key.index);
    return estimate != nullptr && estimate->own;
  }
  // What a fact is a multiple of: the product of the costs that `scale` names; empty where one is missing.
  std::optional<double> basis_of(const KeyInfo& key) const;

  // The new record goes before the old one, which stays visible as its rival.
  void put(std::string_view path, FactRecord record);

private:
  static Cost known_cost(const FactRecord& r) {
    const double value = r.values.front();
    const auto or_value = [&](double end) { return std::isnan(end) ? value : end; };
    return {value, or_value(r.low), or_value(r.high), Grade::known, &r, nullptr};
  }
  template <class Q> std::optional<Cost> cost_of(const Key<Q>& key) const {
    if (const FactRecord* r = record(key); r != nullptr && !r->values.empty()) return known_cost(*r);
    const Estimate* estimate = estimates.indexed(key.index);
    return estimate == nullptr ? std::nullopt : estimated(*estimate, info(key));
  }
  // Empty where what it is a multiple of is missing.
  std::optional<Cost> estimated(const Estimate& estimate, const KeyInfo& key) const;
  template <class Q> static Q value_of(const FactRecord& r) {
    if constexpr (KindOf<Q>::kind == FactKind::text)
      return r.text;
    else if constexpr (KindOf<Q>::kind == FactKind::list)
      return Q(r.values.begin(), r.values.end());
    else
      return Q(r.values.front());
  }
  [[noreturn]] void throw_missing(std::string_view path, std::string_view meaning) const;
};

// What our own probes found out.
struct Constant {
  std::string path;
  double value = 0;         // base units, the median
  double low = 0, high = 0; // 5th and 95th percentile
  std::string probe;        // which probe found it
  std::string source;       // on what, when, at what clock
  std::string place;        // the file it was read from
};

// Whether a reading of ours says something else than the fact that is there: by more than 2 %. A list or a
// word is no other reading.
bool differ(const Constant& found, const FactRecord& there);

// Facts that are absent are filled. Of those that are there, a reading of ours that differs takes the place
// of somebody else's reading (of another card, mostly), and where `over` is everything, ours takes the place
// of all, also of what a maker prints; what loses stands among the rivals.
enum class Over { readings, everything };
Gpu with_constants(Gpu gpu, std::span<const Constant> constants, Over over);

} // namespace perfmodel
