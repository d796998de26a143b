// Lines of source of a ladder's versions, as somebody else counts them: "20,44" for the first two.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

struct SourceLines {
  std::vector<double> of; // of the versions in the ladder's order

  // Whole numbers from 1 to 100 000 with commas between them, of at most `most` versions. Throws InputError.
  static constexpr std::size_t most = 5;
  static SourceLines from_text(std::string_view text);
  std::string text() const;
};

} // namespace perfmodel
