// The model error of an answer with bands: what 90 % of other models' errors lie between, apart from the band
// of its costs. It is read from errors that the database keeps, never computed for an answer.
#pragma once

#include "hwdb/kept_errors.hpp"
#include "models/core/gpu.hpp"
#include "models/core/model.hpp"
#include "models/core/result.hpp"
#include "models/core/row_sink.hpp"

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace perfmodel::cli {

class ModelErrorSaid {
public:
  // Of a model's answer on these GPUs.
  ModelErrorSaid(std::string model, hwdb::KeptErrors kept)
      : model_(std::move(model)), kept_(std::move(kept)) {}

  // Adds `model_error_low` and `model_error_high` before the last column of a table in which a time or a rate
  // has a band; each row has those of its GPU.
  void add_to(Table& table) const;
  // Adds both to the tables of an answer on these GPUs, and to its notes one sentence for each GPU that has
  // an error of its own and one for the others, or that there is none; nothing where it tells no time or
  // rate.
  void add_to(Result& result, std::span<const Gpu> gpus) const;
  std::vector<std::string> sentences(std::span<const Gpu> gpus) const;

  // nullopt: too few errors of other models are kept.
  std::optional<ModelError> on(const std::string& gpu) const;

private:
  bool is_of_times(const Result& result) const;

  std::string model_;
  hwdb::KeptErrors kept_;
};

// Hands the rows of a sweep on to `to` with their model error.
class WithModelError final : public RowSink {
public:
  WithModelError(RowSink& to, const ModelErrorSaid& error) : RowSink(to.block_rows), to_(to), error_(error) {}

  void take(std::size_t table, const Table& rows) override;
  Table close(std::size_t table, const std::vector<bool>& kept) override;

private:
  RowSink& to_;
  const ModelErrorSaid& error_;
  std::vector<std::size_t> widened_; // tables
};

} // namespace perfmodel::cli
