// Contracts over every probe. The program without kernels has none, and the loops are empty.
#include "kernels/core/probe.hpp"

#include "models/core/error.hpp"
#include "models/core/fact.hpp"
#include "models/core/model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace perfmodel {

TEST(Probes, every_name_is_used_once) {
  std::set<std::string_view> names;
  for (const kernels::Probe& p : kernels::probes()) EXPECT_TRUE(names.insert(p.name).second) << p.name;
}

TEST(Probes, what_a_probe_provides_is_a_fact_and_no_other_probe_provides_it) {
  std::set<std::string_view> provided;
  for (const kernels::Probe& p : kernels::probes())
    for (const std::string_view path : p.provides) {
      EXPECT_NE(find_key(path), nullptr) << p.name << " provides " << path;
      EXPECT_TRUE(provided.insert(path).second) << p.name << " provides " << path;
    }
}

TEST(Probes, what_a_probe_shows_is_a_fact_that_no_probe_provides) {
  for (const kernels::Probe& p : kernels::probes())
    for (const std::string_view path : p.shows) {
      ASSERT_NE(find_key(path), nullptr) << p.name << " shows " << path;
      EXPECT_TRUE(std::ranges::none_of(
          kernels::probes(),
          [&](const kernels::Probe& other) { return std::ranges::count(other.provides, path) > 0; }))
          << path << " is measured by a probe, so nobody works it out";
    }
}

TEST(Probes, a_probe_measures_a_model_there_is_or_finds_constants) {
  for (const kernels::Probe& p : kernels::probes())
    EXPECT_TRUE(p.model.empty()
                    ? !p.provides.empty() || !p.shows.empty() || p.name.ends_with("-library") // a yardstick
                    : std::ranges::any_of(models(), [&](const Model& m) { return m.info.name == p.model; }))
        << p.name << " measures " << p.model;
}

TEST(Probes, a_probe_that_counts_says_what_for_a_model_or_a_constant) {
  for (const kernels::Probe& p : kernels::probes()) {
    EXPECT_EQ(p.count != nullptr, !p.counts.empty()) << p.name;
    EXPECT_TRUE(p.count == nullptr || !p.model.empty() || !p.provides.empty()) << p.name;
  }
}

TEST(Probes, a_machine_that_cannot_measure_says_so_in_one_sentence) {
  try {
    kernels::open_session({});
    GTEST_SKIP() << "this machine has a GPU";
  } catch (const MachineError& error) {
    const std::string text = error.what();
    EXPECT_FALSE(text.empty());
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  }
}

} // namespace perfmodel
