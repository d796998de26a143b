// One GPU's or one architecture's YAML file: hwdb/README.md describes the format.
#pragma once

#include "models/core/gpu.hpp"

#include <map>
#include <string>
#include <string_view>

namespace perfmodel::hwdb {

using Sources = std::map<std::string, std::string>; // short key -> full text

// sources.yaml, or the `sources:` map of a user's own file. Throws InputError.
Sources parse_sources(const std::string& text, const std::string& file);

// Names are typed, looked up in folders and written into every answer: 1 to 60 letters, digits, '-', '.' and
// '_', a letter or digit first.
bool is_plain_name(std::string_view name);

enum class FileKind { gpu, architecture };

// A file as it stands, before the architecture's facts are put under the device's. `file` appears in
// messages. Throws InputError with file, line, key and a suggestion: not YAML, unknown, missing or duplicate
// key, wrong unit, implausible magnitude, unknown status or source, a peak whose clock does not exist.
Gpu parse_facts(const std::string& text, const std::string& file, FileKind kind, const Sources& sources);

// The device's facts, and its architecture's where it has none of its own; likewise what the hardware lacks.
Gpu resolve(Gpu device, const Gpu& architecture);

// What a careful reader would check beyond single values: peaks = SMs x throughput x operations x clock and
// bandwidth = bus x data rate within 1 %, latencies rising with the level. One sentence per slip.
std::vector<std::string> inconsistencies(const Gpu& gpu);

// The YAML text of a GPU's own facts (those of its architecture are left to its file). parse_facts reads it
// back.
std::string to_yaml(const Gpu& gpu);

} // namespace perfmodel::hwdb
