// A result file: what is read can be written, and reads back the same.
#include "target.hpp"

#include "hwdb/measured.hpp"
#include "hwdb/result_file.hpp"
#include "models/bounds/points.hpp"

using namespace perfmodel;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of(data, size);
  fuzz::read_or_refuse([&] {
    const Record record = hwdb::record_from_json(text, "fuzz.json");
    for (const Measurement& m : record.measurements)
      for (const Constant& c : m.constants)
        fuzz::promise(find_key(c.path) != nullptr, "only known facts are measured");
    hwdb::constants_of(record, "fuzz.json");
    hwdb::left_out(record);
    const std::string once = hwdb::to_json(record);
    const std::string twice = hwdb::to_json(hwdb::record_from_json(once, "again.json"));
    fuzz::promise(once == twice, "what is written reads back the same");
    hwdb::series_of(record, "fuzz.json"); // may refuse
  });
  fuzz::read_or_refuse([&] { // a ladder as points of a roofline
    const Record record = hwdb::record_from_json(text, "fuzz.json");
    const std::string csv = RooflinePoints::from_result(record.result).to_csv();
    fuzz::promise(RooflinePoints::from_csv(csv).to_csv() == csv,
                  "points are written so that they can be read");
  });
  return 0;
}
