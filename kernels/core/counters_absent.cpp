// Stands in for CUPTI where the toolkit of the build has no headers of the range profiler.
#include "kernels/core/counters.hpp"

#include "models/core/error.hpp"

namespace perfmodel::kernels {
namespace {

[[noreturn]] void missing() {
  throw MachineError(
      "this build cannot count: its CUDA toolkit has no cupti_range_profiler.h; install CUPTI of CUDA "
      "12.6 or later, configure again and rebuild");
}

} // namespace

struct Counters::Profiler {};

std::shared_ptr<const Cupti> load_cupti() { missing(); }
std::string version_of(const Cupti&) { missing(); }
Counters::Counters(Session&, std::vector<std::string>) { missing(); }
Counters::Counters(std::shared_ptr<const Cupti>, void*, int, std::vector<std::string>,
                   std::function<void()>) {
  missing();
}
Counters::~Counters() = default;
std::vector<double> Counters::count(const std::function<void()>&, const std::function<void()>&) { missing(); }
std::size_t Counters::passes() const { missing(); }

} // namespace perfmodel::kernels
