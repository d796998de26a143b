#include "memory_step.hpp"

#include "atomic_step.hpp"
#include "global_step.hpp"

#include <algorithm>
#include <optional>

namespace perfmodel {

namespace {

constexpr MemoryOpcode memory_opcodes[] = {
    {"LDG", Space::global, true, false, false},    {"LD", Space::global, true, false, false},
    {"STG", Space::global, false, true, false},    {"ST", Space::global, false, true, false},
    {"ATOM", Space::global, true, true, true},     {"ATOMG", Space::global, true, true, true},
    {"RED", Space::global, false, true, true},     {"REDG", Space::global, false, true, true},
    {"LDS", Space::shared, true, false, false},    {"STS", Space::shared, false, true, false},
    {"ATOMS", Space::shared, true, true, true},    {"LDL", Space::local, true, false, false},
    {"STL", Space::local, false, true, false},     {"LDC", Space::constant, true, false, false},
    {"ULDC", Space::constant, true, false, false}, {"LDCU", Space::constant, true, false, false},
    {"LDGSTS", Space::global, true, false, false}, {"LDSM", Space::shared, true, false, false},
    {"STSM", Space::shared, false, true, false},   {"LDS_LDU", Space::shared, true, false, false}};

std::uint8_t bytes_of(const Instruction& i) {
  if (i.is("LDSM") || i.is("STSM")) return 16; // a row of eight halves
  if (i.has(mod("U8")) || i.has(mod("S8"))) return 1;
  if (i.has(mod("U16")) || i.has(mod("S16"))) return 2;
  if (i.has(mod("64")) || i.has(mod("F64")) || i.has(mod("S64")) || i.has(mod("U64"))) return 8;
  return i.has(mod("128")) ? 16 : static_cast<std::uint8_t>(4 * words_added(i));
}

// Matrices of 8 x 8 halves that LDSM and STSM move: a register of each lane, and eight lanes' addresses.
unsigned matrices_of(const Instruction& i) { return i.has(mod("4")) ? 4 : i.has(mod("2")) ? 2 : 1; }

std::size_t address_operand(const Instruction& i, std::size_t from = 0) {
  for (std::size_t n = from; n < i.operands.size(); ++n)
    if (i.operands[n].kind == OperandKind::address) return n;
  return i.operands.size();
}

// The register that a load fills: the first that is no predicate.
std::size_t result_operand(const Instruction& i) {
  for (std::size_t n = 0; n < i.operands.size(); ++n) {
    const OperandKind kind = i.operands[n].kind;
    if (kind == OperandKind::address || kind == OperandKind::constant) break;
    if (kind == OperandKind::reg || kind == OperandKind::uniform) return n;
  }
  return i.operands.size();
}

std::uint32_t extended(const Instruction& i, std::uint64_t value) {
  if (i.has(mod("S8"))) return static_cast<std::uint32_t>(static_cast<std::int8_t>(value));
  if (i.has(mod("S16"))) return static_cast<std::uint32_t>(static_cast<std::int16_t>(value));
  return static_cast<std::uint32_t>(value);
}

MemoryBytes& memory_of(LaneStep& s, Space space, std::size_t lane) {
  return space == Space::shared ? s.block.shared : s.warp.local[lane];
}

// What stands in for the `more`-th word of loaded data: by its address, so that equal ones hold the same. An
// atomic operation gives each lane another, one more than the lane before has, but for lanes of which it is
// known what they get.
LaneWords not_known(LaneStep& s, const MemoryAccess& a, unsigned more, const LaneWords& known = {}) {
  LaneWords made = known;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    if (((a.mask & ~known.known) >> lane & 1) == 0) continue;
    const auto address = static_cast<std::uint64_t>(a.address[lane]);
    made.at[lane] = a.atomic ? s.block.tickets++ : stand_in(s.block.indices, address, a.bytes, more);
  }
  return made;
}

// The `more`-th word that an access loads from device memory, where that is known.
LaneWords loaded_word(LaneStep& s, const MemoryAccess& a, unsigned more) {
  LaneWords made;
  if (!s.block.global.holds_any()) return not_known(s, a, more);
  for (std::size_t lane = 0; lane < 32; ++lane) {
    if (((a.mask & a.known) >> lane & 1) == 0) continue;
    const auto address = static_cast<std::uint64_t>(a.address[lane]);
    const bool by_words = a.bytes >= 4 && s.block.global.is_written(address + std::uint64_t{4} * more, 4);
    // Pairs of words may be a pointer.
    const auto value = by_words ? s.block.global.read(address + std::uint64_t{4} * more, 4, a.bytes)
                       : a.bytes < 8
                           ? s.block.global.read(address, a.bytes, a.bytes)
                           : s.block.global.read(address + std::uint64_t{8} * (more / 2), 8, a.bytes);
    s.from_blocks = s.from_blocks || (by_words && s.block.in_order);
    s.from_own = s.from_own || (by_words && !s.block.in_order);
    if (by_words && s.block.asked != nullptr) s.block.asked->push_back(address / 4 + more);
    if (!value) continue;
    s.from_memory = s.from_memory || !by_words;
    s.repeated = s.repeated || (!by_words && s.block.global.repeats(address + std::uint64_t{4} * more));
    made.at[lane] = extended(s.i, a.bytes < 8 || by_words ? *value : *value >> 32 * (more % 2));
    made.known |= 1U << lane;
  }
  return not_known(s, a, more, made);
}

// What is known of it; the rest has been forgotten.
void copy_to_shared(LaneStep& s, const MemoryAccess& from, const MemoryAccess& to) {
  const std::uint32_t known = from.mask & from.known & to.mask & to.known & ~s.maybe;
  for (std::size_t lane = 0; lane < 32; ++lane)
    for (std::uint64_t byte = 0; (known >> lane & 1) != 0 && byte < from.bytes; byte += 4)
      if (const auto word =
              s.block.global.read(static_cast<std::uint64_t>(from.address[lane]) + byte, 4, from.bytes))
        s.block.shared.write(static_cast<std::uint64_t>(to.address[lane]) + byte, 4, word);
}

// From shared or local memory to registers.
void load(LaneStep& s, const MemoryAccess& a, std::size_t to) {
  for (unsigned more = 0; 4 * more < a.bytes; ++more) {
    const std::size_t piece = std::min<std::size_t>(4, a.bytes - 4 * more);
    LaneWords made;
    for (std::size_t lane = 0; lane < 32; ++lane) {
      if ((a.mask & a.known) >> lane & 1) {
        const auto value =
            memory_of(s, a.space, lane)
                .read(static_cast<std::uint64_t>(a.address[lane]) + std::uint64_t{4} * more, piece);
        if (!value) continue;
        made.at[lane] = extended(s.i, *value);
        made.known |= 1U << lane;
      }
    }
    s.write_next(to, more, not_known(s, a, more, made));
  }
}

void store(LaneStep& s, const MemoryAccess& a, std::size_t from) {
  if ((a.mask & a.known) != a.mask) { // somewhere: nothing is known of it any more
    if (a.space == Space::shared)
      s.block.shared.forget();
    else
      for (MemoryBytes& local : s.warp.local) local.forget();
    return;
  }
  for (unsigned more = 0; 4 * more < a.bytes; ++more) {
    const std::size_t piece = std::min<std::size_t>(4, a.bytes - 4 * more);
    const LaneWords value = stored_word(s, from, more);
    for (std::size_t lane = 0; lane < 32; ++lane) {
      if ((a.mask >> lane & 1) == 0) continue;
      const bool known = (value.known >> lane & 1) != 0 && (s.maybe >> lane & 1) == 0;
      memory_of(s, a.space, lane)
          .write(static_cast<std::uint64_t>(a.address[lane]) + std::uint64_t{4} * more, piece,
                 known ? std::optional<std::uint64_t>(value.at[lane]) : std::nullopt);
    }
  }
}

void constant(LaneStep& s, MemoryAccess& a) {
  const std::size_t to = result_operand(s.i);
  std::size_t at = 0;
  while (at < s.operands() && s.i.operands[at].kind != OperandKind::constant) ++at;
  if (at == s.operands() || to == s.operands()) return;
  const CodeOperand& o = s.i.operands[at];
  const LaneWords index = o.base == zero_register ? LaneWords::of(0) : s.warp.registers[o.base];
  const LaneWords second = o.uniform_base == zero_uniform ? LaneWords::of(0) : s.warp.uniform[o.uniform_base];
  a.known = index.known & second.known;
  for (std::size_t lane = 0; lane < 32; ++lane)
    a.address[lane] = o.value + std::int64_t{index.at[lane]} + std::int64_t{second.at[lane]};
  if (a.bytes < 4) {
    s.write(to, each(s.constant(at, 0, a.bytes), [&](std::uint32_t w) { return extended(s.i, w); }));
    return;
  }
  std::array<LaneWords, 4> words; // all before the first is written: the index may be one of them
  for (unsigned more = 0; 4 * more < a.bytes; ++more) words[more] = s.constant(at, more);
  for (unsigned more = 0; 4 * more < a.bytes; ++more) s.write_next(to, more, words[more]);
}

} // namespace

const MemoryOpcode* find_memory_opcode(std::string_view opcode) {
  const auto* at = std::find_if(std::begin(memory_opcodes), std::end(memory_opcodes),
                                [&](const MemoryOpcode& e) { return e.opcode == opcode; });
  return at == std::end(memory_opcodes) ? nullptr : at;
}

bool run_memory(LaneStep& s, const MemoryOpcode& entry, bool matters, MemoryAccess& first,
                MemoryAccess& second) {
  first = {.space = entry.space,
           .loads = entry.loads,
           .stores = entry.stores,
           .atomic = entry.atomic,
           .bytes = bytes_of(s.i),
           .mask = s.mask};
  if (entry.space == Space::constant) {
    constant(s, first);
    return false;
  }
  const std::size_t at = address_operand(s.i);
  if (at == s.operands()) return false;
  const auto fill = [&](MemoryAccess& access, std::size_t operand) {
    const AccessedLanes lanes = s.addresses(operand);
    access.address = lanes.address;
    access.known = lanes.known;
  };
  if (s.i.is("LDGSTS")) { // shared memory's address comes first
    second = {.space = Space::shared, .stores = true, .bytes = first.bytes, .mask = s.mask};
    fill(second, at);
    const std::size_t global = address_operand(s.i, at + 1);
    if (global < s.operands()) fill(first, global);
    store(s, second, s.operands());
    copy_to_shared(s, first, second);
    return true;
  }
  fill(first, at);
  const bool of_matrices = s.i.is("LDSM") || s.i.is("STSM");
  const unsigned matrices = of_matrices ? matrices_of(s.i) : 4;
  if (matrices < 4) first.mask &= (1U << 8 * matrices) - 1;
  const std::size_t to = entry.loads ? result_operand(s.i) : s.operands();
  const bool shuffled = entry.atomic || s.i.is("STSM"); // no lane's register is what lies there
  if (s.i.is("ATOMS") && s.i.has(mod("CAST")) && to < s.operands()) {
    compare_and_store(s, first, to, at + 1);
    return false;
  }
  const bool word_by_word = entry.atomic && first.bytes == 4 && (first.mask & ~first.known) == 0;
  LaneWords before; // of an atomic operation
  if (word_by_word)
    before = run_atomic(s, first, at + 1);
  else if (entry.stores && entry.space != Space::global)
    store(s, first, shuffled ? s.operands() : at + 1);
  else if (entry.stores)
    write_global(s, first, at + 1, matters);
  // Of an atomic operation at an address of any space (ATOM) it says whether that is global memory.
  if (entry.loads && s.is_predicate(0)) s.write_flag(0, s.i.is("ATOM") ? Flags::of(all_lanes) : Flags{});
  if (!entry.loads || to == s.operands()) return false;
  if (entry.space == Space::global || entry.atomic || of_matrices) {
    const unsigned words = of_matrices ? matrices : std::max(1U, first.bytes / 4U);
    // Where the result does not matter nothing stands in for it; atomic operations give tickets all the same.
    for (unsigned more = 0; more < words; ++more)
      s.write_next(to, more,
                   entry.atomic              ? not_known(s, first, more, before)
                   : of_matrices || !matters ? LaneWords{}
                                             : loaded_word(s, first, more));
  } else {
    load(s, first, to);
  }
  return false;
}

} // namespace perfmodel
