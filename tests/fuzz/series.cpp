// A published series, held against the models' inputs.
#include "target.hpp"

#include "hwdb/series_file.hpp"

#include <cmath>

using namespace perfmodel;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of(data, size);
  const hwdb::Sources sources{{"vendor", "the vendor's data sheet"}, {"lecture", "a lecture"}};
  fuzz::read_or_refuse([&] {
    for (const Series& series : hwdb::parse_series(text, "fuzz.yaml", sources)) {
      fuzz::promise(series.table.rows() > 0, "a series has rows");
      for (const Column& column : series.table.columns)
        fuzz::promise(column.size() == series.table.rows(), "columns have one length");
    }
  });
  return 0;
}
