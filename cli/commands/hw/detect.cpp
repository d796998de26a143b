#include "hw.hpp"

#include "hwdb/measured.hpp"
#include "hwdb/text_file.hpp"
#include "kernels/core/probe.hpp"

#include <algorithm>
#include <ostream>

namespace perfmodel::cli::hw {

void detect(Context& context, const Options& options) {
  const kernels::DetectedDevice device = kernels::detect();
  std::string name;
  for (const char c : device.title)
    if (std::isalnum(static_cast<unsigned char>(c)))
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!name.empty() && name.back() != '-')
      name += '-';
  name.resize(std::min<std::size_t>(name.size(), 60));
  Gpu gpu{.name = name, .title = device.title, .architecture = device.compute_capability, .file = "detected"};
  for (const kernels::DetectedFact& f : device.facts) {
    FactRecord fact{.text = f.text, .status = Status::measured, .source = std::string(f.source)};
    if (f.text.empty()) fact.values = {f.value};
    gpu.facts[std::string(f.path)] = std::move(fact);
  }
  if (!options.measured_file.empty())
    gpu = with_constants(std::move(gpu),
                         hwdb::constants_of(hwdb::read_run(options.measured_file), options.measured_file),
                         Over::everything);
  const std::string yaml = hwdb::to_yaml(gpu);
  context.database().gpu_from(yaml, "the detected GPU"); // what is written can be read
  if (options.answer.file.empty())
    context.out << yaml;
  else
    hwdb::write_whole(options.answer.file, yaml);
}

} // namespace perfmodel::cli::hw
