#include "instruction_latency.hpp"

#include <algorithm>

namespace perfmodel {

const Key<Cycles>* latency_of(const InstructionClass& instruction) {
  using namespace facts;
  struct Entry {
    std::string_view name;
    const Key<Cycles>* latency;
  };
  static constexpr Entry all[] = {
      {"ffma", &fma_latency},
      {"dfma", &fp64_latency},
      {"rcp", &sfu_latency},
      {"lds", &shared_latency},
      {"fadd", &latency_fp32_add},
      {"fmul", &latency_fp32_mul},
      {"fmin", &latency_fp32_min},
      {"dadd", &latency_fp64_add},
      {"dmul", &latency_fp64_mul},
      {"hfma2", &latency_fp16_fma},
      {"bfma2", &latency_bf16_fma},
      {"iadd3", &latency_int_add3},
      {"imul", &latency_int_mul},
      {"imad", &latency_int_mad},
      {"shift", &latency_shift},
      {"logic", &latency_logic},
      {"compare", &latency_compare},
      {"imin", &latency_int_min},
      {"i2f", &latency_convert_int_float},
      {"f2i", &latency_convert_float_int},
      {"f2h", &latency_convert_float_half},
      {"h2f", &latency_convert_half_float},
      {"f2d", &latency_convert_float_double},
      {"d2f", &latency_convert_double_float},
      {"i8", &latency_convert_8_16},
      {"rsqrt", &latency_rsqrt},
      {"sqrt", &latency_sqrt},
      {"lg2", &latency_log2},
      {"ex2", &latency_exp2},
      {"popc", &latency_popc},
      {"clz", &latency_clz},
      {"shuffle", &latency_shuffle},
      {"movm", &latency_transpose},
      {"vote", &latency_vote},
      {"atoms", &latency_shared_atomic},
      {"__sinf", &latency_sin},
      {"__expf", &latency_exp},
      {"sinf", &latency_sin_accurate},
      {"expf", &latency_exp_accurate},
      {"fdividef", &latency_fp32_div_fast},
      {"fdiv", &latency_fp32_div},
      {"udiv", &latency_udiv},
      {"umod", &latency_umod},
  };
  const auto* at = std::find_if(std::begin(all), std::end(all),
                                [&](const Entry& entry) { return entry.name == instruction.name; });
  return at == std::end(all) ? nullptr : at->latency;
}

} // namespace perfmodel
