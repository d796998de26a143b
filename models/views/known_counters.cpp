#include "known_counters.hpp"

#include <array>

namespace perfmodel {

std::span<const KnownCounter> known_counters() {
  static constexpr auto all = std::to_array<KnownCounter>({
      {"", "dram_read", true, "dram__bytes_read.sum", "dram__bytes_op_read.sum"},
      {"", "dram_written", true, "dram__bytes_write.sum", "dram__bytes_op_write.sum"},
      {"", "l2_read", true, "l1tex__m_xbar2l1tex_read_bytes.sum", "lts__t_sectors_srcunit_tex_op_read.sum",
       32},
      {"", "instructions", false, "smsp__inst_executed.sum", "sm__inst_executed.sum"},
      {"global loads", "requests", false, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", ""},
      {"global loads", "pieces", false, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", ""},
      {"global stores", "requests", false, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum", ""},
      {"global stores", "pieces", false, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum", ""},
      {"shared memory", "pieces", false, "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", ""},
  });
  return all;
}

std::optional<Counted> counted(const ProfiledKernel& kernel, const KnownCounter& known) {
  const auto value = [&](std::string_view metric) -> std::optional<double> {
    const auto at = kernel.counters.find(metric);
    if (at != kernel.counters.end()) return at->second.value;
    return known.bytes ? amount_of(kernel, std::string(metric), "byte") : std::nullopt;
  };
  if (const auto own = value(known.metric)) return Counted{std::string(known.metric), *own};
  if (known.other.empty()) return std::nullopt;
  if (const auto own = value(known.other)) return Counted{std::string(known.other), *own * known.other_scale};
  return std::nullopt;
}

} // namespace perfmodel
