#include "sweep_verdict.hpp"

#include "in_words.hpp"
#include "quantity_text.hpp"
#include "swept_facts.hpp"

#include <fmt/format.h>

namespace perfmodel::detail {

namespace {

constexpr std::size_t few = 3;

std::size_t size_of(const std::vector<Axis>& axes) {
  std::size_t size = 1;
  for (const Axis& axis : axes) size *= axis.values.size();
  return size;
}

// Which value each axis has at a point, the first axis varying slowest.
std::vector<std::size_t> places_at(const std::vector<Axis>& axes, std::size_t point) {
  std::vector<std::size_t> at(axes.size());
  for (std::size_t a = axes.size(); a-- > 0; point /= axes[a].values.size())
    at[a] = point % axes[a].values.size();
  return at;
}

std::string text_of(const Value& value, const Unit& unit) {
  return value.text.empty() ? format_quantity(value.number, unit) : value.text;
}

} // namespace

SweepVerdict::SweepVerdict(const Model& model, const Request& words, const Request& moves,
                           bool several_devices)
    : model_(model), words_(words), moves_(moves), several_devices_(several_devices),
      inputs_(size_of(moves.inputs)), points_(inputs_ * size_of(moves.facts)) {}

void SweepVerdict::begin_device() {
  point_.reset();
  answered_.reset();
  told_.reset();
  first_line_ = verdict_.size();
  picks_.clear();
}

void SweepVerdict::add(const Asked& asked, const Gpu& gpu) {
  answered_ = point_;
  if (std::string best = asked.pick(); points_ > 1 && !best.empty())
    picks_.push_back({place_of(*point_), std::move(best)});
  if (!told_ || (points_ <= few && !several_devices_)) tell(asked, gpu, *point_);
}

void SweepVerdict::end_device(Asked& asked, Gpu& gpu) {
  if (const std::string picks = in_words(picks_); !picks.empty())
    verdict_.insert(verdict_.begin() + static_cast<std::ptrdiff_t>(first_line_),
                    (several_devices_ ? gpu.name + ": " : "") + picks);
  if (!answered_ || answered_ == told_) return;
  if (answered_ != point_) { // points after it were refused
    if (*answered_ / inputs_ != *point_ / inputs_) asked.forget_machine();
    move_facts(gpu, moves_, values_at(moves_.facts, *answered_ / inputs_));
    asked.set_input(moves_, values_at(moves_.inputs, *answered_ % inputs_));
  }
  tell(asked, gpu, *answered_);
}

std::vector<Value> SweepVerdict::values_at(const std::vector<Axis>& axes, std::size_t point) const {
  std::vector<Value> values;
  const std::vector<std::size_t> at = places_at(axes, point);
  for (std::size_t a = 0; a < axes.size(); ++a) values.push_back(axes[a].values[at[a]]);
  return values;
}

// Which of the machine's tables has the words of this point: of a question to the machine alone, the first.
std::size_t SweepVerdict::machine_at(std::size_t point) const {
  const std::vector<std::size_t> at = places_at(moves_.inputs, point % inputs_);
  std::size_t machine = 0;
  for (const Axis& axis : words_.inputs) {
    machine *= axis.values.size();
    for (std::size_t a = 0; a < at.size(); ++a)
      if (moves_.inputs[a].name == axis.name) machine += at[a];
  }
  return machine;
}

std::vector<AxisValue> SweepVerdict::place_of(std::size_t point) const {
  std::vector<AxisValue> place;
  const auto add = [&](const Axis& axis, std::size_t at, const Unit& unit) {
    if (axis.values.size() > 1) place.push_back({spaced(axis.name), text_of(axis.values[at], unit)});
  };
  const auto facts = places_at(moves_.facts, point / inputs_),
             inputs = places_at(moves_.inputs, point % inputs_);
  for (std::size_t a = 0; a < facts.size(); ++a) {
    const KeyInfo* key = find_key(moves_.facts[a].name);
    add(moves_.facts[a], facts[a], key ? Unit{base_symbol(key->dimension), key->dimension} : Unit{});
  }
  for (std::size_t a = 0; a < inputs.size(); ++a)
    add(moves_.inputs[a], inputs[a], model_.find(moves_.inputs[a].name)->unit);
  return place;
}

// Which point it is: its values, and of many which of them.
std::string SweepVerdict::lead(const Gpu& gpu, std::size_t point) const {
  std::string text = several_devices_ ? gpu.name : "";
  for (const AxisValue& of : place_of(point)) text += (text.empty() ? "" : ", ") + of.axis + " " + of.value;
  if (text.empty()) return text;
  if (points_ > (several_devices_ ? 2 : few)) { // not each of them is told
    const bool first = !told_, end = first ? point == 0 : point + 1 == points_;
    text += fmt::format(" ({} of {}{})", first ? "first" : "last", points_, end ? "" : " that can run");
  }
  return text + ": ";
}

void SweepVerdict::tell(const Asked& asked, const Gpu& gpu, std::size_t point) {
  const std::string text = asked.verdict(gpu, machine_at(point));
  if (!text.empty()) verdict_.push_back(lead(gpu, point) + text);
  if (!told_) said_ = asked.said(machine_at(point));
  told_ = point;
}

} // namespace perfmodel::detail
