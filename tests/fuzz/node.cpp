// A user's node: read, written as the text that the model takes, searched.
#include "target.hpp"

#include "hwdb/node_file.hpp"
#include "models/parallel/node_routes.hpp"

#include <cmath>

using namespace perfmodel;

namespace {

template <class Q> void check(const NodeFigure<Q>& figure, bool may_be_zero) {
  fuzz::promise(figure.low <= figure.value && figure.value <= figure.high, "a figure is within its range");
  fuzz::promise(may_be_zero || figure.low > Q(0), "a link has a latency and a bandwidth");
  fuzz::promise(may_be_zero || !figure.source.empty(), "every figure has a source or a reason");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of(data, size);
  const hwdb::Sources sources{{"vendor", "the vendor's data sheet"}, {"lecture", "a lecture"}};
  fuzz::read_or_refuse([&] {
    const NodeGraph node = hwdb::parse_node(text, "fuzz.yaml", sources).node;
    for (const NodePlace& place : node.places) check(place.crossing, true);
    for (const NodeWire& wire : node.wires) check(wire.bandwidth, false), check(wire.latency, false);
    NodeGraph again;
    try {
      again = NodeGraph::from_text(node.text());
    } catch (const InputError& e) {
      std::fprintf(stderr, "%s\n%s\n", e.what(), node.text().c_str());
      fuzz::promise(false, "what a node writes can be read");
    }
    fuzz::promise(again.text() == node.text(), "what a node writes is what was read");
    const std::size_t last = node.places.size() - 1;
    if (last == 0) return;
    const auto there = route(node, 0, last), back = route(node, last, 0);
    fuzz::promise(there.has_value() == back.has_value(), "who can go can come back");
    if (there)
      fuzz::promise(std::fabs(there->latency.value - back->latency.value) < 1e-12 &&
                        there->bandwidth > BytesPerSecond(0),
                    "it is as near back");
  });
  fuzz::read_or_refuse([&] { NodeGraph::from_text(text); });
  return 0;
}
