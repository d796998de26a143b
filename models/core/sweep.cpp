#include "sweep.hpp"
#include "band_words.hpp"

#include "handover.hpp"
#include "refused.hpp"
#include "sweep_verdict.hpp"
#include "swept_facts.hpp"
#include "what_if.hpp"

#include <fmt/format.h>

#include <algorithm>

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
  for (const Axis& axis : request.inputs)
    if (keep(axis)) some.inputs.push_back(axis);
  return some;
}

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Words choose what is shown of the machine; numbers only move the point on it, but for those that the model
// lists.
bool shapes_machine(const Asked& asked, const Option& option) {
  return option.kind == OptionKind::choice || contains(asked.machine_inputs, option.name);
}

// A model that lists questions keeps its machine's tables out of a sweep that does not ask.
bool shows_machine(const Asked& asked, const Request& request) {
  return asked.machine_questions.empty() || grid_size(request) == 1 ||
         std::any_of(request.inputs.begin(), request.inputs.end(),
                     [&](const Axis& axis) { return contains(asked.machine_questions, axis.name); });
}

// What a derivation rests on, for the last lines of an answer.
void note_origins(Result& result, const Derivation& derivation) {
  std::string unverified;
  for (const Step& step : derivation.steps) {
    if (!step.is_fact && !step.is_fitted) continue;
    const bool sustained = step.symbol.rfind("sustained.", 0) == 0; // others' measurements count like ours
    if (step.is_fitted || step.grade != Grade::known || step.layer == Layer::measured ||
        (sustained && step.layer != Layer::set)) {
      const bool known = std::any_of(result.constants.begin(), result.constants.end(), [&](const Step& c) {
        return c.symbol == step.symbol && c.place == step.place;
      });
      if (!known) result.constants.push_back(step);
    } else if (step.status == Status::unverified && step.layer != Layer::set) {
      unverified += (unverified.empty() ? "" : ", ") + step.symbol;
    }
  }
  if (!unverified.empty())
    result.notes.push_back(derivation.title + ": rests on unverified facts: " + unverified);
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

} // namespace

Result sweep(const Model& model, std::span<const Gpu> gpus, const Request& request, Asked& asked,
             RowSink* sink) {
  Result result{.kind = Kind::predicted,
                .model = std::string(model.info.name),
                .title = std::string(model.info.summary)};

  const bool machine_shown = asked.describes_machine && !request.points_only && shows_machine(asked, request);
  const auto of_machine = [&](const Axis& axis) { return contains(asked.machine_questions, axis.name); };
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
  const auto tables_for = [&](const std::vector<RowType>& types, const Request& of) {
    std::vector<Filling> tables;
    for (const RowType& type : types)
      tables.emplace_back(type, model, of, handover.room(gpus.size() * grid_size(of)));
    return tables;
  };
  std::vector<Filling> machine = tables_for(asked.machine_types(), words);
  std::vector<Filling> points = tables_for(asked.point_types(), moves);
  Refused refused;
  SweepVerdict verdict(model, words, moves, gpus.size() > 1);
  for (const Gpu& device : gpus) {
    bool first = true;
    verdict.begin_device();
    Gpu gpu = start_of(device, request);
    for_each_point(request.facts, [&](std::span<const Value> facts) {
      move_facts(gpu, request, facts);
      check_streams(gpu);
      asked.forget_machine();
      if (machine_shown)
        for_each_point(words.inputs, [&](std::span<const Value> inputs) {
          asked.set_input(words, inputs);
          add_machine(machine, model, asked, {gpu, words, facts, inputs});
          handover.offer(machine, 0);
        });
      for_each_point(moves.inputs, [&](std::span<const Value> inputs) {
        const Place place{gpu, moves, facts, inputs};
        asked.set_input(moves, inputs);
        handover.offer(points, machine.size());
        ++refused.of;
        verdict.begin_point();
        // Once the reason is known: an exception costs more than most models.
        if (refused.points > 0 && add_refused(points, asked, place)) return refused.add_another();
        try {
          if (!first) {
            add_point(points, model, asked, place, nullptr);
            verdict.add(asked, gpu);
            return;
          }
          Recorder recorder; // the first point is explained
          recorder.derivation.title = gpu.name.empty() ? std::string(model.info.name) : gpu.name;
          if (machine_shown) asked.explain_machine(gpu, recorder);
          add_point(points, model, asked, place, &recorder);
          verdict.add(asked, gpu);
          first = false;
          note_origins(result, recorder.derivation);
          if (request.explain) result.derivations.push_back(std::move(recorder.derivation));
        } catch (const LaunchError& e) {
          refused.add(e);
          if (asked.shows_refused) add_refused(points, asked, place);
        }
      });
    });
    verdict.end_device(asked, gpu);
  }
  result.verdict = verdict.take();
  handover.keep(points, machine.size(), result); // what was asked about comes before the machine's own
  handover.keep(machine, 0, result);
  if (request.bands) {
    result.notes.push_back(what_bands_are(result));
    if (std::string why = why_band_is_aside(result); !why.empty()) result.notes.push_back(std::move(why));
  }
  refused.tell(result, asked.shows_refused);
  handover.grades().tell(result);
  handover.refuse_infinite(result);
  return result;
}

} // namespace perfmodel::detail
