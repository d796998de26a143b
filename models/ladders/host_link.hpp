// What the link to the host leaves of a ladder's gain: the data are copied to the device and the result back,
// one after the other, and no version makes that faster.
//   copies = (bytes to the device + bytes back) / link,  end to end = copies + kernel
//   gain = end to end before / end to end after          G. M. Amdahl, 1967
// The model `transfer` has latencies of copies, and copies in chunks beside kernels: here are none.
#pragma once

#include "models/core/in_words.hpp"
#include "models/core/model.hpp"
#include "models/core/trace.hpp"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfmodel {

struct LeftByLink {
  static constexpr std::string_view title = "what the host link leaves";
  static constexpr std::string_view option = "bandwidth of the host link in one direction; adds the copies";
  std::string version;
  Seconds end_to_end, kernel, copies;
  double gain = absent, total_gain = absent, most_gain = 0;
  static void fields(auto& field) {
    using R = LeftByLink;
    field(&R::version, "version", "the kernel", Range::any, Role::key);
    field(&R::end_to_end, "end_to_end", "copies and kernel");
    field(&R::kernel, "kernel", "time of the kernel");
    field(&R::copies, "copies", "to the device, and of the result back");
    field(&R::gain, "gain_left", "end to end, over the version before");
    field(&R::total_gain, "total_gain_left", "end to end, over the first version");
    field(&R::most_gain, "most_gain", "over this version, of a kernel that takes no time");
  }
};

// One version, without its gains over others. `to` and `back`: bytes copied, terms of the trace.
template <class B, class T>
LeftByLink left_by_link(BytesPerSecond link, std::string version, Seconds kernel, const B& to, const B& back,
                        T& trace) {
  const auto copies =
      trace.define("copies", "to the device and back", (to + back) / trace.input("link", link));
  const auto all = trace.define(fmt::format("end_to_end({})", version), "copies and kernel",
                                copies + trace.number(kernel));
  return {.version = std::move(version),
          .end_to_end = value_of(all),
          .kernel = kernel,
          .copies = value_of(copies),
          .most_gain = value_of(all) / value_of(copies)};
}

// Total gains are over the version `first`, from there on.
inline std::vector<LeftByLink> with_gains(std::vector<LeftByLink> rows, std::string_view first) {
  const LeftByLink* from = nullptr;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i > 0) rows[i].gain = rows[i - 1].end_to_end / rows[i].end_to_end;
    if (rows[i].version == first) from = &rows[i];
    if (i > 0 && from != nullptr) rows[i].total_gain = from->end_to_end / rows[i].end_to_end;
  }
  return rows;
}

// ", of which the copies leave 1.05": for a verdict; "" where no link was given.
inline std::string left_in_words(const std::vector<LeftByLink>& rows, std::string_view version) {
  for (const LeftByLink& row : rows)
    if (row.version == version && !std::isnan(row.total_gain))
      return fmt::format(", of which the copies leave {}", in_words(row.total_gain));
  return "";
}

} // namespace perfmodel
