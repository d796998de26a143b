#include "cli/run.hpp"

#include <iostream>

int main(int argc, char** argv) {
  const int code = perfmodel::cli::run({argv + 1, argv + argc}, std::cout, std::cerr);
  if (std::cout.flush()) return code;
  std::cerr << "perfmodel: the answer cannot be written to the standard output\n";
  return 2;
}
