#include "swept_facts.hpp"

#include "what_if.hpp"

#include <algorithm>

namespace perfmodel::detail {

Gpu start_of(Gpu gpu, const Request& request) {
  for (const Axis& axis : request.facts) {
    for (const Value& value : axis.values)
      if (value.text.empty()) check_fact(axis.name, value.number);
    const Value& first = axis.values.front();
    if (!first.text.empty()) {
      gpu = with_fact(std::move(gpu), axis.name, std::string_view(first.text));
      continue;
    }
    // What goes along with a fact does so at all of its values, if one of them is another than the GPU's own.
    const FactRecord* there = gpu.record(axis.name);
    const auto other = std::find_if(axis.values.begin(), axis.values.end(), [&](const Value& value) {
      return there == nullptr || there->values.empty() || value.number != there->values.front();
    });
    gpu = with_fact(std::move(gpu), axis.name, other == axis.values.end() ? first.number : other->number);
    gpu.facts.find(axis.name)->second.values = {first.number};
  }
  return gpu;
}

void move_facts(Gpu& gpu, const Request& request, std::span<const Value> facts) {
  for (std::size_t i = 0; i < facts.size(); ++i) {
    FactRecord& record = gpu.facts.find(request.facts[i].name)->second;
    if (facts[i].text.empty())
      record.values.front() = facts[i].number;
    else if (record.values.empty()) // a list is one value, there from the start
      record.text = facts[i].text;
  }
}

} // namespace perfmodel::detail
