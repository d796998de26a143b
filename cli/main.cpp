#include "cli/run.hpp"

#include <iostream>

int main(int argc, char** argv) {
  return perfmodel::cli::run({argv + 1, argv + argc}, std::cout, std::cerr);
}
