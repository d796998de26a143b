// A file of captured launches: read, written as text and as JSON, and made into launches of a kernel.
#include "target.hpp"

#include "hwdb/launches_file.hpp"
#include "models/kernel/captured_arguments.hpp"

using namespace perfmodel;

namespace {

void check(const CapturedLaunches& read) {
  fuzz::promise(CapturedLaunches::from_text(read.text()).text() == read.text(),
                "what is written is what was read");
  for (const CapturedLaunch& launch : read.launches)
    fuzz::read_or_refuse([&] {
      const KernelCode code = with_captured({.name = launch.kernel, .capability = 90}, launch);
      constant_bank(code, launch_of(launch));
      fuzz::promise(arguments_text(launch).size() < 100, "arguments are told in short");
    });
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of(data, size);
  fuzz::read_or_refuse([&] {
    const CapturedLaunches read = hwdb::parse_launches(text, "fuzz.launches");
    const std::string json = hwdb::launches_json(read);
    fuzz::promise(hwdb::launches_json(hwdb::parse_launches(json, "again")) == json, "JSON stays the same");
  });
  fuzz::read_or_refuse([&] { check(CapturedLaunches::from_text(text)); });
  fuzz::read_or_refuse([&] {
    merged({CapturedLaunches::from_text(text), CapturedLaunches::from_text(text)});
  });
  return 0;
}
