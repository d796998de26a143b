// hwdb/facts/: what the generator of the typed keys reads and refuses, and contracts over every fact.
#include "hwdb/measured.hpp"
#include "hwdb/yaml_map.hpp"
#include "models/core/error.hpp"
#include "models/core/fact_readers.hpp"
#include "models/core/facts.hpp"
#include "models/core/quantity_text.hpp"
#include "tests/cli/program.hpp"
#include "tests/models/ask.hpp"

#include <cmath>
#include <cstdlib>
#include <map>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace perfmodel::fact_keys_test {

// What the generator says to a file of these lines after its first, the question; else the header it made.
std::string generated(const std::string& lines, const std::string& groups = "chip") {
  const Scratch scratch;
  write(scratch / "chip.yaml", "# What is the chip?\n" + lines);
  const std::string run = fmt::format("cd '{}' && '{}' -DFROM=. -DINTO=. '-DGROUPS={}' -P "
                                      "'{}/models/core/facts.cmake' >said 2>&1",
                                      scratch.path(), PERFMODEL_CMAKE, groups, PERFMODEL_SOURCE_DIR);
  const int code = std::system(run.c_str());
  EXPECT_EQ(code != 0, contents(scratch / "said").find("CMake Error") != std::string::npos) << lines;
  return code != 0 ? contents(scratch / "said")
                   : contents(scratch / "fact_keys.hpp") + contents(scratch / "fact_keys.cpp");
}

void expect_says(const std::string& lines, const std::string& sentence) {
  EXPECT_NE(generated(lines).find(sentence), std::string::npos) << lines << "should say: " << sentence << "\n"
                                                                << generated(lines);
}

TEST(FactKeys, a_line_becomes_a_typed_key_and_its_entry) {
  expect_says("dram.size: {unit: B, least: 1e8, most: 1e13, meaning: \"device memory\"}\n",
              "inline constexpr Key<Bytes> dram_size{\"dram.size\", \"device memory\", 0};");
  const std::string all =
      generated("# a remark\n\na: {unit: list of 1/s, least: 0, most: 1, meaning: \"[x; y]: {z}, 'w' # 3\"}\n"
                "a.b: {unit: cycle, least: 1, most: 1e3, scale: sm_count clock, since: 2.0, assume: [10, "
                "6e1], why: \"as on others\", "
                "probe: b-c, unread: \"so\", meaning: \"m\"}\n"
                "t: {unit: text, meaning: \"a word\"}\n");
  for (const char* part :
       {"Key<std::vector<PerSecond>> a{\"a\", \"[x; y]: {z}, 'w' # 3\", 0};",
        "Key<Cycles> a_b{\"a.b\", \"m\", 1};", ".scale = \"sm_count clock\"", ".since = 2.0",
        ".assumed_low = 10", ".assumed_high = 6e1", ".why = \"as on others\"", ".probe = \"b-c\"",
        "    \"so\", // a.b", "Key<std::string> t{\"t\", \"a word\", 2};"})
    EXPECT_NE(all.find(part), std::string::npos) << part << " is not in\n" << all;
}

TEST(FactKeys, a_line_that_cannot_be_read_is_refused_with_its_place) {
  const std::string rest = "least: 1, most: 2, meaning: \"m\"}\n";
  const auto with = [&](const std::string& more) { return "x: {unit: B, " + more + rest; };
  expect_says("x: {unit: furlong, " + rest, "/chip.yaml:2: unknown unit 'furlong'; it is text, count, B, ");
  expect_says("x: {unit: list of text, " + rest, "unknown unit 'list of text'");
  expect_says("x: {" + rest, "chip.yaml:2: x lacks 'unit'");
  expect_says("x: {unit: B, least: 1, most: 2}\n", "x lacks 'meaning'");
  expect_says("x: {unit: B, most: 2, meaning: \"m\"}\n", "x lacks 'least'");
  expect_says("x: {unit: B, least: 1, meaning: \"m\"}\n", "x lacks 'most'");
  expect_says("x: {unit: B, least: 3, most: 2.5, meaning: \"m\"}\n",
              "the least of x, 3, is above its most, 2.5");
  expect_says("x: {unit: B, least: 2 KiB, most: 1e9, meaning: \"m\"}\n", "'2 KiB' is no number");
  expect_says("x: {unit: text, " + rest, "x is a text and has no 'least'");
  expect_says("x: {unit: B, " + rest + "\nx: {unit: B, " + rest, "chip.yaml:4: the fact x is there twice");
  expect_says("x.y: {unit: B, " + rest + "x_y: {unit: B, " + rest, "another fact is called x_y in C++");
  expect_says(with("unit: B, "), "'unit' is given twice");
  expect_says(with("colour: red, "), "a fact has no member 'colour', but unit, least,");
  expect_says(with("probe: \"p\", "), "'probe' has no quotes");
  expect_says("x: {unit: B, least: 1, most: 2, meaning: m}\n", "'meaning' is a text in quotes");
  expect_says("x: {unit: B, least: 1, most: 2, meaning: \"\"}\n", "'meaning' is empty");
  expect_says("x: {unit: B, least: 1, most: 2, meaning: \"a \\\" b\"}\n", "does not go on as member: value");
  expect_says("x: {unit: B least: 1, most: 2, meaning: \"m\"}\n", "does not go on as member: value");
  expect_says("x:\n  unit: B\n", "chip.yaml:2: a fact is one line such as");
  expect_says("x: {unit: B, " + rest.substr(0, rest.size() - 1), "the last line has no end");
  expect_says(with("scale: 2x, "), "'2x' is no way to scale x; it is 'same', or facts");
  expect_says(with("scale: clock, like: fma.latency, "), "x goes with another fact in one way, and has two");
  expect_says(with("since: 7, "), "'7' is no compute capability such as 2.0");
  expect_says(with("scale: same, assume: 1.5, why: \"w\", "), "'1.5' is no range such as [10, 60]");
  expect_says(with("scale: same, assume: [2, 1], why: \"w\", "),
              "the assumed range [2, 1] of x does not rise");
  expect_says(with("assume: [1, 2], why: \"w\", "), "'scale' is missing");
  expect_says(with("scale: same, assume: [1, 2], "), "the assumed range of x needs its reason, 'why'");
  expect_says(with("why: \"w\", "), "x has no 'assume'");
  EXPECT_NE(generated("", "").find("/chip.yaml: models/CMakeLists.txt does not list this group"),
            std::string::npos);
}

// The generator reads lines; a YAML library reads the same in them.
TEST(FactKeys, the_files_are_yaml_and_say_what_the_keys_say) {
  std::set<std::string> seen;
  for (const auto& file : std::filesystem::directory_iterator(PERFMODEL_SOURCE_DIR "/hwdb/facts")) {
    const std::string name = file.path().filename().string();
    const YAML::Node root = hwdb::parse_yaml(contents(file.path()), name);
    for (const auto& entry : root) {
      const auto path = entry.first.as<std::string>();
      const KeyInfo* key = find_key(path);
      ASSERT_NE(key, nullptr) << path;
      EXPECT_TRUE(seen.insert(path).second) << path;
      hwdb::YamlMap fact(entry.second, name, path);
      const std::string unit = fact.text("unit");
      const std::string element = unit.substr(unit.starts_with("list of ") ? 8 : 0);
      EXPECT_EQ(key->kind, unit == "text"    ? FactKind::text
                           : element != unit ? FactKind::list
                                             : FactKind::number);
      EXPECT_EQ(base_symbol(key->dimension), element == "text" || element == "count" ? "" : element) << path;
      EXPECT_EQ(key->meaning, fact.text("meaning"));
      EXPECT_EQ(key->probe, fact.text_or("probe", "")) << path;
      EXPECT_EQ(unread_because(*key), fact.text_or("unread", "")) << path;
      const std::string like = fact.text_or("like", ""), share = fact.text_or("share", "");
      EXPECT_EQ(key->scale, like + share + fact.text_or("scale", "")) << path;
      EXPECT_EQ(key->follows, like.empty()) << path;
      EXPECT_EQ(key->carried_over, share.empty()) << path;
      EXPECT_EQ(key->since, std::stod(fact.text_or("since", "0"))) << path;
      EXPECT_EQ(key->why, fact.text_or("why", "")) << path;
      EXPECT_EQ(key->above, fact.text_or("above", "")) << path;
      if (key->kind != FactKind::text) {
        EXPECT_EQ(key->least, std::stod(fact.text("least"))) << path;
        EXPECT_EQ(key->most, std::stod(fact.text("most"))) << path;
      }
      if (fact.find("assume") != nullptr) {
        EXPECT_EQ(key->assumed_low, std::stod(fact.texts("assume").front())) << path;
        EXPECT_EQ(key->assumed_high, std::stod(fact.texts("assume").back())) << path;
      } else {
        EXPECT_TRUE(std::isnan(key->assumed_low) && std::isnan(key->assumed_high)) << path;
      }
      fact.finish();
    }
  }
  EXPECT_EQ(seen.size(), all_keys().size());
}

TEST(FactKeys, a_fact_goes_with_facts_that_are_numbers) {
  for (const KeyInfo& key : all_keys())
    for (const std::string& factor : words(std::string(key.scale)))
      EXPECT_TRUE(factor == "same" ||
                  (find_key(factor) != nullptr && find_key(factor)->kind == FactKind::number))
          << key.path << " is to go with " << factor;
}

TEST(FactKeys, the_committed_run_found_each_fact_with_the_probe_that_the_key_names) {
  std::size_t found = 0;
  for (const auto& file : database().measured_files("h200"))
    for (const Constant& c : hwdb::constants_of(database().run(file), file.filename().string())) {
      EXPECT_EQ(find_key(c.path)->probe, c.probe) << c.path;
      ++found;
    }
  EXPECT_GT(found, 100u);
}

bool reads(std::string_view model, const KeyInfo& key) {
  return fmt::format(", {}, ", readers_of(key)).find(fmt::format(", {}, ", model)) != std::string::npos;
}

TEST(FactReaders, a_fact_is_read_by_a_model_or_says_what_it_is_there_for) {
  for (const KeyInfo& key : all_keys())
    EXPECT_EQ(readers_of(key).empty(), !unread_because(key).empty())
        << key.path << " is read by '" << readers_of(key) << "' and says '" << unread_because(key) << "'";
}

TEST(FactReaders, models_are_told_by_their_sources) {
  EXPECT_TRUE(reads("occupancy", info(facts::registers_per_sm)));
  EXPECT_TRUE(reads("matmul", info(facts::kernel_turnover)));
  EXPECT_TRUE(reads("roofline", info(facts::dram_bandwidth)));
  EXPECT_TRUE(reads("instruction-throughput", info(facts::latency_popc))) << "after using namespace facts";
  EXPECT_EQ(readers_of(info(facts::pcie_bandwidth)), "transfer, all-reduce, shared-memory");
  EXPECT_TRUE(reads("roofline", info(facts::registers_per_sm))) << "of a launch whose bytes are in flight";
  EXPECT_FALSE(reads("balance", info(facts::registers_per_sm)));
  EXPECT_FALSE(reads("warp", info(facts::kernel_turnover)));
  for (const Model& model : models())
    EXPECT_TRUE(model.info.gpu == GpuUse::none ||
                std::any_of(all_keys().begin(), all_keys().end(),
                            [&](const KeyInfo& key) { return reads(model.info.name, key); }))
        << model.info.name;
}

// Whatever --explain shows was read.
TEST(FactReaders, every_fact_that_a_model_explains_names_the_model) {
  std::size_t explained = 0;
  for (const char* gpu : {"gtx280", "m2090", "h200"})
    for (const Model& model : models()) {
      Request request;
      request.explain = request.quick_grades = true;
      for (const auto& [name, text] : small_problem(model))
        request.inputs.push_back({name, parse_values(*model.find(name), text)});
      const Gpu device = database().completed(database().gpu(gpu));
      Result result;
      try {
        result = predict(model, std::span(&device, 1), request);
      } catch (const InputError&) {
        continue; // a fact is missing
      }
      for (const Derivation& derivation : result.derivations)
        for (const Step& step : derivation.steps)
          // Which clock a printed peak assumes stands beside the peak, not in a source.
          if (const KeyInfo* key =
                  step.is_fact && step.symbol.rfind("clock.", 0) != 0 ? find_key(step.symbol) : nullptr) {
            EXPECT_TRUE(reads(model.info.name, *key)) << model.info.name << " reads " << key->path;
            ++explained;
          }
    }
  EXPECT_GT(explained, 200u);
}

} // namespace perfmodel::fact_keys_test
