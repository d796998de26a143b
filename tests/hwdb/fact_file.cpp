#include "models/core/facts.hpp"
#include "tests/hwdb/cards.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace perfmodel::hwdb::fact_file_test {

TEST(FactFile, a_card_is_read_with_everything_it_says) {
  const Gpu gpu = parse(card);
  EXPECT_EQ(gpu.name, "card");
  EXPECT_EQ(gpu.title, "My card");
  EXPECT_EQ(gpu.aliases, std::vector<std::string>{"c"});
  EXPECT_EQ(gpu.architecture, "3.5");
  EXPECT_EQ(gpu.file, "card.yaml");
  const FactRecord& r = *gpu.record("dram.bandwidth");
  EXPECT_EQ(r.values, std::vector<double>{288e9});
  EXPECT_EQ(r.status, Status::derived);
  EXPECT_EQ(r.layer, Layer::device);
  EXPECT_EQ(r.source, "Board manual");
  EXPECT_EQ(r.note, "bus x rate");
  EXPECT_EQ(r.place, "card.yaml:7");
}

TEST(FactFile, several_sources_that_agree_are_all_named) {
  EXPECT_EQ(parse(with(card, "source: manual}", "source: [manual, lecture]}")).record("sm_count")->source,
            "Board manual; A lecture");
}

TEST(FactFile, rivals_are_values_or_ranges) {
  const Gpu gpu = parse(
      card + "  dram.latency:\n"
             "    value: 331 cycle\n"
             "    status: measured\n"
             "    source: lecture\n"
             "    also:\n"
             "      - {value: 340 cycle, status: measured, source: manual}\n"
             "      - {from: 300 cycle, to: 400 cycle, status: unverified, source: lecture, note: about}\n");
  const FactRecord& r = *gpu.record("dram.latency");
  EXPECT_EQ(r.values, std::vector<double>{331});
  ASSERT_EQ(r.rivals.size(), 2u);
  EXPECT_EQ(r.rivals[0].low, 340);
  EXPECT_EQ(r.rivals[0].high, 340);
  EXPECT_EQ(r.rivals[1].low, 300);
  EXPECT_EQ(r.rivals[1].high, 400);
  EXPECT_EQ(r.rivals[1].note, "about");
}

TEST(FactFile, sources_of_its_own_are_known_to_it) {
  EXPECT_EQ(parse(with(with(card, "facts:", "sources: {letter: A letter}\nfacts:"), "source: manual",
                       "source: letter"))
                .record("sm_count")
                ->source,
            "A letter");
}

TEST(FactFile, lists_and_words_are_facts_too) {
  const Gpu gpu =
      parse(card + "  coalescing.transactions: {value: [32 B, 128 B], status: datasheet, source: manual}\n"
                   "  dram.type: {value: GDDR5, status: datasheet, source: manual}\n");
  EXPECT_EQ(gpu.at(facts::coalescing_transactions).value.size(), 2u);
  EXPECT_EQ(gpu.at(facts::dram_type).value, "GDDR5");
}

TEST(FactFile, an_architecture_has_its_facts_in_its_own_layer) {
  const Gpu cc = parse_facts(
      "name: \"3.5\"\ntitle: Kepler\nfacts:\n  schedulers: {value: 4, status: datasheet, source: manual}\n",
      "3.5.yaml", FileKind::architecture, sources);
  EXPECT_EQ(cc.architecture, "3.5");
  EXPECT_EQ(cc.record("schedulers")->layer, Layer::architecture);
  const Gpu below =
                resolve(parse(card + "  schedulers: {value: 2, status: datasheet, source: manual}\n"), cc),
            fills = resolve(parse(card), cc);
  EXPECT_EQ(below.record("schedulers")->values[0], 2) << "the device's own value stays";
  EXPECT_EQ(fills.record("schedulers")->values[0], 4);
}

TEST(FactFile, an_architecture_says_what_it_lacks_unless_a_device_has_it) {
  const auto kepler = [](const std::string& lacks) {
    return parse_facts("name: \"3.5\"\ntitle: Kepler\nlacks: " + lacks +
                           "\nfacts:\n  schedulers: {value: 4, status: datasheet, source: manual}\n",
                       "3.5.yaml", FileKind::architecture, sources);
  };
  const Gpu cc = kepler("{throughput.fp16_fma: no fp16}");
  EXPECT_EQ(resolve(parse(card), cc).lacks.at("throughput.fp16_fma"), "no fp16");
  EXPECT_TRUE(
      resolve(parse(card + "  throughput.fp16_fma: {value: 2, status: datasheet, source: manual}\n"), cc)
          .lacks.empty());
  EXPECT_EQ(error_of([&] { kepler("{throughput.fp16_fam: no fp16}"); }),
            "3.5.yaml:3: unknown key 'throughput.fp16_fam' (did you mean 'throughput.fp16_fma'?)");
  EXPECT_EQ(error_of([&] { kepler("{schedulers: none}"); }),
            "3.5.yaml:5: 'schedulers' stands under 'lacks', too");
}

TEST(FactFile, a_missing_key_is_named) {
  EXPECT_EQ(why(with(card, "name: card\n", "")), "card.yaml:1: the file has no 'name'");
  EXPECT_EQ(why(with(card, "title: My card\n", "")), "card.yaml:1: the file has no 'title'");
  EXPECT_EQ(why(with(card, "architecture: \"3.5\"\n", "")), "card.yaml:1: the file has no 'architecture'");
  EXPECT_EQ(why("name: a\ntitle: b\narchitecture: c\n"), "card.yaml:1: the file has no 'facts'");
  EXPECT_EQ(why_fact("clock: {status: datasheet, source: manual}"),
            "card.yaml:8: fact 'clock' has no 'value'");
  EXPECT_EQ(why_fact("clock: {value: 1 GHz, source: manual}"), "card.yaml:8: fact 'clock' has no 'status'");
  EXPECT_EQ(why_fact("clock: {value: 1 GHz, status: datasheet}"),
            "card.yaml:8: fact 'clock' has no 'source'");
}

TEST(FactFile, an_unknown_key_comes_with_the_nearest) {
  EXPECT_EQ(why(with(card, "aliases", "alias")),
            "card.yaml:3: the file has an unknown key 'alias' (did you mean 'aliases'?)");
  EXPECT_EQ(why_fact("sm_cuont: {value: 12, status: datasheet, source: manual}"),
            "card.yaml:8: unknown key 'sm_cuont' (did you mean 'sm_count'?)");
  EXPECT_EQ(why_fact("clock: {value: 1 GHz, status: datasheet, source: manual, note: a, claim: b}"),
            "card.yaml:8: fact 'clock' has an unknown key 'claim'");
  EXPECT_EQ(why_fact("clock: {value: 1 GHz, staus: datasheet, status: derived, source: manual}"),
            "card.yaml:8: fact 'clock' has an unknown key 'staus' (did you mean 'status'?)");
  EXPECT_EQ(why_fact(std::string(90, 'q') + ": 1"),
            "card.yaml:8: unknown key '" + std::string(60, 'q') + "'");
}

TEST(FactFile, a_key_that_stands_twice_is_refused_at_every_level) {
  EXPECT_EQ(why("name: a\n" + card), "card.yaml:2: the file has the key 'name' twice, first on line 1");
  EXPECT_EQ(why_fact("sm_count: {value: 15, status: datasheet, source: manual}"),
            "card.yaml:8: 'facts' has the key 'sm_count' twice, first on line 6");
  EXPECT_EQ(why_fact("clock: {value: 1 GHz, value: 2 GHz, status: datasheet, source: manual}"),
            "card.yaml:8: fact 'clock' has the key 'value' twice, first on line 8");
}

TEST(FactFile, a_wrong_unit_is_named_with_the_one_expected) {
  EXPECT_EQ(why_fact("clock: {value: 1 GB/s, status: datasheet, source: manual}"),
            "card.yaml:8: 'clock': '1 GB/s' is in B/s; a clock such as 1.3GHz is expected");
  EXPECT_EQ(why_fact("clock: {value: 1 gigahertz, status: datasheet, source: manual}"),
            "card.yaml:8: 'clock': '1 gigahertz' has an unknown unit 'gigahertz'");
  EXPECT_EQ(why_fact("clock: {value: fast, status: datasheet, source: manual}"),
            "card.yaml:8: 'clock': 'fast' is not a number with a unit, such as '177 GB/s'");
  EXPECT_EQ(why_fact("clock: {value: nan, status: datasheet, source: manual}"),
            "card.yaml:8: 'clock': 'nan' is not a number with a unit, such as '177 GB/s'");
  EXPECT_EQ(why_fact("clock: {value: 1e999 Hz, status: datasheet, source: manual}"),
            "card.yaml:8: 'clock': '1e999 Hz' is larger than a number can be");
}

TEST(FactFile, a_slip_of_a_thousand_is_noticed) {
  EXPECT_EQ(why_fact("clock: {value: 1301 GHz, status: datasheet, source: manual}"),
            "card.yaml:8: 'clock': 1.301 THz is outside 100 MHz to 10 GHz: is a prefix wrong?");
  EXPECT_EQ(why_fact("clock: {value: 1301, status: datasheet, source: manual}"),
            "card.yaml:8: 'clock': 1.301 kHz is outside 100 MHz to 10 GHz: is a prefix wrong?");
  EXPECT_EQ(why_fact("clock: {value: -1 GHz, status: datasheet, source: manual}"),
            "card.yaml:8: 'clock': -1 GHz is outside 100 MHz to 10 GHz: is a prefix wrong?");
  EXPECT_EQ(why_fact("clock: {value: 100 MHz, status: datasheet, source: manual}"), "no error")
      << "the edge itself is plausible";
  EXPECT_EQ(why_fact("clock: {value: 10 GHz, status: datasheet, source: manual}"), "no error");
}

TEST(FactFile, an_unknown_status_source_or_clock_is_refused) {
  EXPECT_EQ(why_fact("clock: {value: 1 GHz, status: datashet, source: manual}"),
            "card.yaml:8: unknown status 'datashet' (did you mean 'datasheet'?); one of datasheet, "
            "secondary, published, measured, derived, "
            "fitted, unverified is expected");
  EXPECT_EQ(why_fact("clock: {value: 1 GHz, status: datasheet, source: manul}"),
            "card.yaml:8: unknown source 'manul' (did you mean 'manual'?)");
  EXPECT_EQ(why_fact("clock: {value: 1 GHz, status: datasheet, source: []}"),
            "card.yaml:8: a value without a source");
  EXPECT_EQ(why_fact("peak.fp32: {value: 4 Tflop/s, status: datasheet, source: manual, clock: clock.boost}"),
            "card.yaml:8: 'peak.fp32' assumes the clock 'clock.boost', which the file does not give");
}

TEST(FactFile, a_value_of_the_wrong_shape_is_refused) {
  EXPECT_EQ(why_fact("clock: {value: [1 GHz, 2 GHz], status: datasheet, source: manual}"),
            "card.yaml:8: 'clock' takes one value");
  EXPECT_EQ(why_fact("clock: {value: [], status: datasheet, source: manual}"),
            "card.yaml:8: 'clock' takes at least one value");
  EXPECT_EQ(why_fact("clock: {value: {a: b}, status: datasheet, source: manual}"),
            "card.yaml:8: 'value' of fact 'clock' is neither a value nor a list");
  EXPECT_EQ(why_fact("clock: {value: , status: datasheet, source: manual}"),
            "card.yaml:8: 'value' of fact 'clock' is neither a value nor a list");
  EXPECT_EQ(why_fact("clock: {value: [[1 GHz]], status: datasheet, source: manual}"),
            "card.yaml:8: 'value' of fact 'clock' holds more than plain values");
  EXPECT_EQ(why_fact("clock: 1 GHz"), "card.yaml:8: fact 'clock' is not a map of keys and values");
  EXPECT_EQ(why_fact("clock:"), "card.yaml:8: fact 'clock' is not a map of keys and values");
  EXPECT_EQ(why_fact("dram.type: {value: [a, b], status: datasheet, source: manual}"),
            "card.yaml:8: 'value' of fact 'dram.type' is not a plain value");
  EXPECT_EQ(why_fact("clock: {value: 1 GHz, status: [datasheet], source: manual}"),
            "card.yaml:8: 'status' of fact 'clock' is not a plain value");
  EXPECT_EQ(why_fact("[a, b]: 1"), "card.yaml:8: 'facts' has a key that is no plain word");
  EXPECT_EQ(why("name: a\ntitle: b\narchitecture: c\nfacts: [1]\n"),
            "card.yaml:4: 'facts' is not a map of keys and values");
  EXPECT_EQ(why(with(card, "name: card", "name: [card]")),
            "card.yaml:1: 'name' of the file is not a plain value");
}

TEST(FactFile, rivals_are_held_to_the_same_rules) {
  const auto rival = [](const std::string& text) {
    return why_fact("clock: {value: 1 GHz, status: datasheet, source: manual, also: " + text + "}");
  };
  EXPECT_EQ(rival("[{value: 1.1 GHz, status: datasheet, source: manual}]"), "no error");
  EXPECT_EQ(rival("{value: 1 GHz}"), "card.yaml:8: 'also' of 'clock' is not a list");
  EXPECT_EQ(rival("[1 GHz]"), "card.yaml:8: rival of 'clock' is not a map of keys and values");
  EXPECT_EQ(rival("[{from: 1 GHz, status: datasheet, source: manual}]"),
            "card.yaml:8: rival of 'clock' has no 'to'");
  EXPECT_EQ(rival("[{from: 2 GHz, to: 1 GHz, status: datasheet, source: manual}]"),
            "card.yaml:8: rival of 'clock' ends below its start");
  EXPECT_EQ(rival("[{value: 1 THz, status: datasheet, source: manual}]"),
            "card.yaml:8: 'clock': 1 THz is outside 100 MHz to 10 GHz: is a prefix wrong?");
  EXPECT_EQ(rival("[{value: 1 GHz, from: 1 GHz, status: datasheet, source: manual}]"),
            "card.yaml:8: rival of 'clock' has an unknown key 'from'");
  EXPECT_EQ(why_fact("dram.type: {value: HBM, status: datasheet, source: manual, also: []}"),
            "card.yaml:8: 'dram.type' is no single number and has no rivals");
}

TEST(Sources, are_a_map_of_keys_and_texts) {
  EXPECT_EQ(parse_sources("a: One\nb: Two\n", "sources.yaml").at("b"), "Two");
  EXPECT_EQ(error_of([] { parse_sources("a: 1\na: 2\n", "sources.yaml"); }),
            "sources.yaml:2: the list of sources has the key 'a' twice, first on line 1");
  EXPECT_EQ(error_of([] { parse_sources("a: [1]\n", "sources.yaml"); }),
            "sources.yaml:1: 'a' of the list of sources is not a plain value");
  EXPECT_EQ(error_of([] { parse_sources("", "sources.yaml"); }),
            "sources.yaml:1: the list of sources is not a map of keys and values");
}

// It is typed, looked up in folders and written into every answer.
TEST(FactFile, a_name_is_a_plain_word) {
  const auto why_name = [](const std::string& name) {
    return why(with(card, "name: card", "name: " + name));
  };
  for (const char* name : {"a", "h200", "H200", "my-card_2.1", "2.0", "\"9\""})
    EXPECT_EQ(why_name(name), "no error") << name;
  EXPECT_EQ(why_name(std::string(60, 'a')), "no error");
  for (const std::string& name :
       {std::string("my card"), std::string("../h200"), std::string("a/b"), std::string("\"=1+1\""),
        std::string("-a"), std::string(".a"), std::string("_a"), std::string("\"a\\x1b[31m\""),
        std::string("\"a\\nb\""), std::string("\"\""), std::string("\"a|b\""), std::string("\"[a](b)\""),
        std::string("gr\xC3\xB6\xC3\x9F"), std::string(61, 'a')}) {
    const std::string said = why_name(name);
    EXPECT_NE(said.find(" is no plain word: 1 to 60 letters, digits, '-', '.' and '_' are expected"),
              said.npos)
        << name << ": " << said;
    EXPECT_EQ(said.find('\x1b'), said.npos);
  }
}

} // namespace perfmodel::hwdb::fact_file_test
