#include "sweep.hpp"

#include "band_words.hpp"
#include "handover.hpp"
#include "number_said.hpp"
#include "side_by_side.hpp"
#include "sweep_part.hpp"
#include "swept_facts.hpp"
#include "what_if.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace perfmodel::detail {

namespace {

std::size_t grid_size(const Request& request) {
  std::size_t size = 1;
  for (const Axis& axis : request.inputs) size *= axis.values.size();
  for (const Axis& axis : request.facts) size *= axis.values.size();
  return size;
}

// Calls `visit(values)` for every point of the grid, the first axis varying slowest.
template <class Visit> void for_each_point(std::span<const Axis> axes, Visit visit) {
  std::vector<std::size_t> at(axes.size(), 0);
  std::vector<Value> values;
  for (const Axis& axis : axes) values.push_back(axis.values.front());
  while (true) {
    visit(std::span<const Value>(values));
    std::size_t a = axes.size();
    while (a > 0 && ++at[a - 1] == axes[a - 1].values.size()) {
      at[a - 1] = 0;
      values[a - 1] = axes[a - 1].values.front();
      --a;
    }
    if (a == 0) return;
    values[a - 1] = axes[a - 1].values[at[a - 1]];
  }
}

template <class Keep> Request inputs_where(const Request& request, Keep keep) {
  Request some;
  std::ranges::copy_if(request.inputs, std::back_inserter(some.inputs), keep);
  return some;
}

// Words choose what is shown of the machine; numbers only move the point on it, but for those that the model
// lists.
bool shapes_machine(const Asked& asked, const Option& option) {
  return option.kind == OptionKind::choice || std::ranges::count(asked.machine_inputs, option.name) > 0;
}

// A model that lists questions keeps its machine's tables out of a sweep that does not ask.
bool shows_machine(const Asked& asked, const Request& request) {
  return asked.machine_questions.empty() || grid_size(request) == 1 ||
         std::any_of(request.inputs.begin(), request.inputs.end(), [&](const Axis& axis) {
           return std::ranges::count(asked.machine_questions, axis.name) > 0;
         });
}

// Rows, their grades and, where they are asked for, their bands; `again` is asked for the same with other
// costs.
void add_graded(std::vector<Filling>& tables, const Model& model, const Place& place,
                const std::vector<Rows>& rows, const Grades& read,
                const std::function<std::vector<Rows>(Plain&)>& again) {
  const auto ask = [&](const Shift& shift) {
    Plain shifted{.shift = shift, .grades = {}};
    return again(shifted);
  };
  const auto ask_drawn = [&](const Shift& shift, Grades& of_draw) {
    Plain shifted{.shift = shift, .grades = {}};
    std::vector<Rows> drawn = again(shifted);
    of_draw = shifted.grades;
    return drawn;
  };
  add_rows(tables, place, rows,
           place.request.quick_grades ? all_of(rows, read.worst()) : grades_of(rows, read, ask),
           place.request.bands ? bands_of(rows, banded_name(model.info), place.request.band_draws, ask_drawn)
                               : RowBands{});
}

void add_machine(std::vector<Filling>& tables, const Model& model, Asked& asked, const Place& place) {
  Plain plain;
  const std::vector<Rows> rows = asked.machine(place.gpu, plain);
  add_graded(tables, model, place, rows, plain.grades,
             [&](Plain& shifted) { return asked.machine_again(place.gpu, shifted); });
}

// With its derivation, where a recorder is given.
void add_point(std::vector<Filling>& tables, const Model& model, Asked& asked, const Place& place,
               Recorder* recorder) {
  Plain plain;
  const std::vector<Rows> rows = recorder ? asked.point(place.gpu, *recorder) : asked.point(place.gpu, plain);
  add_graded(tables, model, place, rows, recorder ? recorder->grades : plain.grades,
             [&](Plain& shifted) { return asked.point_again(place.gpu, shifted); });
}

// Whether the kernel cannot run there and the model has rows to say so.
bool add_refused(std::vector<Filling>& tables, Asked& asked, const Place& place) {
  const auto rows = asked.refused(place.gpu);
  if (rows) add_rows(tables, place, *rows, {});
  return rows.has_value();
}

// What is asked of each device.
struct Swept {
  const Model& model;
  const Request& request;
  bool machine_shown = false;
  const Request &words, &moves; // that the machine's tables depend on, and the points
};

// `offer` is called where tables may be handed over.
template <class Offer>
void sweep_device(const Swept& swept, const Gpu& device, Asked& asked, SweepPart& part, Offer offer) {
  const Model& model = swept.model;
  const Request &request = swept.request, &words = swept.words, &moves = swept.moves;
  bool first = true;
  part.verdict.begin_device();
  Gpu gpu = start_of(device, request);
  for_each_point(request.facts, [&](std::span<const Value> facts) {
    move_facts(gpu, request, facts);
    check_streams(gpu);
    asked.forget_machine();
    if (swept.machine_shown)
      for_each_point(words.inputs, [&](std::span<const Value> inputs) {
        asked.set_input(words, inputs);
        add_machine(part.machine, model, asked, {gpu, words, facts, inputs});
        offer();
      });
    for_each_point(moves.inputs, [&](std::span<const Value> inputs) {
      const Place place{gpu, moves, facts, inputs};
      asked.set_input(moves, inputs);
      offer();
      ++part.refused.of;
      part.verdict.begin_point();
      // Once the reason is known: an exception costs more than most models.
      if (part.refused.points > 0 && add_refused(part.points, asked, place))
        return part.refused.add_another();
      try {
        if (!first) {
          add_point(part.points, model, asked, place, nullptr);
          return part.tell(asked, gpu);
        }
        Recorder recorder; // the first point is explained
        recorder.derivation.title = gpu.name.empty() ? std::string(model.info.name) : gpu.name;
        if (swept.machine_shown) asked.explain_machine(gpu, recorder);
        add_point(part.points, model, asked, place, &recorder);
        part.tell(asked, gpu);
        first = false;
        part.note_origins(recorder.derivation);
        if (request.explain) part.derivations.push_back(std::move(recorder.derivation));
      } catch (const LaunchError& e) {
        part.refused.add(e);
        if (asked.shows_refused) add_refused(part.points, asked, place);
      }
    });
  });
  part.verdict.end_device(asked, gpu);
}

// Whether devices are asked side by side, each on a thread of its own: where a point takes long, and not so
// many are asked for that their rows are handed over in blocks.
bool is_side_by_side(const Model& model, std::size_t devices, const Request& moves) {
  return model.info.simulated && devices > 1 && devices * grid_size(moves) <= RowSink::usual_block;
}

} // namespace

Result sweep(const Model& model, std::span<const Gpu> gpus, const Request& request, Asked& asked,
             RowSink* sink) {
  Result result{.kind = Kind::predicted,
                .model = std::string(model.info.name),
                .title = std::string(model.info.summary)};

  const bool machine_shown = asked.describes_machine && !request.points_only && shows_machine(asked, request);
  const auto of_machine = [&](const Axis& axis) {
    return std::ranges::count(asked.machine_questions, axis.name) > 0;
  };
  Request words = inputs_where(request, [&](const Axis& axis) {
    return machine_shown && (of_machine(axis) || shapes_machine(asked, *model.find(axis.name)));
  });
  if (machine_shown) words.facts = request.facts;
  words.quick_grades = request.quick_grades;
  const bool all_move = std::none_of(request.inputs.begin(), request.inputs.end(), of_machine);
  Request own_moves;
  if (!all_move) {
    own_moves = inputs_where(request, [&](const Axis& axis) { return !of_machine(axis); });
    own_moves.facts = request.facts;
    own_moves.quick_grades = request.quick_grades;
    own_moves.bands = request.bands;
  }
  const Request& moves = all_move ? request : own_moves; // an axis may have millions of values
  Handover handover(sink);
  const auto tables_for = [&](const std::vector<RowType>& types, const Request& of, std::size_t devices) {
    std::vector<Filling> tables;
    for (const RowType& type : types)
      tables.emplace_back(type, model, of, handover.room(devices * grid_size(of)));
    return tables;
  };
  const auto part_for = [&](std::size_t devices) {
    return SweepPart{.machine = tables_for(asked.machine_types(), words, devices),
                     .points = tables_for(asked.point_types(), moves, devices),
                     .refused = {},
                     .verdict = SweepVerdict(model, words, moves, gpus.size() > 1),
                     .derivations = {},
                     .constants = {},
                     .notes = {}};
  };
  const Swept swept{model, request, machine_shown, words, moves};
  SweepPart found = part_for(gpus.size());
  const auto offer = [&] {
    handover.offer(found.machine, 0);
    handover.offer(found.points, found.machine.size());
  };
  if (is_side_by_side(model, gpus.size(), moves)) {
    auto parts = side_by_side(gpus.size(), [&](std::size_t n) {
      SweepPart part = part_for(1);
      sweep_device(swept, gpus[n], *asked.another(), part, [] {});
      return part;
    });
    for (std::optional<SweepPart>& part : parts) {
      offer();
      found.append(*std::move(part));
    }
  } else {
    for (const Gpu& device : gpus) sweep_device(swept, device, asked, found, offer);
  }
  found.give_words(result);
  handover.keep(found.points, found.machine.size(),
                result); // what was asked about comes before the machine's
  handover.keep(found.machine, 0, result);
  if (!result.said) result.said = usual_number(model, result);
  if (request.bands) {
    result.notes.push_back(what_bands_are(result));
    if (std::string why = why_band_is_aside(result); !why.empty()) result.notes.push_back(std::move(why));
  }
  found.refused.tell(result, asked.shows_refused);
  handover.grades().tell(result);
  handover.refuse_infinite(result);
  return result;
}

} // namespace perfmodel::detail
