// "did you mean": the Damerau-Levenshtein distance (insert, delete, replace, swap neighbours) to each
// candidate.
#include "model.hpp"

#include <algorithm>
#include <cctype>

namespace perfmodel {

namespace {
std::string folded(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (c != '-' && c != '_' && c != ' ')
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::size_t edits(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      d[i][j] =
          std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}
} // namespace

std::string nearest(std::string_view word, std::span<const std::string> candidates) {
  if (word.size() > 64) return ""; // nobody's typing slip
  const std::string w = folded(word);
  std::string best;
  std::size_t fewest = w.size() <= 4 ? 1 : 1 + w.size() / 3;
  for (const std::string& candidate : candidates) {
    const std::string c = folded(candidate);
    const std::size_t n = c.size() > 64 ? 65 : edits(w, c);
    if (n >= std::max(w.size(), c.size())) continue; // not one letter in its place
    if (n < fewest || (n <= fewest && best.empty())) {
      best = candidate;
      fewest = n;
    }
  }
  return best;
}

std::string suggestion(std::string_view word, std::span<const std::string> candidates) {
  const std::string best = nearest(word, candidates);
  return best.empty() ? "" : " (did you mean '" + best + "'?)";
}

} // namespace perfmodel
