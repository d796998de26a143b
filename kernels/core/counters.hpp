// Hardware counters of single launches, read in this process through CUPTI's range profiler. A launch under
// the profiler takes longer than one alone: counts are never taken in the run that is timed.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace perfmodel::kernels {

struct Session;
struct Cupti; // the library, loaded

// Loads CUPTI: from PERFMODEL_CUPTI where that is set, else from the loader's path, CUDA_HOME, CUDA_PATH,
// /usr/local/cuda* and Python's packages. It stays loaded: it hooks into the driver. Throws MachineError when
// none is usable.
std::shared_ptr<const Cupti> load_cupti();
std::string version_of(const Cupti& cupti); // "CUPTI 13.0.1"

// At most one lives at a time. All but `count` happens once, in the constructor.
class Counters {
public:
  // Metrics as Nsight Compute names them: "dram__bytes_read.sum". Throws MachineError: the session was not
  // opened for counting, counting is not permitted, or the GPU has no such metric.
  Counters(Session& session, std::vector<std::string> metrics);
  // The same below the session. `context` is the CUcontext; `wait` returns when the launch has ended.
  Counters(std::shared_ptr<const Cupti> cupti, void* context, int device, std::vector<std::string> metrics,
           std::function<void()> wait);
  Counters(const Counters&) = delete;
  Counters& operator=(const Counters&) = delete;
  ~Counters();

  // One value per metric, in the order asked, of everything that `launch` enqueues on the session's stream.
  // It is called once per pass (see `passes`) and must do the same work every time; caches are left as the
  // pass before left them, so where that matters it clears them itself, outside of what is counted, in
  // `prepare`, which runs before every pass.
  std::vector<double> count(const std::function<void()>& launch, const std::function<void()>& prepare = {});

  std::size_t passes() const; // launches that one count takes

private:
  struct Profiler;
  std::unique_ptr<Profiler> profiler_;
};

} // namespace perfmodel::kernels
