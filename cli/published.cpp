#include "published.hpp"

#include "hwdb/database.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

namespace perfmodel::cli {

std::vector<Series> published_of_chip(Context& context, const Gpu& gpu) {
  std::string chip = gpu.chip;
  std::transform(chip.begin(), chip.end(), chip.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (chip.empty() || chip == gpu.name || chip.find_first_of("/.") != std::string::npos) return {};
  std::vector<Series> series = context.database().published(chip);
  std::erase_if(series, [&](const Series& s) {
    return std::find(s.cards.begin(), s.cards.end(), gpu.name) == s.cards.end();
  });
  return series;
}

std::vector<Series> published_series(Context& context, const Gpu& gpu, std::string_view model) {
  std::vector<Series> all = context.database().published_about(gpu);
  if (context.database().is_own(gpu))
    for (Series& s : published_of_chip(context, gpu)) {
      s.gpu = gpu.name, s.cards.clear(),
      s.shown.clear(); // as if of this card: the others are not asked about
      all.push_back(std::move(s));
    }
  for (Series& s : context.database().published(std::string(any_gpu))) all.push_back(std::move(s));
  std::erase_if(all, [&](const Series& s) { return s.model != model || s.is_input; });
  return all;
}

} // namespace perfmodel::cli
