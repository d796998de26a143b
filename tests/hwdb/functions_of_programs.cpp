// What hwdb/kernels/functions.awk makes of a program's dump, as the reader of listings sees it.
#include "models/kernel/listing.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace perfmodel::hwdb::functions_of_programs_test {

namespace fs = std::filesystem;

std::string listing_of_dump(const std::string& dump, const std::string& names) {
  std::string folder = (fs::temp_directory_path() / "perfmodel-functions-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no scratch folder");
  std::ofstream(folder + "/dump") << dump;
  const std::string command = fmt::format(
      "awk -v compiler=nvcc -v names='{}' -f '{}/hwdb/kernels/functions.awk' '{}/dump' > '{}/listing'", names,
      PERFMODEL_SOURCE_DIR, folder, folder);
  EXPECT_EQ(std::system(command.c_str()), 0);
  std::ifstream in(folder + "/listing");
  std::string listing{std::istreambuf_iterator<char>(in), {}};
  in.close();
  fs::remove_all(folder);
  return listing;
}

// As `cuobjdump -elf -sass` of CUDA 13.0 prints a file with one function that reads constant memory.
std::string file_of(const std::string& function, const std::string& constants) {
  return "64-bit ELF: type=ET_EXEC, ABI=8, sm=90a, toolkit=13.0, flags=0x6005a04\n"
         "   20   6b08     6c  0  4                     PROGBITS        2    0        0 .nv.constant3\n\n"
         ".nv.constant3\n" +
         constants +
         "\n\n\n.nv.shared.reserved.0\n   No data to be dumped. \n\narch = sm_90a\n\tcode for sm_90a\n"
         "\t\tFunction : " +
         function +
         "\n        /*0000*/                   LDC R1, c[0x3][0x4] ;   /* 0x00c00100ff017b82 */\n"
         "                                                          /* 0x000fe20000000800 */\n"
         "        /*0010*/                   EXIT ;                  /* 0x000000000000794d */\n"
         "                                                          /* 0x000fea0003800000 */\n"
         "\t\t..........\n\n";
}

TEST(FunctionsOfPrograms, constants_are_those_of_the_file_that_has_the_function) {
  const std::string listing = listing_of_dump(file_of("_Z5firstv", "0x3ff00000 0xffffffff\n0x00000001 \n") +
                                                  file_of("_Z6secondv", "0x00000002 0x0000abcd\n") +
                                                  file_of("_Z5thirdv", "0x00000000 0x00000000\n"),
                                              "first second third");
  using Bytes = std::vector<std::uint8_t>;
  const auto bank = [&](const char* name) {
    const KernelCode code = read_listing(listing, name);
    const auto found = code.constants.find(3);
    EXPECT_EQ(code.instructions.size(), 2u) << name;
    return found == code.constants.end() ? Bytes{} : found->second;
  };
  EXPECT_EQ(bank("first"), (Bytes{0, 0, 0xf0, 0x3f, 0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0}));
  EXPECT_EQ(bank("second"), (Bytes{2, 0, 0, 0, 0xcd, 0xab, 0, 0}));
  EXPECT_EQ(bank("third"), Bytes{}) << "written before the launch";
}

} // namespace perfmodel::hwdb::functions_of_programs_test
