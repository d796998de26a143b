// What was measured and published, set beside a model's answer.
#pragma once

#include "cli/context.hpp"
#include "cli/progress.hpp"
#include "models/core/model.hpp"
#include "models/core/result.hpp"
#include "models/validation/series.hpp"

#include <vector>

namespace perfmodel::cli {

class BesideAnswer {
public:
  // All outlive it; tables, verdicts and constants are added to `result`.
  BesideAnswer(Context& context, const Model& model, const Request& request, const HardwareOptions& hardware,
               Progress& progress, Result& result)
      : context_(context), model_(model), request_(request), hardware_(hardware), progress_(progress),
        result_(result) {}

  // Throw InputError: --measured names no run on this GPU.
  void set_measured(const Gpu& gpu);
  void set_published(const Gpu& gpu);

  // Those that now stand there.
  const std::vector<Series>& series() const { return series_; }

private:
  Context& context_;
  const Model& model_;
  const Request& request_;
  const HardwareOptions& hardware_;
  Progress& progress_;
  Result& result_;
  std::vector<Series> series_;

  void set(const Gpu& gpu, std::vector<Series> all, bool is_measured);
};

} // namespace perfmodel::cli
