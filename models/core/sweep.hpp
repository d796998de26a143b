// A model asked at every point of a request's grid, on every device: written once for all models.
#pragma once

#include "filling.hpp"
#include "row_sink.hpp"
#include "trace.hpp"

namespace perfmodel::detail {

// The model's own, typed side of its sweep: erase.hpp makes one for every model.
struct Asked {
  // Tables that do not depend on the point of a sweep (machine in model.hpp), and the inputs that they depend
  // on, or that are asked of them alone.
  bool describes_machine = false;
  std::span<const std::string_view> machine_inputs, machine_questions;
  bool shows_refused = false; // a row for a point whose kernel cannot run

  Asked() = default;
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;
  virtual ~Asked() = default;

  virtual std::vector<Filling> machine_tables(const Model&, const Request&, std::size_t points) const = 0;
  virtual std::vector<Filling> point_tables(const Model&, const Request&, std::size_t points) const = 0;

  // The input to ask about: the model's defaults, but for these values. Throws InputError.
  virtual void set_input(const Request& request, std::span<const Value> values) = 0;
  // What the model says of it, as rows; with the derivation, where a recorder is given. Throw InputError.
  // The machine's tables are kept in the order in which they were added, until they are forgotten.
  virtual void add_machine(std::vector<Filling>& tables, const Place& place) = 0;
  virtual void forget_machine() = 0;
  virtual void explain_machine(const Gpu& gpu, Recorder& recorder) = 0;
  virtual void add_point(std::vector<Filling>& tables, const Place& place, Recorder* recorder) = 0;
  // Whether the kernel cannot run there and the model has rows to say so.
  virtual bool add_refused(std::vector<Filling>& tables, const Place& place) = 0;
  // The rows of the last point that has any, in words; `machine`: which of the machine's tables belong to it.
  // The input must be that point's.
  virtual std::string verdict(const Gpu& gpu, std::size_t machine) const = 0;
};

// A point's facts in place: copying a device at every point of a sweep would cost more than the model.
void move_facts(Gpu& gpu, const Request& request, std::span<const Value> facts);

// Tables that outgrow a block go to the sink, if there is one. Throws InputError, and LaunchError where the
// kernel can run at no point.
Result sweep(const Model& model, std::span<const Gpu> gpus, const Request& request, Asked& asked,
             RowSink* sink);

} // namespace perfmodel::detail
