#include "instruction_class.hpp"

#include "models/core/error.hpp"
#include "models/core/model.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace perfmodel {

std::span<const InstructionClass> instruction_classes() {
  using namespace facts;
  using enum InstructionKind;
  static constexpr InstructionClass all[] = {
      {"fadd", "fp32 add", &throughput_fp32_add, &throughput_fp32_fma},
      {"fmul", "fp32 multiply", &throughput_fp32_mul, &throughput_fp32_fma},
      {"ffma", "fp32 multiply-add", &throughput_fp32_fma},
      {"fmin", "fp32 minimum, maximum", &throughput_fp32_min, &throughput_compare},
      {"dadd", "fp64 add", &throughput_fp64_add, &throughput_fp64_fma},
      {"dmul", "fp64 multiply", &throughput_fp64_mul, &throughput_fp64_fma},
      {"dfma", "fp64 multiply-add", &throughput_fp64_fma},
      {"hfma2", "fp16 multiply-add of pairs", &throughput_fp16_fma, nullptr, pairs},
      {"hfma2_fma", "fp16 multiply-add of pairs that the FMA pipe makes (HFMA2)", &throughput_fp16_fma_pipe,
       &throughput_fp16_fma, pairs},
      {"hfma2_mma", "fp16 multiply-add of pairs that the tensor pipe makes (HFMA2.MMA)",
       &throughput_fp16_fma_pipe, &throughput_fp16_fma, pairs},
      {"bfma2", "bf16 multiply-add of pairs", &throughput_bf16_fma, nullptr, pairs},
      {"iadd", "32-bit integer add", &throughput_int_add},
      {"iadd3", "32-bit integer add of three operands", &throughput_int_add3, &throughput_int_add},
      {"imul", "32-bit integer multiply", &throughput_int_mul},
      {"imad", "32-bit integer multiply-add", &throughput_int_mad, &throughput_int_mul},
      {"imulhi", "32-bit integer multiply-add, upper or all 64 bits", &throughput_int_mul_high,
       &throughput_int_mul},
      {"xmad", "16-bit integer multiply, 32-bit add (XMAD)", &throughput_int_xmad},
      {"mul24", "24-bit integer multiply (__mul24)", &throughput_int_mul24},
      {"shift", "32-bit shift", &throughput_shift},
      {"logic", "32-bit and, or, xor", &throughput_logic},
      {"compare", "comparison, selection", &throughput_compare},
      {"imin", "32-bit integer minimum, maximum", &throughput_int_min, &throughput_compare},
      {"i2f", "int32 to fp32", &throughput_convert_int_float, &throughput_convert},
      {"f2i", "fp32 to int32", &throughput_convert_float_int, &throughput_convert},
      {"f2h", "fp32 to fp16", &throughput_convert_float_half, &throughput_convert},
      {"h2f", "fp16 to fp32", &throughput_convert_half_float, &throughput_convert},
      {"f2d", "fp32 to fp64", &throughput_convert_float_double, &throughput_convert_64},
      {"d2f", "fp64 to fp32", &throughput_convert_double_float, &throughput_convert_64},
      {"i8", "8-bit integer to int32", &throughput_convert_8_16},
      {"rcp", "fp32 reciprocal", &throughput_rcp},
      {"rsqrt", "fp32 reciprocal square root", &throughput_rsqrt, &throughput_rcp},
      {"sqrt", "fp32 square root, approximate", &throughput_sqrt, &throughput_rcp},
      {"lg2", "fp32 log2", &throughput_log2, &throughput_rcp},
      {"sin", "fp32 sine, cosine, of the special function units", &throughput_sin},
      {"ex2", "fp32 exp2", &throughput_exp2, &throughput_sin},
      {"popc", "population count", &throughput_popc},
      {"clz", "position of the leading one", &throughput_clz, &throughput_popc},
      {"shuffle", "warp shuffle", &throughput_shuffle},
      {"movm", "transpose of 8 x 8 halves in a warp", &throughput_transpose, &throughput_shuffle},
      {"vote", "warp vote (any, all, ballot)", &throughput_vote},
      {"lds", "load of 4 B from shared memory", &throughput_shared_load, nullptr, shared},
      {"sts", "store of 4 B to shared memory", &throughput_shared_store, nullptr, shared},
      {"atoms", "atomic add in shared memory", &throughput_shared_atomic},
      {"branch", "branch that the whole warp takes", &throughput_branch, nullptr, slot},
      {"reconverge", "setting or meeting a branch's reconvergence point", nullptr, nullptr, slot},
      {"uadd", "integer add on the uniform pipe", nullptr, nullptr, slot},
      {"fadd_s", "fp32 a + s[i], s in shared memory", &throughput_fp32_add_shared},
      {"ffma_s", "fp32 a + a * s[i]", &throughput_fp32_mad_shared},
      {"ffma_bs", "fp32 a + b * s[i]", &throughput_fp32_mad_shared_3},
      {"fmul_sfu", "fp32 multiply on the special function units, beside a MAD", &throughput_fp32_mad_mul},
      {"__sinf", "fp32 sine, fast", &throughput_sin, nullptr, function},
      {"__cosf", "fp32 cosine, fast", &throughput_cos, &throughput_sin, function},
      {"__expf", "fp32 exp, fast", &throughput_exp, &throughput_sin, function},
      {"sinf", "fp32 sine, accurate", &throughput_sin_accurate, nullptr, function},
      {"cosf", "fp32 cosine, accurate", &throughput_cos_accurate, nullptr, function},
      {"expf", "fp32 exp, accurate", &throughput_exp_accurate, nullptr, function},
      {"fdividef", "fp32 division, fast (__fdividef)", &throughput_fp32_div_fast, nullptr, function},
      {"fdiv", "fp32 division, accurate", &throughput_fp32_div, nullptr, function},
      {"sqrtf", "fp32 square root, accurate", &throughput_fp32_sqrt, nullptr, function},
      {"udiv", "unsigned division", &throughput_udiv, nullptr, function},
      {"umod", "unsigned modulo", &throughput_umod, nullptr, function},
      {"idiv", "signed division", &throughput_idiv, nullptr, function},
      {"imod", "signed modulo", &throughput_imod, nullptr, function},
      {"udiv7", "unsigned division by a constant such as 7", &throughput_udiv_constant, nullptr, function},
      {"umod7", "unsigned modulo by a constant such as 7", &throughput_umod_constant, nullptr, function},
      {"udiv8", "unsigned division by a power of two: a shift", &throughput_shift, nullptr, function},
      {"umod8", "unsigned modulo by a power of two: a logical and", &throughput_logic, nullptr, function},
      {"idiv8", "signed division by a power of two", &throughput_idiv_power_of_two, nullptr, function},
      {"imod8", "signed modulo by a power of two", &throughput_imod_power_of_two, nullptr, function},
  };
  return all;
}

const InstructionClass* find_instruction_class(std::string_view name) {
  const auto all = instruction_classes();
  const auto at =
      std::find_if(all.begin(), all.end(), [&](const InstructionClass& c) { return c.name == name; });
  return at == all.end() ? nullptr : &*at;
}

const InstructionClass& instruction_class(std::string_view name) {
  if (const InstructionClass* found = find_instruction_class(name)) return *found;
  std::vector<std::string> names;
  for (const InstructionClass& c : instruction_classes()) names.emplace_back(c.name);
  throw InputError(fmt::format("unknown instruction class '{}'{}", name, suggestion(name, names)));
}

} // namespace perfmodel
