#include "without_room.hpp"

#include <fmt/format.h>

namespace perfmodel::plots {

std::string found_no_room(int number, std::string_view what, std::string_view of, std::string_view where) {
  return fmt::format("{} {}{}{} found no room{}: a larger picture has more.", number, what,
                     number == 1 ? "" : "s", of, where);
}

} // namespace perfmodel::plots
