#include "models/core/gpu.hpp"
#include "tests/hwdb/cards.hpp"
#include "tests/models/ask.hpp"

#include <gtest/gtest.h>

namespace perfmodel::hwdb::fact_text_test {

void expect_same_facts(const Gpu& a, const Gpu& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.title, b.title);
  EXPECT_EQ(a.chip, b.chip);
  EXPECT_EQ(a.architecture, b.architecture);
  EXPECT_EQ(a.aliases, b.aliases);
  for (const auto& [path, fact] : a.facts) {
    if (fact.layer == Layer::architecture) continue;
    const FactRecord* back = b.record(path);
    ASSERT_NE(back, nullptr) << a.name << ": " << path;
    EXPECT_EQ(back->values, fact.values) << a.name << ": " << path;
    EXPECT_EQ(back->text, fact.text) << a.name << ": " << path;
    EXPECT_EQ(back->status, fact.status) << a.name << ": " << path;
    EXPECT_EQ(back->source, fact.source) << a.name << ": " << path;
    EXPECT_EQ(back->note, fact.note) << a.name << ": " << path;
    EXPECT_EQ(back->clock, fact.clock) << a.name << ": " << path;
  }
}

TEST(FactText, every_gpu_reads_back_with_the_same_values) {
  for (const Gpu& gpu : every_gpu()) {
    const Gpu back = parse_facts(to_yaml(gpu), gpu.name + ".yaml", FileKind::gpu, {});
    expect_same_facts(gpu, back);
    for (const auto& [path, fact] : back.facts)
      EXPECT_NE(gpu.record(path)->layer, Layer::architecture) << gpu.name << ": " << path;
    EXPECT_EQ(to_yaml(back), to_yaml(gpu)) << gpu.name;
  }
}

TEST(FactText, odd_characters_survive) {
  Gpu gpu = parse(card);
  gpu.title = "a \"quoted\" \\ title: {with, [brackets]} # and more";
  gpu.facts["dram.type"] = {
      .text = "- *alias &anchor", .source = "line one\nline two\ttab \x01", .note = "note: \x7f, µs, 'x'"};
  expect_same_facts(gpu, parse_facts(to_yaml(gpu), "card.yaml", FileKind::gpu, {}));
}

TEST(FactText, a_measured_constant_is_written_as_a_fact_of_the_device) {
  const Constant c{.path = "sustained.dram", .value = 1234567890123.4567, .probe = "dram", .source = "ours"};
  const Gpu back = parse_facts(to_yaml(with_constants(parse(card), {&c, 1}, Over::everything)), "card.yaml",
                               FileKind::gpu, {});
  EXPECT_EQ(back.record("sustained.dram")->values, std::vector<double>{1234567890123.4567});
  EXPECT_EQ(back.record("sustained.dram")->status, Status::measured);
}

} // namespace perfmodel::hwdb::fact_text_test
