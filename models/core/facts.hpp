// Every fact a GPU's or an architecture's file may hold: the YAML key, the name that `--set` takes, the line
// of `hw show`. least and most bound its order of magnitude in base units. hwdb/README.md says how files use
// them.
#pragma once

#include "fact.hpp"

#include <string>
#include <vector>

// A table, one line per key.
// clang-format off
namespace perfmodel::facts {

// The chip and its clocks.
inline constexpr Key<Count> sm_count{"sm_count", "streaming multiprocessors in use", 1, 1024};
inline constexpr Key<Hertz> clock{"clock", "SM clock that instructions issue on, and that the printed peaks assume", 1e8, 1e10};
inline constexpr Key<Hertz> clock_base{"clock.base", "base clock of the SMs", 1e8, 1e10};
inline constexpr Key<Hertz> clock_boost{"clock.boost", "boost clock of the SMs", 1e8, 1e10};
inline constexpr Key<Hertz> clock_tensor{"clock.tensor", "clock that the printed tensor peaks assume", 1e8, 1e10};
inline constexpr Key<Hertz> clock_core{"clock.core", "core clock of chips whose SMs run on a faster shader clock", 1e8, 1e10};
inline constexpr Key<Hertz> clock_observed{"clock.observed", "SM clock seen while measuring", 1e8, 1e10};
inline constexpr Key<Watts> power_tdp{"power.tdp", "board power limit", 10, 5000};

// Peak rates as printed; FMA = 2 flop, tensor peaks dense, int8 in op/s.
inline constexpr Key<FlopsPerSecond> peak_fp32{"peak.fp32", "peak rate, fp32 FMA (up to GT200 MAD)", 1e9, 1e18};
inline constexpr Key<FlopsPerSecond> peak_fp32_mad_mul{"peak.fp32_mad_mul", "peak rate, fp32 MAD with a MUL beside it: 3 flop per lane and clock", 1e9, 1e18};
inline constexpr Key<FlopsPerSecond> peak_fp64{"peak.fp64", "peak rate, fp64 FMA", 1e9, 1e18};
inline constexpr Key<FlopsPerSecond> peak_fp16{"peak.fp16", "peak rate, fp16 FMA outside the tensor units", 1e9, 1e18};
inline constexpr Key<FlopsPerSecond> peak_bf16{"peak.bf16", "peak rate, bf16 FMA outside the tensor units", 1e9, 1e18};
inline constexpr Key<FlopsPerSecond> peak_int32{"peak.int32", "peak rate, 32-bit integer addition", 1e9, 1e18};
inline constexpr Key<FlopsPerSecond> peak_fp64_tensor{"peak.fp64_tensor", "peak rate, fp64 on the tensor units", 1e9, 1e18};
inline constexpr Key<FlopsPerSecond> peak_tf32_tensor{"peak.tf32_tensor", "peak rate, tf32 on the tensor units", 1e9, 1e18};
inline constexpr Key<FlopsPerSecond> peak_fp16_tensor{"peak.fp16_tensor", "peak rate, fp16 on the tensor units, accumulated in fp32", 1e9, 1e18};
inline constexpr Key<FlopsPerSecond> peak_bf16_tensor{"peak.bf16_tensor", "peak rate, bf16 on the tensor units, accumulated in fp32", 1e9, 1e18};
inline constexpr Key<FlopsPerSecond> peak_fp8_tensor{"peak.fp8_tensor", "peak rate, fp8 on the tensor units, accumulated in fp32", 1e9, 1e18};
inline constexpr Key<FlopsPerSecond> peak_int8_tensor{"peak.int8_tensor", "peak rate, int8 on the tensor units", 1e9, 1e18};
inline constexpr Key<FlopsPerSecond> peak_fp4_tensor{"peak.fp4_tensor", "peak rate, fp4 on the tensor units", 1e9, 1e18};

// Device memory.
inline constexpr Key<Bytes> dram_size{"dram.size", "device memory", 1e8, 1e13};
inline constexpr Key<std::string> dram_type{"dram.type", "kind of device memory"};
inline constexpr Key<Bytes> dram_bus{"dram.bus", "width of the memory bus", 4, 8192};
inline constexpr Key<Hertz> dram_clock{"dram.clock", "memory clock, as its source counts it", 1e8, 1e11};
inline constexpr Key<BytesPerSecond> dram_data_rate{"dram.data_rate", "data rate of one pin of the memory bus", 1e7, 1e11};
inline constexpr Key<BytesPerSecond> dram_bandwidth{"dram.bandwidth", "pin bandwidth: bus width x data rate", 1e9, 1e14};
inline constexpr Key<Count> dram_partitions{"dram.partitions", "memory partitions (channels) that addresses are dealt to", 1, 256};
inline constexpr Key<Bytes> dram_partition_width{"dram.partition_width", "bus width of one memory partition", 1, 1024};
inline constexpr Key<Bytes> dram_interleave{"dram.interleave", "consecutive bytes in one partition before the next one follows", 16, 65536};
inline constexpr Key<std::string> dram_mapping{"dram.mapping", "how addresses are dealt to the memory partitions: 'interleaved' (one after the other) or 'hashed'"};
inline constexpr Key<Quantity<0, 0, 0, -1, 0>> dram_segment_rate{"dram.segment_rate", "isolated runs of consecutive bytes that device memory serves per second", 1e6, 1e14};
inline constexpr Key<Quantity<0, 0, 0, -1, 0>> dram_scatter_rate{"dram.scatter_rate", "isolated sectors that device memory can be written per second", 1e6, 1e14};
inline constexpr Key<Bytes> dram_row_reach{"dram.row_reach", "consecutive bytes of device memory of which one opening of a row serves several isolated accesses", 16, 1048576};
inline constexpr Key<Quantity<0, 0, 0, -1, 0>> l2_split_rate{"l2.split_rate", "lines that L2 completes per second of which two warps write one sector, each a part", 1e6, 1e14};
inline constexpr Key<Quantity<0, 0, 0, -1, 0>> l2_scatter_rate{"l2.scatter_rate", "stores of single words, each to a line of its own, that L2 takes per second", 1e6, 1e14};
inline constexpr Key<Quantity<0, 0, 0, -1, 0>> l2_gather_rate{"l2.gather_rate", "loads of single sectors, each of a line of its own, that L2 serves per second", 1e6, 1e14};
inline constexpr Key<Quantity<0, 0, 0, -1, 0>> l2_counter_rate{"l2.counter_rate", "additions to one word in L2 per second", 1e6, 1e12};
inline constexpr Key<Bytes> dram_atom{"dram.atom", "bytes that L2 fetches from device memory at least, where it is more than a sector", 16, 1024};
inline constexpr Key<Cycles> dram_service{"dram.service", "cycles for which a line of 128 B keeps its part of device memory busy, as the latency under load tells", 1, 5000};
inline constexpr Key<Cycles> dram_turn{"dram.turn", "cycles that a bank of device memory takes to turn between reading and writing", 1, 5000};
inline constexpr Key<Cycles> dram_latency{"dram.latency", "load latency from device memory, one warp on an idle GPU", 50, 5000};

// Caches and shared memory of the device.
inline constexpr Key<Bytes> l2_size{"l2.size", "L2 cache", 16384, 1e10};
inline constexpr Key<Bytes> l2_shared_capacity{"l2.shared_capacity", "bytes that L2 keeps of what SMs everywhere read again and again", 16384, 1e10};
inline constexpr Key<Count> l2_partial_sets{"l2.partial_sets", "sets of L2 over which lines spread that are partly written", 16, 1e9};
inline constexpr Key<Count> l2_partial_ways{"l2.partial_ways", "lines of a set that L2 lets be partly written before it sends one away", 1, 64};
inline constexpr Key<Cycles> l2_latency{"l2.latency", "load latency from L2 (the near partition where there are two)", 20, 2000};
inline constexpr Key<Cycles> l2_latency_far{"l2.latency_far", "load latency from the far L2 partition", 20, 3000};
inline constexpr Key<Bytes> l1_size{"l1.size", "L1 and shared memory of one SM together (shared memory alone where L1 is apart)", 1024, 1e7};
inline constexpr Key<Cycles> l1_latency{"l1.latency", "load latency from L1", 4, 500};
inline constexpr Key<PerCycle> l1_line_rate{"l1.line_rate", "different lines of 128 B that the loads of one SM look up in L1 in a cycle", 0.1, 128};
inline constexpr Key<Cycles> l1_fill_interval{"l1.fill_interval", "cycles in which L1's banks take in a line of 128 B from L2, and serve nobody else", 0.25, 64};
inline constexpr Key<Count> l1_queue{"l1.queue", "accesses of global memory of one SM that wait on their way to L2, at most, where all its schedulers issue them", 1, 10000};
inline constexpr Key<Cycles> shared_latency{"shared.latency", "load latency from shared memory", 4, 500};

// Latency of instructions.
inline constexpr Key<Cycles> fma_latency{"fma.latency", "issue of an fp32 FMA to issue of the instruction that needs its result", 1, 200};
inline constexpr Key<Cycles> fp64_latency{"fp64.latency", "the same for an fp64 FMA", 1, 500};
inline constexpr Key<Cycles> sfu_latency{"sfu.latency", "the same for a special function (reciprocal, sine)", 1, 500};
inline constexpr Key<Cycles> latency_fp32_add{"latency.fp32_add", "the same for fp32 add", 1, 5000};
inline constexpr Key<Cycles> latency_fp32_mul{"latency.fp32_mul", "the same for fp32 multiply", 1, 5000};
inline constexpr Key<Cycles> latency_fp32_min{"latency.fp32_min", "the same for fp32 minimum, maximum", 1, 5000};
inline constexpr Key<Cycles> latency_fp64_add{"latency.fp64_add", "the same for fp64 add", 1, 5000};
inline constexpr Key<Cycles> latency_fp64_mul{"latency.fp64_mul", "the same for fp64 multiply", 1, 5000};
inline constexpr Key<Cycles> latency_fp16_fma{"latency.fp16_fma", "the same for fp16 multiply-add of pairs", 1, 5000};
inline constexpr Key<Cycles> latency_bf16_fma{"latency.bf16_fma", "the same for bf16 multiply-add of pairs", 1, 5000};
inline constexpr Key<Cycles> latency_int_add3{"latency.int_add3", "the same for 32-bit integer add of three operands", 1, 5000};
inline constexpr Key<Cycles> latency_int_mul{"latency.int_mul", "the same for 32-bit integer multiply", 1, 5000};
inline constexpr Key<Cycles> latency_int_mad{"latency.int_mad", "the same for 32-bit integer multiply-add", 1, 5000};
inline constexpr Key<Cycles> latency_shift{"latency.shift", "the same for 32-bit shift", 1, 5000};
inline constexpr Key<Cycles> latency_logic{"latency.logic", "the same for 32-bit and, or, xor", 1, 5000};
inline constexpr Key<Cycles> latency_compare{"latency.compare", "the same for comparison, selection", 1, 5000};
inline constexpr Key<Cycles> latency_predicate{"latency.predicate", "from a comparison to the instruction or branch that it guards", 1, 5000};
inline constexpr Key<Cycles> latency_int_min{"latency.int_min", "the same for 32-bit integer minimum, maximum", 1, 5000};
inline constexpr Key<Cycles> latency_convert_int_float{"latency.convert_int_float", "the same for int32 to fp32", 1, 5000};
inline constexpr Key<Cycles> latency_convert_float_int{"latency.convert_float_int", "the same for fp32 to int32", 1, 5000};
inline constexpr Key<Cycles> latency_convert_float_half{"latency.convert_float_half", "the same for fp32 to fp16", 1, 5000};
inline constexpr Key<Cycles> latency_convert_half_float{"latency.convert_half_float", "the same for fp16 to fp32", 1, 5000};
inline constexpr Key<Cycles> latency_convert_float_double{"latency.convert_float_double", "the same for fp32 to fp64", 1, 5000};
inline constexpr Key<Cycles> latency_convert_double_float{"latency.convert_double_float", "the same for fp64 to fp32", 1, 5000};
inline constexpr Key<Cycles> latency_convert_8_16{"latency.convert_8_16", "the same for 8-bit integer to int32", 1, 5000};
inline constexpr Key<Cycles> latency_rsqrt{"latency.rsqrt", "the same for fp32 reciprocal square root", 1, 5000};
inline constexpr Key<Cycles> latency_sqrt{"latency.sqrt", "the same for fp32 square root, approximate", 1, 5000};
inline constexpr Key<Cycles> latency_log2{"latency.log2", "the same for fp32 log2", 1, 5000};
inline constexpr Key<Cycles> latency_exp2{"latency.exp2", "the same for fp32 exp2", 1, 5000};
inline constexpr Key<Cycles> latency_popc{"latency.popc", "the same for population count", 1, 5000};
inline constexpr Key<Cycles> latency_clz{"latency.clz", "the same for position of the leading one", 1, 5000};
inline constexpr Key<Cycles> latency_shuffle{"latency.shuffle", "the same for warp shuffle", 1, 5000};
inline constexpr Key<Cycles> latency_vote{"latency.vote", "the same for warp vote (any, all, ballot)", 1, 5000};
inline constexpr Key<Cycles> latency_shared_atomic{"latency.shared_atomic", "the same for atomic add in shared memory", 1, 5000};
inline constexpr Key<Cycles> latency_sin{"latency.sin", "the same for fp32 sine, fast", 1, 5000};
inline constexpr Key<Cycles> latency_exp{"latency.exp", "the same for fp32 exp, fast", 1, 5000};
inline constexpr Key<Cycles> latency_sin_accurate{"latency.sin_accurate", "the same for fp32 sine, accurate", 1, 5000};
inline constexpr Key<Cycles> latency_exp_accurate{"latency.exp_accurate", "the same for fp32 exp, accurate", 1, 5000};
inline constexpr Key<Cycles> latency_fp32_div_fast{"latency.fp32_div_fast", "the same for fp32 division, fast (__fdividef)", 1, 5000};
inline constexpr Key<Cycles> latency_fp32_div{"latency.fp32_div", "the same for fp32 division, accurate", 1, 5000};
inline constexpr Key<Cycles> latency_udiv{"latency.udiv", "the same for unsigned division", 1, 5000};
inline constexpr Key<Cycles> latency_umod{"latency.umod", "the same for unsigned modulo", 1, 5000};

// Links.
inline constexpr Key<Count> pcie_generation{"pcie.generation", "PCI Express generation", 1, 10};
inline constexpr Key<Count> pcie_lanes{"pcie.lanes", "PCI Express lanes", 1, 64};
inline constexpr Key<BytesPerSecond> pcie_bandwidth{"pcie.bandwidth", "PCI Express bandwidth of one direction after line encoding", 1e8, 1e13};
inline constexpr Key<BytesPerSecond> nvlink_bandwidth{"nvlink.bandwidth", "NVLink bandwidth, both directions and all links together", 1e9, 1e14};

// What programs reached: published by others, or measured by our own probes.
inline constexpr Key<BytesPerSecond> sustained_dram{"sustained.dram", "DRAM bandwidth that the measured basis uses", 1e9, 1e14};
inline constexpr Key<BytesPerSecond> sustained_dram_read{"sustained.dram.read", "sustained DRAM bandwidth, read-only stream", 1e9, 1e14};
inline constexpr Key<BytesPerSecond> sustained_dram_write{"sustained.dram.write", "sustained DRAM bandwidth, write-only stream", 1e9, 1e14};
inline constexpr Key<BytesPerSecond> sustained_dram_copy{"sustained.dram.copy", "sustained DRAM bandwidth, copy kernel, bytes read + written", 1e9, 1e14};
inline constexpr Key<BytesPerSecond> sustained_dram_copy_runs{"sustained.dram.copy_runs", "the same, tiles moved to their transposed places, rows of 256 B", 1e9, 1e14};
inline constexpr Key<BytesPerSecond> sustained_dram_copy_lines{"sustained.dram.copy_lines", "the same, tiles with rows of 128 B", 1e9, 1e14};
inline constexpr Key<BytesPerSecond> sustained_dram_copy_both_lines{"sustained.dram.copy_both_lines", "the same, tiles with rows of 128 B in diagonal order", 1e9, 1e14};
inline constexpr Key<BytesPerSecond> sustained_dram_triad{"sustained.dram.triad", "sustained DRAM bandwidth, triad: two loads, one store", 1e9, 1e14};
inline constexpr Key<BytesPerSecond> sustained_dram_memcpy{"sustained.dram.memcpy", "sustained DRAM bandwidth, device-to-device cudaMemcpy, bytes read + written", 1e9, 1e14};
inline constexpr Key<BytesPerSecond> sustained_l2{"sustained.l2", "sustained L2 read bandwidth, all SMs", 1e9, 1e15};
inline constexpr Key<BytesPerSecond> sustained_l1{"sustained.l1", "sustained L1 read bandwidth, all SMs", 1e9, 1e16};
inline constexpr Key<BytesPerSecond> sustained_shared{"sustained.shared", "sustained shared-memory read bandwidth, all SMs", 1e9, 1e16};
inline constexpr Key<FlopsPerSecond> sustained_fp32{"sustained.fp32", "sustained rate of peak.fp32", 1e9, 1e18};
inline constexpr Key<FlopsPerSecond> sustained_fp32_mad_mul{"sustained.fp32_mad_mul", "sustained rate of peak.fp32_mad_mul", 1e9, 1e18};
inline constexpr Key<FlopsPerSecond> sustained_fp64{"sustained.fp64", "sustained rate of peak.fp64", 1e9, 1e18};
inline constexpr Key<FlopsPerSecond> sustained_fp16{"sustained.fp16", "sustained rate of peak.fp16", 1e9, 1e18};
inline constexpr Key<FlopsPerSecond> sustained_bf16{"sustained.bf16", "sustained rate of peak.bf16", 1e9, 1e18};
inline constexpr Key<FlopsPerSecond> sustained_int32{"sustained.int32", "sustained rate of peak.int32", 1e9, 1e18};
inline constexpr Key<FlopsPerSecond> sustained_fp64_tensor{"sustained.fp64_tensor", "sustained rate of peak.fp64_tensor", 1e9, 1e18};
inline constexpr Key<FlopsPerSecond> sustained_tf32_tensor{"sustained.tf32_tensor", "sustained rate of peak.tf32_tensor", 1e9, 1e18};
inline constexpr Key<FlopsPerSecond> sustained_fp16_tensor{"sustained.fp16_tensor", "sustained rate of peak.fp16_tensor", 1e9, 1e18};
inline constexpr Key<FlopsPerSecond> sustained_bf16_tensor{"sustained.bf16_tensor", "sustained rate of peak.bf16_tensor", 1e9, 1e18};
inline constexpr Key<FlopsPerSecond> sustained_tf32_tensor_fed{"sustained.tf32_tensor_fed", "sustained rate of peak.tf32_tensor, fed from L2 by the copy engine", 1e9, 1e18};
inline constexpr Key<FlopsPerSecond> sustained_bf16_tensor_fed{"sustained.bf16_tensor_fed", "sustained rate of peak.bf16_tensor, fed from L2 by the copy engine", 1e9, 1e18};
inline constexpr Key<FlopsPerSecond> sustained_fp8_tensor{"sustained.fp8_tensor", "sustained rate of peak.fp8_tensor", 1e9, 1e18};
inline constexpr Key<FlopsPerSecond> sustained_int8_tensor{"sustained.int8_tensor", "sustained rate of peak.int8_tensor", 1e9, 1e18};
inline constexpr Key<FlopsPerSecond> sustained_fp4_tensor{"sustained.fp4_tensor", "sustained rate of peak.fp4_tensor", 1e9, 1e18};

// Limits of one SM, mostly from the architecture's file.
inline constexpr Key<Count> warp_size{"warp_size", "threads of a warp", 32, 32};
inline constexpr Key<Count> max_threads_per_block{"max_threads_per_block", "threads of a block at most", 256, 4096};
inline constexpr Key<Count> max_block_z{"max_block_z", "third side of a block at most", 1, 4096};
inline constexpr Key<Count> max_grid_x{"max_grid_x", "blocks of a grid in x at most", 1024, 1e12};
inline constexpr Key<Count> max_grid_y{"max_grid_y", "blocks of a grid in y at most", 1024, 1e12};
inline constexpr Key<Count> max_grid_z{"max_grid_z", "blocks of a grid in z at most", 1, 1e12};
inline constexpr Key<Count> max_threads_per_sm{"max_threads_per_sm", "resident threads of an SM at most", 256, 8192};
inline constexpr Key<Count> max_warps_per_sm{"max_warps_per_sm", "resident warps of an SM at most", 8, 256};
inline constexpr Key<Count> max_blocks_per_sm{"max_blocks_per_sm", "resident blocks of an SM at most", 1, 128};
inline constexpr Key<Count> registers_per_sm{"registers_per_sm", "32-bit registers of an SM", 4096, 1048576};
inline constexpr Key<Count> max_registers_per_block{"max_registers_per_block", "32-bit registers of a block at most", 4096, 1048576};
inline constexpr Key<Count> max_registers_per_thread{"max_registers_per_thread", "32-bit registers of a thread at most", 32, 1024};
inline constexpr Key<Count> register_allocation_unit{"register_allocation_unit", "registers are handed out in multiples of this", 32, 4096};
inline constexpr Key<Count> register_allocation_unit_wide{"register_allocation_unit.wide", "the unit at the register counts of register_allocation_unit.wide_at", 32, 4096};
inline constexpr Key<std::vector<Count>> register_allocation_unit_wide_at{"register_allocation_unit.wide_at", "registers per thread at which the wide unit holds", 1, 256};
inline constexpr Key<std::string> register_allocation_granularity{"register_allocation_granularity", "registers are handed out per block or per warp"};
inline constexpr Key<Count> warp_allocation_granularity{"warp_allocation_granularity", "warps of a block are rounded up to a multiple of this", 1, 8};
inline constexpr Key<Count> sm_sub_partitions{"sm_sub_partitions", "sub-partitions of an SM, each with its own registers", 1, 8};
inline constexpr Key<Count> launch_check_sub_partitions{"launch_check_sub_partitions", "a block must also fit an SM of so many sub-partitions, else it is not launched", 1, 8};
inline constexpr Key<Count> sm_cache_partitions{"sm_cache_partitions", "parts of an SM; a block whose global loads are cached stays in one (partitioned global caching)", 1, 8};
inline constexpr Key<Count> barriers_per_sm{"barriers_per_sm", "named block barriers of an SM", 8, 256};
inline constexpr Key<Count> virtual_resources_per_sm{"virtual_resources_per_sm", "virtual resources of an SM, as cuda_occupancy.h calls them", 8, 4096};

// Shared memory.
inline constexpr Key<Bytes> shared_per_sm{"shared.per_sm", "shared memory of an SM at most", 8192, 1e7};
inline constexpr Key<std::vector<Bytes>> shared_carveouts{"shared.carveouts", "sizes that shared memory can be set to on one SM", 0, 1e7};
inline constexpr Key<std::string> shared_carveout_when_short{"shared.carveout_when_short", "size that is taken when a block needs more than the preferred one: 'largest', else the next"};
inline constexpr Key<Bytes> shared_per_block{"shared.per_block", "shared memory of a block at most, without opting in", 8192, 1e7};
inline constexpr Key<Bytes> shared_per_block_optin{"shared.per_block_optin", "shared memory of a block at most, after opting in", 8192, 1e7};
inline constexpr Key<Bytes> shared_allocation_unit{"shared.allocation_unit", "shared memory is handed out in multiples of this", 32, 4096};
inline constexpr Key<Bytes> shared_reserved{"shared.reserved", "shared memory of each block that the system takes", 0, 8192};
inline constexpr Key<Count> shared_banks{"shared.banks", "banks of shared memory", 8, 128};
inline constexpr Key<Bytes> shared_bank_width{"shared.bank_width", "width of a bank", 1, 64};
inline constexpr Key<Count> shared_request_threads{"shared.request_threads", "threads whose accesses to shared memory are served as one request", 8, 64};
inline constexpr Key<Cycles> shared_cycles_per_request{"shared.cycles_per_request", "cycles between two requests without bank conflicts", 0.25, 16};
inline constexpr Key<std::vector<Bytes>> shared_bank_modes{"shared.bank_modes", "consecutive bytes of one bank, where they can be chosen; the first is the default", 1, 64};
inline constexpr Key<std::string> shared_broadcast{"shared.broadcast", "words that are sent to several threads in one step: 'every_word', or 'one_word' and one thread of every other bank"};
inline constexpr Key<std::string> shared_wide_access{"shared.wide_access", "words wider than a bank make requests of 'fewer_threads', or a request for each of their 'bank_words'"};
inline constexpr Key<Count> shared_extra_steps_wide{"shared.extra_steps_16B", "steps that a request of 16 B words takes beside its bank conflicts", 1, 16};
inline constexpr Key<std::vector<Count>> shared_lane_pairs{"shared.lane_pairs", "two requests of a wide load become one if lanes n and n xor this read the same words", 1, 16};
inline constexpr Key<Cycles> shared_lone_issue{"shared.lone_issue", "cycles between two loads from shared memory of one warp alone on its SM, without conflicts", 0.5, 64};
inline constexpr Key<Cycles> shared_lone_wavefront{"shared.lone_wavefront", "cycles that each wavefront of such loads takes", 0.25, 64};
inline constexpr Key<Cycles> shared_lone_register{"shared.lone_register", "cycles in which such a warp hands over one register of a store, of its address or its value", 0.25, 64};

// Constant memory.
inline constexpr Key<Count> constant_request_threads{"constant.request_threads", "threads whose reads of constant memory are served as one request", 8, 64};
inline constexpr Key<Cycles> constant_cycles_per_word{"constant.cycles_per_word", "cycles of an SM for each different word of a request, read from the constant cache", 0.05, 256};
inline constexpr Key<Cycles> constant_latency{"constant.latency", "latency of a load from the constant cache, one word for the warp", 2, 500};
inline constexpr Key<Cycles> constant_latency_per_word{"constant.latency_per_word", "cycles by which each further word of the warp lengthens it", 0.25, 500};

// Access to global memory.
inline constexpr Key<std::string> coalescing_class{"coalescing.class", "rule by which a warp's accesses become transactions"};
inline constexpr Key<Count> coalescing_request_threads{"coalescing.request_threads", "threads whose accesses are coalesced together", 8, 64};
inline constexpr Key<std::vector<Bytes>> coalescing_transactions{"coalescing.transactions", "sizes of a transaction", 1, 4096};
inline constexpr Key<Bytes> coalescing_uncoalesced_transaction{"coalescing.uncoalesced_transaction", "least transaction of an access that is not coalesced", 1, 4096};
inline constexpr Key<Bytes> coalescing_request_bytes{"coalescing.request_bytes", "bytes of a request at most: threads with wider words are coalesced in smaller groups", 32, 4096};

// Issue.
inline constexpr Key<Count> schedulers{"schedulers", "warp schedulers of an SM", 1, 16};
inline constexpr Key<Count> dispatch_per_scheduler{"dispatch_per_scheduler", "instructions that a scheduler can issue to one warp at once", 1, 4};
inline constexpr Key<Cycles> issue_cycles_per_warp{"issue.cycles_per_warp", "cycles that a base-rate instruction of one warp occupies its lanes", 0.25, 16};
inline constexpr Key<Cycles> issue_interval{"issue.interval", "cycles between two issues of one scheduler", 0.25, 16};
inline constexpr Key<Cycles> issue_reissue_gap{"issue.reissue_gap", "cycles between two independent instructions of one warp", 0.25, 64};
inline constexpr Key<Cycles> issue_memory_interval{"issue.memory_interval", "cycles between two accesses of shared or global memory that one scheduler issues, those of no active lane too", 0.25, 64};
inline constexpr Key<Cycles> issue_queued_special{"issue.queued_special", "cycles of a scheduler that an instruction of the special function units takes beside its slot", 0.01, 16};
inline constexpr Key<Cycles> issue_queued_shared{"issue.queued_shared", "cycles of a scheduler that an access of shared memory or a shuffle takes beside its slot", 0.01, 16};
inline constexpr Key<Cycles> loop_latency{"loop.latency", "cycles from the last instruction of a loop's body to the first of the next trip", 0.1, 1000};
inline constexpr Key<Cycles> loop_issue{"loop.issue", "cycles of a scheduler that a trip of a loop takes beside its body: count, compare, branch", 0.1, 200};
inline constexpr Key<Count> register_banks{"register.banks", "banks of the register file of one scheduler", 1, 16};
inline constexpr Key<PerCycle> register_reads{"register.reads", "register operands that one scheduler can read in a cycle, of all banks", 0.5, 16};

// A block beside its work.
inline constexpr Key<Cycles> block_launch{"block.launch", "cycles from one block of an SM's slot to the next, of blocks that do nothing", 1, 1e5};
inline constexpr Key<Cycles> block_launch_interval{"block.launch_interval", "cycles between two launches of blocks on one SM while all SMs launch", 1, 1e5};
inline constexpr Key<Cycles> block_load_latency{"block.load_latency", "cycles that a block takes for one load of each thread and the address of it, idle GPU", 50, 1e5};
inline constexpr Key<Cycles> block_store_drain{"block.store_drain", "cycles that a block takes for one store of each thread before it leaves", 1, 1e5};
inline constexpr Key<Cycles> barrier_latency{"barrier.latency", "cycles that a barrier adds to a chain of instructions, in a block of one warp", 1, 1e4};
inline constexpr Key<Cycles> barrier_per_warp{"barrier.per_warp", "cycles from one barrier to the next for each further warp of the block", 0.1, 1000};
inline constexpr Key<Count> barrier_fence{"barrier.fence", "wavefronts of shared memory's pipe that a barrier takes behind accesses to it", 0.1, 100};
inline constexpr Key<Seconds> kernel_turnover{"kernel.turnover", "seconds from one kernel to the next on an idle GPU, kernels of a block that does nothing, launched ahead", 1e-8, 1e-3};
inline constexpr Key<Seconds> tensor_bf16_start{"tensor.bf16_start", "seconds of the ladder's bf16 product beside its sums where 8 SMs have a tile: launch, first boxes, stores", 1e-8, 1e-3};
inline constexpr Key<Seconds> tensor_tf32_start{"tensor.tf32_start", "seconds of the ladder's tf32 product beside its sums where 8 SMs have a tile: launch, first boxes, stores", 1e-8, 1e-3};
inline constexpr Key<Seconds> tensor_bf16_start_of_all{"tensor.bf16_start_of_all", "tensor.bf16_start where 128 SMs have a tile and share L2", 1e-8, 1e-3};
inline constexpr Key<Seconds> tensor_tf32_start_of_all{"tensor.tf32_start_of_all", "tensor.tf32_start where 128 SMs have a tile and share L2", 1e-8, 1e-3};
inline constexpr Key<Seconds> kernel_first_load{"kernel.first_load", "seconds by which a kernel takes longer whose every thread, a block of 256 on each SM, loads a word from L2", 1e-8, 1e-3};
inline constexpr Key<std::string> pipes{"pipes", "which pipe executes which instruction classes: 'fma: ffma fadd; alu: logic'; + stands between pipes that take one in turn, & between those that one occupies together"};
inline constexpr Key<std::string> functions{"functions", "instructions that a compiler makes of what is no single one: 'umod8: logic:1; udiv: f2i:2,rcp:1,iadd:6'"};
inline constexpr Key<Count> register_bank_threads{"register_bank_threads", "blocks whose threads are a multiple of this meet no register bank conflicts", 1, 1024};

// Throughput: results per clock of one SM; tensor units in FMAs per clock.
inline constexpr Key<PerCycle> throughput_fp32_fma{"throughput.fp32_fma", "results per clock and SM: fp32 add, multiply, FMA (up to GT200 MAD)", 0.5, 65536};
inline constexpr Key<PerCycle> throughput_fp32_add{"throughput.fp32_add", "results per clock and SM: fp32 add, where it differs from the FMA", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_fp32_mul{"throughput.fp32_mul", "results per clock and SM: fp32 multiply, where it differs from the FMA", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_fp32_min{"throughput.fp32_min", "results per clock and SM: fp32 minimum, maximum, where they differ from a comparison", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_fp32_mad_mul{"throughput.fp32_mad_mul", "results per clock and SM: fp32 lanes that take a MAD and a MUL together", 0.5, 65536};
inline constexpr Key<PerCycle> throughput_fp32_add_shared{"throughput.fp32_add_shared", "results per clock and SM: fp32 add, one operand from shared memory (cc 1.x: a + s[i])", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_fp32_mad_shared{"throughput.fp32_mad_shared", "results per clock and SM: fp32 MAD, one operand from shared memory, two registers (cc 1.x: a + a * s[i])", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_fp32_mad_shared_3{"throughput.fp32_mad_shared_3", "results per clock and SM: fp32 MAD, one operand from shared memory, three registers (cc 1.x: a + b * s[i])", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_fp64_fma{"throughput.fp64_fma", "results per clock and SM: fp64 add, multiply, FMA", 0.5, 65536};
inline constexpr Key<PerCycle> throughput_fp64_add{"throughput.fp64_add", "results per clock and SM: fp64 add, where it differs from the FMA", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_fp64_mul{"throughput.fp64_mul", "results per clock and SM: fp64 multiply, where it differs from the FMA", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_fp16_fma{"throughput.fp16_fma", "results per clock and SM: fp16 add, multiply, FMA; a half2 counts as two", 0.5, 65536};
inline constexpr Key<PerCycle> throughput_bf16_fma{"throughput.bf16_fma", "results per clock and SM: bf16 add, multiply, FMA outside the tensor units", 0.5, 65536};
inline constexpr Key<PerCycle> throughput_fp32_div{"throughput.fp32_div", "results per clock and SM: fp32 division", 0.5, 65536};
inline constexpr Key<PerCycle> throughput_fp32_div_fast{"throughput.fp32_div_fast", "results per clock and SM: fp32 division by __fdividef", 0.5, 65536};
inline constexpr Key<PerCycle> throughput_fp32_sqrt{"throughput.fp32_sqrt", "results per clock and SM: fp32 square root, correctly rounded", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_rcp{"throughput.rcp", "results per clock and SM: fp32 reciprocal, reciprocal square root, log2", 0.5, 65536};
inline constexpr Key<PerCycle> throughput_rsqrt{"throughput.rsqrt", "results per clock and SM: fp32 reciprocal square root, where it differs from the reciprocal", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_sqrt{"throughput.sqrt", "results per clock and SM: fp32 square root, approximate", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_log2{"throughput.log2", "results per clock and SM: fp32 log2, approximate, where it differs from the reciprocal", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_sin{"throughput.sin", "results per clock and SM: fp32 sine, cosine, exp2 of the special function units", 0.5, 65536};
inline constexpr Key<PerCycle> throughput_cos{"throughput.cos", "results per clock and SM: fp32 cosine of the special function units, where it differs from the sine", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_exp2{"throughput.exp2", "results per clock and SM: fp32 exp2 of the special function units, where it differs from the sine", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_exp{"throughput.exp", "results per clock and SM: fp32 exp by the special function units (__expf)", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_sin_accurate{"throughput.sin_accurate", "results per clock and SM: fp32 sine, accurate (sinf, small arguments)", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_cos_accurate{"throughput.cos_accurate", "results per clock and SM: fp32 cosine, accurate (cosf, small arguments)", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_exp_accurate{"throughput.exp_accurate", "results per clock and SM: fp32 exp, accurate (expf)", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_int_add{"throughput.int_add", "results per clock and SM: 32-bit integer add, subtract", 0.5, 65536};
inline constexpr Key<PerCycle> throughput_int_add3{"throughput.int_add3", "results per clock and SM: 32-bit integer add of three operands, where it differs from that of two", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_int_mul{"throughput.int_mul", "results per clock and SM: 32-bit integer multiply, multiply-add", 0.5, 65536};
inline constexpr Key<PerCycle> throughput_int_mul24{"throughput.int_mul24", "results per clock and SM: 24-bit integer multiply (__mul24)", 0.5, 65536};
inline constexpr Key<PerCycle> throughput_int_mad{"throughput.int_mad", "results per clock and SM: 32-bit integer multiply-add, where it differs from the multiply", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_int_mul_high{"throughput.int_mul_high", "results per clock and SM: upper or all 64 bits of a 32-bit integer multiply, where they differ from the lower", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_int_xmad{"throughput.int_xmad", "results per clock and SM: 16-bit integer multiply with a 32-bit add (XMAD), of which Maxwell and Pascal make 32-bit multiplies", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_int_min{"throughput.int_min", "results per clock and SM: 32-bit integer minimum, maximum, where they differ from a comparison", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_udiv{"throughput.udiv", "results per clock and SM: 32-bit unsigned division", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_umod{"throughput.umod", "results per clock and SM: 32-bit unsigned modulo", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_idiv{"throughput.idiv", "results per clock and SM: 32-bit signed division", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_imod{"throughput.imod", "results per clock and SM: 32-bit signed modulo", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_udiv_constant{"throughput.udiv_constant", "results per clock and SM: 32-bit unsigned division by a constant, no power of two", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_umod_constant{"throughput.umod_constant", "results per clock and SM: 32-bit unsigned modulo by a constant, no power of two", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_idiv_power_of_two{"throughput.idiv_power_of_two", "results per clock and SM: 32-bit signed division by a constant power of two", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_imod_power_of_two{"throughput.imod_power_of_two", "results per clock and SM: 32-bit signed modulo by a constant power of two", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_shift{"throughput.shift", "results per clock and SM: 32-bit shift", 0.5, 65536};
inline constexpr Key<PerCycle> throughput_compare{"throughput.compare", "results per clock and SM: compare, minimum, maximum", 0.5, 65536};
inline constexpr Key<PerCycle> throughput_logic{"throughput.logic", "results per clock and SM: 32-bit and, or, xor", 0.5, 65536};
inline constexpr Key<PerCycle> throughput_convert_8_16{"throughput.convert_8_16", "results per clock and SM: conversion from 8-bit and 16-bit integers to 32 bits", 0.5, 65536};
inline constexpr Key<PerCycle> throughput_convert_64{"throughput.convert_64", "results per clock and SM: conversion from and to 64-bit types", 0.5, 65536};
inline constexpr Key<PerCycle> throughput_convert{"throughput.convert", "results per clock and SM: other conversions", 0.5, 65536};
inline constexpr Key<PerCycle> throughput_convert_int_float{"throughput.convert_int_float", "results per clock and SM: conversion from 32-bit integer to fp32, where it differs from other conversions", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_convert_float_int{"throughput.convert_float_int", "results per clock and SM: conversion from fp32 to 32-bit integer, where it differs", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_convert_float_half{"throughput.convert_float_half", "results per clock and SM: conversion from fp32 to fp16, where it differs", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_convert_half_float{"throughput.convert_half_float", "results per clock and SM: conversion from fp16 to fp32, where it differs", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_convert_float_double{"throughput.convert_float_double", "results per clock and SM: conversion from fp32 to fp64, where it differs from other 64-bit conversions", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_convert_double_float{"throughput.convert_double_float", "results per clock and SM: conversion from fp64 to fp32, where it differs from other 64-bit conversions", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_popc{"throughput.popc", "results per clock and SM: population count, count leading zeros", 0.5, 65536};
inline constexpr Key<PerCycle> throughput_clz{"throughput.clz", "results per clock and SM: count leading zeros, where it differs from the population count", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_shuffle{"throughput.shuffle", "results per clock and SM: warp shuffle", 0.5, 65536};
inline constexpr Key<PerCycle> throughput_vote{"throughput.vote", "results per clock and SM: warp vote (ballot)", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_shared_load{"throughput.shared_load", "results per clock and SM: load of a 32-bit word from shared memory without bank conflicts, where it is not banks over cycles.per_request", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_shared_store{"throughput.shared_store", "results per clock and SM: store of a 32-bit word to shared memory without bank conflicts, where it is not the load's", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_shared_atomic{"throughput.shared_atomic", "results per clock and SM: atomic addition of 32-bit words in shared memory, without conflicts", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_branch{"throughput.branch", "results per clock and SM: branch that all threads of a warp take", 0.1, 65536};
inline constexpr Key<PerCycle> throughput_fp64_tensor{"throughput.fp64_tensor", "results per clock and SM: fp64 on the tensor units", 0.5, 65536};
inline constexpr Key<PerCycle> throughput_tf32_tensor{"throughput.tf32_tensor", "results per clock and SM: tf32 on the tensor units", 0.5, 65536};
inline constexpr Key<PerCycle> throughput_fp16_tensor{"throughput.fp16_tensor", "results per clock and SM: fp16 on the tensor units, accumulated in fp32", 0.5, 65536};
inline constexpr Key<PerCycle> throughput_bf16_tensor{"throughput.bf16_tensor", "results per clock and SM: bf16 on the tensor units, accumulated in fp32", 0.5, 65536};
inline constexpr Key<PerCycle> throughput_fp8_tensor{"throughput.fp8_tensor", "results per clock and SM: fp8 on the tensor units, accumulated in fp32", 0.5, 65536};
inline constexpr Key<PerCycle> throughput_int8_tensor{"throughput.int8_tensor", "results per clock and SM: int8 on the tensor units", 0.5, 65536};
inline constexpr Key<PerCycle> throughput_fp4_tensor{"throughput.fp4_tensor", "results per clock and SM: fp4 on the tensor units", 0.5, 65536};

} // namespace perfmodel::facts
// clang-format on
