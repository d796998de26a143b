// The words of the first warp in the banks that they lie in, request by request: those of one bank below one
// another, for the bank delivers one of them in a wavefront.
#include "kinds.hpp"

#include "input_of.hpp"
#include "models/access/bank_conflicts.hpp"
#include "models/core/error.hpp"
#include "models/core/trace.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace perfmodel {

namespace bank_words {

enum Kinds : std::size_t { lane, idle, first_word, later_word, free_bank, a_bank };
constexpr double lane_height = 1, arrows_height = 1.8, word_height = 1, bank_height = 0.8,
                 between_requests = 1;

struct FirstWarp {
  std::array<std::int64_t, warp_lanes> address{};
  std::uint32_t active = 0;
};

FirstWarp first_warp(const BankConflicts::Input& in, std::int64_t word) {
  Bindings let = in.let;
  Expression index = in.index;
  if (index.empty()) {
    if (let.find("stride") != nullptr) throw InputError("--let: without --index, --stride says the stride");
    index = Expression::from_text("stride * tid");
    let.values.emplace_back("stride", static_cast<std::int64_t>(in.stride.value_or(1)));
  }
  LaunchWalk walk(in.block, {}, let);
  walk.guard_by(in.predicate, "--if");
  const std::size_t words = walk.add(index, "--index");
  FirstWarp warp;
  walk.each_warp([&](const WarpView& view) {
    if (warp.active != 0 || view.active == 0) return;
    warp.active = view.active;
    for (std::size_t l = 0; l < warp_lanes; ++l)
      if ((view.active >> l & 1u) != 0)
        warp.address[l] = word * (view.values(words)[l] + static_cast<std::int64_t>(in.offset));
  });
  return warp;
}

class Picture {
public:
  Picture(const Banks& banks, const FirstWarp& warp, std::int64_t word)
      : banks_(banks), warp_(warp), word_(word) {
    drawing.kinds = {{"a lane"},
                     {"a lane without a part in it", Drawing::Tone::quiet},
                     {"a word, first of its bank"},
                     {"another word of the same bank", Drawing::Tone::alarm},
                     {"", Drawing::Tone::quiet},
                     {"a bank"}};
    drawing.width = static_cast<double>(banks.count);
  }

  void add(const BankRequest& request, std::size_t number, std::size_t requests) {
    const std::size_t lanes_at =
        lanes(request, requests > 1 ? fmt::format("request {}: lanes", number) : "lanes");
    const std::size_t banks_at = banks();
    std::map<std::int64_t, std::int64_t> deep; // words of a bank so far
    for (const BankRequest::Place& place : request.places) {
      const std::int64_t step = deep[place.bank]++;
      Drawing::Cell cell{
          .left = static_cast<double>(place.bank),
          .top = y_ + static_cast<double>(step) * word_height,
          .height = word_height,
          .text = fmt::format("{}", place.byte / word_),
          .title = fmt::format("bank {}: word {}, byte {}, for lane{} {}", place.bank, place.byte / word_,
                               place.byte, place.lanes.size() == 1 ? "" : "s", fmt::join(place.lanes, ", ")),
          .kind = step == 0 ? first_word : later_word};
      for (const std::size_t l : place.lanes)
        drawing.arrows.push_back(arrow_down(drawing.cells[lanes_at + l],
                                            drawing.cells[banks_at + static_cast<std::size_t>(place.bank)]));
      drawing.cells.push_back(std::move(cell));
    }
    std::int64_t deepest = 0;
    for (std::int64_t bank = 0; bank < banks_.count; ++bank) deepest = std::max(deepest, deep[bank]);
    for (std::int64_t step = 0; step < deepest; ++step) {
      const double top = y_ + static_cast<double>(step) * word_height;
      drawing.rows.push_back({top + word_height / 2, banks_.broadcasts_every_word
                                                         ? fmt::format("wavefront {}", step + 1)
                                                         : fmt::format("words {}", step + 1)});
      for (std::int64_t bank = 0; bank < banks_.count; ++bank)
        if (deep[bank] <= step)
          drawing.cells.push_back({.left = static_cast<double>(bank),
                                   .top = top,
                                   .height = word_height,
                                   .text = {},
                                   .title = fmt::format("bank {} has nothing to deliver", bank),
                                   .kind = free_bank});
    }
    y_ += static_cast<double>(deepest) * word_height + between_requests;
    drawing.height = y_ - between_requests;
  }

  Drawing drawing;

private:
  std::size_t lanes(const BankRequest& request, std::string name) {
    const std::size_t begin = drawing.cells.size();
    const double wide = drawing.width / static_cast<double>(warp_lanes);
    for (std::size_t l = 0; l < warp_lanes; ++l) {
      const bool active = (request.lanes >> l & 1u) != 0;
      drawing.cells.push_back({.left = static_cast<double>(l) * wide,
                               .top = y_,
                               .width = wide,
                               .height = lane_height,
                               .text = fmt::format("{}", l),
                               .title = active ? fmt::format("lane {}: word {}", l, warp_.address[l] / word_)
                                               : fmt::format("lane {}: not in this request", l),
                               .kind = active ? lane : idle});
    }
    drawing.rows.push_back({y_ + lane_height / 2, std::move(name)});
    y_ += lane_height + arrows_height;
    return begin;
  }

  // Above the words: where the arrows of all lanes lead that want something of a bank.
  std::size_t banks() {
    const std::size_t begin = drawing.cells.size();
    for (std::int64_t bank = 0; bank < banks_.count; ++bank)
      drawing.cells.push_back({.left = static_cast<double>(bank),
                               .top = y_,
                               .height = bank_height,
                               .text = fmt::format("{}", bank),
                               .title = fmt::format("bank {}", bank),
                               .kind = a_bank});
    drawing.rows.push_back({y_ + bank_height / 2, "banks"});
    y_ += bank_height;
    return begin;
  }

  Banks banks_;
  FirstWarp warp_;
  std::int64_t word_;
  double y_ = 0;
};

} // namespace bank_words

Drawing draw_banks(const Gpu& gpu, const Request& request) {
  using namespace bank_words;
  const auto in = input_of<BankConflicts::Input>(request);
  Plain trace;
  BankConflicts::predict(gpu, in, trace); // refuses what is no question
  const auto word = static_cast<std::int64_t>(in.word.value);
  const Banks banks = banks_of(gpu, in.mode, trace);
  const FirstWarp warp = first_warp(in, word);
  if (warp.active == 0) throw InputError("--draw banks: no lane of the block accesses anything");
  const std::vector<BankRequest> requests = bank_requests(banks, warp.address, warp.active, word, in.access);
  Picture picture(banks, warp, word);
  for (std::size_t i = 0; i < requests.size(); ++i) picture.add(requests[i], i + 1, requests.size());
  Drawing& d = picture.drawing;
  const BankSteps steps = bank_steps(banks, warp.address, warp.active, word, in.access);
  d.title =
      fmt::format("A warp's words in the {} banks of {}: word {}", banks.count, gpu.name,
                  in.index.empty() ? fmt::format("{:.0f} * tid", in.stride.value_or(1)) : in.index.text());
  std::string said = fmt::format("{} wavefront{} in {} request{}, {} without conflicts.", steps.wavefronts,
                                 steps.wavefronts == 1 ? "" : "s", requests.size(),
                                 requests.size() == 1 ? "" : "s", steps.least);
  if (!banks.broadcasts_every_word)
    said +=
        " In each step one word goes to all lanes that ask for it, of every other bank one lane is served: "
        "which word and which lane come first is not known.";
  d.verdict.push_back(std::move(said));
  return std::move(d);
}

} // namespace perfmodel
