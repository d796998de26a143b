#include "code_rows.hpp"

#include "models/simulate/kernel_time.hpp"

#include <cmath>
#include <utility>

namespace perfmodel {

void add_code(CodeRows& rows, std::string_view version, const std::optional<PtxCode>& ptx,
              const KernelCode& code, const KernelTime& launch) {
  CodeComparison made = compare_code(ptx, code, launch.executed);
  CodeCount row{.version = std::string(version),
                .sass = static_cast<Count>(made.sass),
                .executed = std::round(launch.counts.instructions),
                .why = std::move(made.why)};
  if (made.ptx) row.ptx = static_cast<Count>(*made.ptx);
  if (made.sass_loop) {
    row.in_loop = made.in_loop;
    row.sass_loop = static_cast<Count>(made.sass_loop->instructions);
    row.overhead = static_cast<Count>(made.sass_loop->overhead);
  }
  if (made.ptx_loop) {
    row.ptx_loop = static_cast<Count>(made.ptx_loop->instructions);
    row.ptx_overhead = static_cast<Count>(made.ptx_loop->overhead);
  }
  if (made.unrolled) row.unrolled = static_cast<Count>(*made.unrolled);
  rows.counts.push_back(std::move(row));
  for (GroupDifference& one : made.groups) {
    CodeGroup group{.version = std::string(version),
                    .group = std::string(names(one.group)[static_cast<std::size_t>(one.group)]),
                    .sass = static_cast<Count>(one.sass),
                    .why = std::move(one.why)};
    if (one.ptx) {
      group.ptx = static_cast<Count>(*one.ptx);
      group.difference = group.sass - group.ptx;
    }
    rows.groups.push_back(std::move(group));
  }
}

} // namespace perfmodel
