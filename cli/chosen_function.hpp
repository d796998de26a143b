// Which function of a listing --kernel means.
#pragma once

#include <string>
#include <string_view>

namespace perfmodel::cli {

// The name in the listing of the function that `given` names as people write it, "histogram" beside
// "histogram_global"; else `given`, which a part of a name is, too. Throws InputError where the listing has
// several functions that may be meant, and names them.
std::string chosen_function(std::string_view listing, const std::string& given);

} // namespace perfmodel::cli
