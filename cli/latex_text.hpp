// Text as LaTeX sets it in a paragraph or a table.
#pragma once

#include <string>
#include <string_view>

namespace perfmodel::cli {

// In the fonts that LaTeX begins with. Characters that it obeys are written so that they are
// shown; what is no character, or a control, is '?'.
std::string latex_text(std::string_view text);

} // namespace perfmodel::cli
