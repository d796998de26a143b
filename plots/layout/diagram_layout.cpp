#include "diagram_layout.hpp"

#include "diagram_boxes.hpp"
#include "diagram_lines.hpp"
#include "frame.hpp"
#include "without_room.hpp"

#include "models/core/error.hpp"

#include <fmt/format.h>

namespace perfmodel::plots {

namespace {

Chart frame_of(const Diagram& d) {
  Chart chart;
  chart.title = d.title, chart.description = d.description;
  chart.x.scale = chart.y.scale = Scale::category; // without ticks
  chart.legend = d.legend, chart.notes = d.notes, chart.caption = d.caption;
  return chart;
}

} // namespace

Size readable_size(const Diagram& diagram, Size size) {
  constexpr int step = 10, most = 2; // px; times the height
  for (Size higher = size; higher.height <= most * size.height; higher.height += step) try {
      layout(diagram, higher);
      return higher;
    } catch (const NoRoom&) {
    }
  return size;
}

namespace {
Layout placed(const Diagram& diagram, Size size) {
  Layout l = frame(frame_of(diagram), size);
  l.axes = false;
  l.x_ticks.clear(), l.y_ticks.clear();
  const PlacedBoxes boxes = place_boxes(diagram, l);
  place_lines(diagram, boxes, l);
  return l;
}
} // namespace

Layout layout(const Diagram& diagram, Size size) {
  if (size.width < 320 || size.height < 200 || size.width > 20000 || size.height > 20000)
    throw InputError(
        fmt::format("a picture is 320 x 200 to 20000 x 20000 px, not {} x {}", size.width, size.height));
  Layout l = placed(diagram, size);
  if (l.unplaced == 0) return l;
  Diagram noted = diagram;
  noted.notes.push_back(found_no_room(l.unplaced, "label", " of lines"));
  try {
    return placed(noted, size);
  } catch (const NoRoom&) { // not for the note either
    return l;
  }
}

} // namespace perfmodel::plots
