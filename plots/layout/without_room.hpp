// What a note below a picture says of texts that are not in it.
#pragma once

#include <string>
#include <string_view>

namespace perfmodel::plots {

// "2 labels of lines found no room: a larger picture has more."; `of` and `where` begin with a space, or are
// "".
std::string found_no_room(int number, std::string_view what, std::string_view of = "",
                          std::string_view where = "");

} // namespace perfmodel::plots
