// Contracts of the files in hwdb/: whoever adds one is tested here.
#include "models/core/facts.hpp"
#include "models/core/quantity_text.hpp"
#include "tests/hwdb/cards.hpp"
#include "tests/models/ask.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace perfmodel::hwdb::files_test {

// Values that rest on somebody's memory, in devices' and architectures' files, rivals not counted. It only
// falls.
constexpr int unverified_values = 124;

const std::vector<Gpu>& every_architecture() {
  static const std::vector<Gpu> architectures = [] {
    std::vector<Gpu> all;
    for (const std::string& cc : database().architectures()) all.push_back(database().architecture(cc));
    return all;
  }();
  return architectures;
}

std::vector<std::string> folders_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(database().root() / folder))
    names.push_back(entry.path().filename().string());
  return names;
}

// "datasheet | vendor's text": the first column of the table of statuses.
TEST(Files, the_readme_explains_every_status) {
  std::ifstream in(database().root() / "README.md");
  const std::string readme{std::istreambuf_iterator<char>(in), {}};
  for (const std::string_view status : status_names)
    EXPECT_NE(readme.find(fmt::format("\n| `{}` | ", status)), std::string::npos) << status;
}

TEST(Files, all_26_gpus_and_31_architectures_load) {
  EXPECT_GE(every_gpu().size(), 26u);
  EXPECT_GE(every_architecture().size(), 31u);
}

TEST(Files, the_gpus_of_the_issue_answer_to_their_names_and_aliases) {
  const std::map<std::string, std::string> expected = {{"m2090", "m2090"},
                                                       {"c2050", "c2050"},
                                                       {"fermi", "c2050"},
                                                       {"c2070", "c2070"},
                                                       {"gtx280", "gtx280"},
                                                       {"gt200", "gtx280"},
                                                       {"gtx260", "gtx260"},
                                                       {"gtx260-192", "gtx260-192"},
                                                       {"c1060", "c1060"},
                                                       {"gtx480", "gtx480"},
                                                       {"gtx460", "gtx460"},
                                                       {"8800gtx", "8800gtx"},
                                                       {"g80", "8800gtx"},
                                                       {"k20c", "k20c"},
                                                       {"k40", "k40"},
                                                       {"gtx980", "gtx980"},
                                                       {"p100", "p100"},
                                                       {"v100", "v100"},
                                                       {"t4", "t4"},
                                                       {"a100-40", "a100-40"},
                                                       {"a100-80", "a100-80"},
                                                       {"a100", "a100-80"},
                                                       {"rtx3090", "rtx3090"},
                                                       {"rtx4090", "rtx4090"},
                                                       {"h100-sxm", "h100-sxm"},
                                                       {"h100", "h100-sxm"},
                                                       {"h100-pcie", "h100-pcie"},
                                                       {"h200", "h200"},
                                                       {"b200", "b200"},
                                                       {"rtx5090", "rtx5090"},
                                                       {"apple-m1", "apple-m1"},
                                                       {"m1", "apple-m1"}};
  for (const auto& [asked, name] : expected) EXPECT_EQ(database().gpu(asked).name, name) << asked;
}

TEST(Files, a_file_has_the_name_of_its_gpu_and_no_alias_is_taken_twice) {
  std::set<std::string> taken;
  for (const std::string& stem : database().names()) {
    const Gpu gpu = database().gpu(stem);
    EXPECT_EQ(gpu.name, stem);
    EXPECT_FALSE(gpu.title.empty()) << stem;
    EXPECT_TRUE(taken.insert(stem).second) << stem;
    for (const std::string& alias : gpu.aliases) {
      EXPECT_TRUE(taken.insert(alias).second) << stem << ": the alias " << alias << " is taken";
      EXPECT_EQ(database().gpu(alias).name, stem) << alias;
    }
  }
  for (const std::string& cc : database().architectures()) EXPECT_EQ(database().architecture(cc).name, cc);
}

TEST(Files, peaks_bandwidths_and_latencies_agree_with_one_another) {
  for (const Gpu& gpu : every_gpu())
    for (const std::string& slip : inconsistencies(gpu)) ADD_FAILURE() << gpu.name << ": " << slip;
}

TEST(Files, every_value_and_every_rival_has_a_source) {
  std::vector<Gpu> all = every_architecture();
  all.insert(all.end(), every_gpu().begin(), every_gpu().end());
  for (const Gpu& gpu : all)
    for (const auto& [path, fact] : gpu.facts) {
      EXPECT_FALSE(fact.source.empty()) << gpu.name << ": " << path;
      EXPECT_FALSE(fact.place.empty()) << gpu.name << ": " << path;
      EXPECT_TRUE(!fact.values.empty() || !fact.text.empty()) << gpu.name << ": " << path;
      for (const Rival& rival : fact.rivals) EXPECT_FALSE(rival.source.empty()) << gpu.name << ": " << path;
    }
}

TEST(Files, every_gpu_says_what_a_roofline_needs) {
  for (const Gpu& gpu : every_gpu()) {
    EXPECT_TRUE(gpu.find(facts::sm_count) && gpu.find(facts::clock) && gpu.find(facts::dram_bandwidth) &&
                gpu.find(facts::throughput_fp32_fma) && gpu.find(facts::warp_size) &&
                gpu.find(facts::max_threads_per_sm))
        << gpu.name;
  }
}

// Threads = warps x 32 on every chip NVIDIA has built.
TEST(Files, limits_of_an_sm_agree_with_one_another) {
  for (const Gpu& cc : every_architecture()) {
    EXPECT_EQ(cc.at(facts::max_threads_per_sm).value,
              cc.at(facts::max_warps_per_sm).value * cc.at(facts::warp_size).value)
        << cc.name;
    EXPECT_LE(cc.at(facts::max_threads_per_block).value, cc.at(facts::max_threads_per_sm).value) << cc.name;
    EXPECT_LE(cc.at(facts::shared_per_block).value, cc.at(facts::shared_per_sm).value) << cc.name;
  }
}

TEST(Files, the_number_of_unverified_values_only_falls) {
  int found = 0;
  const auto count = [&](const Gpu& gpu, Layer own) {
    for (const auto& [path, fact] : gpu.facts)
      found += fact.layer == own && fact.status == Status::unverified ? 1 : 0;
  };
  for (const Gpu& gpu : every_gpu()) count(gpu, Layer::device);
  for (const Gpu& cc : every_architecture()) count(cc, Layer::architecture);
  std::cout << found << " unverified values\n";
  EXPECT_LE(found, unverified_values) << "a value from memory was added: find a source for it";
  EXPECT_GE(found, unverified_values) << "well done: lower unverified_values in this file to " << found;
}

TEST(Files, every_published_series_belongs_to_a_gpu_and_is_named_after_its_model) {
  for (const std::string& name : folders_in("published")) {
    const auto names = database().names();
    const auto is_card = [&](const std::string& card) {
      return std::find(names.begin(), names.end(), card) != names.end();
    };
    const std::vector<Series> all = database().published(name);
    EXPECT_FALSE(all.empty()) << name;
    for (const Series& s : all) {
      EXPECT_EQ(s.gpu, name) << s.place;
      // A card, or the chip of those that it may be.
      EXPECT_TRUE(name == "any" || name == "host" || is_card(name) || s.cards.size() > 1) << s.place;
      for (const std::vector<std::string>* cards : {&s.cards, &s.shown})
        for (const std::string& card : *cards) {
          ASSERT_TRUE(is_card(card)) << s.place << ": " << card;
          std::string chip = database().gpu(card).chip;
          std::transform(chip.begin(), chip.end(), chip.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
          EXPECT_EQ(chip, name) << s.place << ": " << card;
        }
      EXPECT_NE(s.place.find("/" + s.model + ".yaml"), std::string::npos)
          << s.place << " holds a series of " << s.model;
      EXPECT_FALSE(s.source.empty() || s.quantity.empty()) << s.place;
      EXPECT_GT(s.table.rows(), 0u) << s.place;
      EXPECT_NE(s.table.find(s.value), nullptr) << s.place;
      for (const auto& [path, text] : s.facts)
        EXPECT_EQ(error_of([&, p = path, t = text] { with_fact(Gpu{}, p, std::string_view(t)); }), "no error")
            << s.place;
    }
  }
}

} // namespace perfmodel::hwdb::files_test
