// A user's hardware file, as a GPU and as an architecture, with the real list of keys.
#include "target.hpp"

#include "hwdb/fact_file.hpp"

#include <cmath>

using namespace perfmodel;

namespace {

void check(const Gpu& gpu) {
  for (const auto& [path, fact] : gpu.facts) {
    const KeyInfo* key = find_key(path);
    fuzz::promise(key != nullptr, "only known facts are loaded");
    fuzz::promise(!fact.source.empty(), "every value has a source");
    fuzz::promise((key->kind == FactKind::text) == fact.values.empty(),
                  "numbers are numbers, words are words");
    for (const double v : fact.values)
      fuzz::promise(v >= key->least && v <= key->most, "every value has a plausible magnitude");
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of(data, size);
  const hwdb::Sources sources{{"vendor", "the vendor's data sheet"}, {"lecture", "a lecture"}};
  fuzz::read_or_refuse(
      [&] { check(hwdb::parse_facts(text, "fuzz.yaml", hwdb::FileKind::architecture, sources)); });
  fuzz::read_or_refuse([&] {
    const Gpu gpu = hwdb::parse_facts(text, "fuzz.yaml", hwdb::FileKind::gpu, sources);
    check(gpu);
    hwdb::inconsistencies(gpu);
    const std::string yaml = hwdb::to_yaml(gpu);
    Gpu again;
    try {
      again = hwdb::parse_facts(yaml, "again.yaml", hwdb::FileKind::gpu, {});
    } catch (const InputError& e) {
      std::fprintf(stderr, "%s\n%s\n", e.what(), yaml.c_str());
      fuzz::promise(false, "what to_yaml writes can be read");
    }
    fuzz::promise(again.name == gpu.name && again.title == gpu.title &&
                      again.facts.size() == gpu.facts.size(),
                  "what to_yaml writes is what was read");
    for (const auto& [path, fact] : gpu.facts) {
      const FactRecord* same = again.record(path);
      fuzz::promise(same != nullptr && same->values == fact.values && same->text == fact.text &&
                        same->status == fact.status && same->source == fact.source &&
                        same->note == fact.note && same->clock == fact.clock,
                    "a fact survives to_yaml");
    }
  });
  return 0;
}
