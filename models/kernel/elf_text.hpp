// What the ELF file of machine code holds beside the instructions, as `cuobjdump -elf` prints it: registers
// and shared memory, the layout of the arguments, the constants that the compiler put into banks.
#pragma once

#include "listing.hpp"

namespace perfmodel {

// Fills in what the listing's own lines have not said of this function. The text is that of all functions, of
// one or several architectures; those of the function's count.
void add_elf_facts(KernelCode& code, std::string_view text);

// Where the last ELF file of a listing begins; 0: it has none.
std::size_t begin_of_last_file(std::string_view text);

} // namespace perfmodel
