// A model asked at every point of a request's grid, on every device: written once for all models.
#pragma once

#include "filling.hpp"
#include "row_sink.hpp"
#include "trace.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

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
  // The same model, asked nothing yet.
  virtual std::unique_ptr<Asked> another() const = 0;

  virtual std::vector<RowType> machine_types() const = 0;
  virtual std::vector<RowType> point_types() const = 0;

  // The input to ask about: the model's defaults, but for these values. Throws InputError.
  virtual void set_input(const Request& request, std::span<const Value> values) = 0;
  // What the model says of it. The rows of a point are kept until the next; the machine's, in the order in
  // which they were asked for, until they are forgotten. `again` keeps rows until it is next asked, and is
  // for other costs. Throw InputError, and of a point LaunchError.
  virtual std::vector<Rows> machine(const Gpu& gpu, Plain& trace) = 0;
  virtual std::vector<Rows> machine_again(const Gpu& gpu, Plain& trace) = 0;
  virtual void forget_machine() = 0;
  virtual void explain_machine(const Gpu& gpu, Recorder& recorder) = 0;
  virtual std::vector<Rows> point(const Gpu& gpu, Plain& trace) = 0;
  virtual std::vector<Rows> point(const Gpu& gpu, Recorder& recorder) = 0;
  virtual std::vector<Rows> point_again(const Gpu& gpu, Plain& trace) = 0;
  // None where the kernel can run, or the model has no rows to say that it cannot.
  virtual std::optional<std::vector<Rows>> refused(const Gpu& gpu) = 0;
  // The rows of the last point that has any, in words; `machine`: which of the machine's tables belong to it.
  // The input must be that point's.
  virtual std::string verdict(const Gpu& gpu, std::size_t machine) const = 0;
  // The number that this verdict is about, in the rows of the point or, else, in the machine's since they
  // were last forgotten; none where the model names none.
  struct Said {
    CellPlace place;
    bool of_machine = false;
    std::size_t rows = 0; // that table's, of the point or of the machine
  };
  virtual std::optional<Said> said(std::size_t machine) const = 0;
  // The best of what the last point compares; "" where it compares nothing.
  virtual std::string pick() const = 0;
};

// Tables that outgrow a block go to the sink, if there is one. Throws InputError, and LaunchError where the
// kernel can run at no point.
Result sweep(const Model& model, std::span<const Gpu> gpus, const Request& request, Asked& asked,
             RowSink* sink);

} // namespace perfmodel::detail
