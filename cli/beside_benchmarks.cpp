#include "beside_benchmarks.hpp"

#include "benchmark_sizes.hpp"

#include "models/core/error.hpp"
#include "models/core/in_words.hpp"
#include "models/views/kernel.hpp"
#include "models/views/kernel_launches.hpp"
#include "models/views/same_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace perfmodel::cli {

namespace {

constexpr std::size_t most_listed = 5;

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most_listed); ++i)
    text += (i == 0 ? "" : ", ") + perfmodel::quoted(names[i]);
  return names.size() > most_listed ? fmt::format("{} and {} more", text, names.size() - most_listed) : text;
}

// Behind a colon.
std::string lowered(std::string sentence) {
  sentence.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(sentence.front())));
  return sentence;
}

struct Launch {
  std::string kernel, arguments; // as people write it; "" where they are not known
  std::vector<NamedSize> sizes;
  std::vector<double> shape;
  std::string text() const { return arguments.empty() ? kernel : fmt::format("{} ({})", kernel, arguments); }
};

Launch launch_in(const Table& launches, std::size_t row, const std::string& arguments) {
  Launch launch{.kernel = written_name(launches.at("kernel").text(row)), .arguments = arguments};
  for (const char* name : {"arguments", "arg"})
    if (const Column* own = launches.find(name)) launch.arguments = own->text(row);
  launch.sizes = sizes_of_arguments(launch.arguments);
  for (const char* side : {"grid", "block"})
    launch.shape.push_back(static_cast<double>(Shape::from_text(launches.at(side).text(row)).count()));
  return launch;
}

// What stands in the file for one launch.
struct Match {
  const ProfiledKernel* run = nullptr;
  SameSize how = SameSize::other;
  std::vector<std::string> as_good, other_sizes; // names of benchmarks
};

Match match_of(const std::string& kernel, const Launch& launch, const std::vector<ProfiledKernel>& runs,
               bool is_alone) {
  Match match;
  std::vector<const ProfiledKernel*> best;
  std::size_t of_kernel = 0;
  for (const ProfiledKernel& run : runs) {
    if (!is_alone && same_name(kernel, kernel_in_name(run.kernel)) == SameName::no) continue;
    ++of_kernel;
    const SameSize same = compare_sizes(sizes_in_name(run.kernel), launch.sizes, launch.shape);
    if (same == SameSize::other || same == SameSize::unknown) match.other_sizes.push_back(run.kernel);
    if (same == SameSize::other || same < match.how) continue;
    if (same > match.how) best.clear();
    match.how = same;
    best.push_back(&run);
  }
  if (match.how == SameSize::unknown && of_kernel > 1) return match; // nothing says which
  if (best.size() == 1) match.run = best.front();
  if (match.how == SameSize::unknown) match.other_sizes.clear();
  if (best.size() > 1)
    for (const ProfiledKernel* run : best) match.as_good.push_back(run->kernel);
  return match;
}

std::string matched_by(const ProfiledKernel& run, const Launch& launch, SameSize how) {
  switch (how) {
  case SameSize::same:
    return fmt::format("{} is held against {}, by name and size.", perfmodel::quoted(run.kernel),
                       launch.text());
  case SameSize::none_given:
    return fmt::format(
        "{} is held against {} by its name alone, for it gives no size: see that both do the same work.",
        perfmodel::quoted(run.kernel), launch.text());
  default:
    return fmt::format("{} is held against {} as the only one there is, but its size is no argument of that: "
                       "see that both do the same work.",
                       perfmodel::quoted(run.kernel), launch.text());
  }
}

std::string not_matched(const Match& match, const Launch& launch) {
  if (!match.as_good.empty())
    return fmt::format("Several benchmarks are of {}, and nothing says which is meant: {}.", launch.text(),
                       listed(match.as_good));
  if (!match.other_sizes.empty())
    return fmt::format("No benchmark is of {}: {} {} of another size; --arg asks for one.", launch.text(),
                       listed(match.other_sizes), match.other_sizes.size() == 1 ? "is" : "are");
  return fmt::format("No benchmark is called {}.", launch.kernel);
}

std::string verdict_of(const Gpu& gpu, const std::string& tool, const Table& times,
                       const std::vector<double>& errors) {
  const std::string start = fmt::format("Beside {} on {}: ", tool, gpu.name);
  if (errors.size() == 1)
    return start + fmt::format("{} predicted, {} than the {} that were measured.",
                               in_words(Seconds(times.at("predicted").number(0))),
                               more_or_less(errors.front()),
                               in_words(Seconds(times.at("measured").number(0))));
  const auto [least, most] = std::minmax_element(errors.begin(), errors.end());
  return start + fmt::format("{} times, from {} to {} than measured.", errors.size(), more_or_less(*least),
                             more_or_less(*most));
}

} // namespace

BesideProfile beside_benchmarks(const Gpu& gpu, const Result& predicted,
                                const std::vector<ProfiledKernel>& runs, const std::string& tool,
                                const std::string& arguments) {
  BesideProfile beside;
  const auto summary = std::find_if(predicted.tables.begin(), predicted.tables.end(), [](const Table& table) {
    return table.title == KernelModel::Summary::title;
  });
  std::vector<ProfiledKernel> own;
  std::copy_if(runs.begin(), runs.end(), std::back_inserter(own), [&](const ProfiledKernel& run) {
    return run.capability.empty() || run.capability == gpu.architecture;
  });
  if (own.empty() || summary == predicted.tables.end()) {
    beside.verdict = fmt::format("Nothing stands beside {}: {} ran on compute capability {}.", gpu.name, tool,
                                 runs.front().capability);
    return beside;
  }
  std::set<std::string> kernels, seen;
  for (std::size_t row = 0; row < summary->rows(); ++row) kernels.insert(summary->at("kernel").text(row));
  const bool is_alone = own.size() == 1 && kernels.size() == 1; // whatever it calls itself
  std::vector<std::string> why;                                 // nothing stands beside a launch
  for (std::size_t row = 0; row < summary->rows(); ++row) {
    if (summary->at("gpu").text(row) != gpu.name) continue;
    const std::string& kernel = summary->at("kernel").text(row);
    const Launch launch = launch_in(*summary, row, arguments);
    const Match match = match_of(kernel, launch, own, is_alone);
    for (const std::vector<std::string>& names : {match.other_sizes, match.as_good})
      seen.insert(names.begin(), names.end());
    if (match.run == nullptr) {
      why.push_back(not_matched(match, launch));
      continue;
    }
    seen.insert(match.run->kernel);
    Result one{.tables = {rows_where(*summary, [&](std::size_t at) { return at == row; })}};
    ProfiledKernel run = *match.run;
    run.kernel = kernel;
    BesideProfile of_row = beside_profile(gpu, one, {run});
    beside.time_errors.insert(beside.time_errors.end(), of_row.time_errors.begin(), of_row.time_errors.end());
    beside.notes.push_back(matched_by(*match.run, launch, match.how));
    if (of_row.tables.empty()) continue;
    if (beside.tables.empty())
      beside.tables.push_back(std::move(of_row.tables.front()));
    else
      append_rows(beside.tables.front(), of_row.tables.front());
  }
  std::vector<std::string> others;
  for (const ProfiledKernel& run : own)
    if (seen.count(run.kernel) == 0) others.push_back(run.kernel);
  if (!others.empty())
    beside.notes.push_back(fmt::format("Of no kernel in this answer: {}.", listed(others)));
  if (beside.time_errors.empty()) {
    beside.verdict = fmt::format("Nothing stands beside {}: {}", gpu.name, lowered(why.front()));
    why.erase(why.begin());
  } else {
    beside.verdict = verdict_of(gpu, tool, beside.tables.front(), beside.time_errors);
  }
  beside.notes.insert(beside.notes.end(), why.begin(), why.end());
  return beside;
}

} // namespace perfmodel::cli
