// Words that are written to global memory: what is known of them, and what other blocks find there.
#pragma once

#include "run_block.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace perfmodel {

// The `more`-th word of what a store moves from that operand; not known where it is no register.
LaneWords stored_word(const LaneStep& step, std::size_t from, unsigned more);

// A store from operand `from`, word by word; of less than a word, or where nothing goes by it (`matters`), it
// is not known what is written. Where blocks are followed one after the other, others see what is stored for
// all SMs (STRONG).
void write_global(LaneStep& step, const MemoryAccess& access, std::size_t from, bool matters);

// A lane writes a word for other blocks to see; empty: it is not known what.
void leave_word(LaneStep& step, std::size_t lane, std::uint64_t address, std::optional<std::uint32_t> value);

} // namespace perfmodel
