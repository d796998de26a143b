// The first warp of a launch, request by request: its lanes above, the transactions below, arrows from lanes
// to the words that they access.
#include "kinds.hpp"

#include "input_of.hpp"
#include "models/access/pattern_walk.hpp"
#include "models/access/transactions.hpp"
#include "models/core/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace perfmodel {

namespace coalescing_segments {

enum Kinds : std::size_t { lane, idle, asked, unused, moved };
constexpr double lane_height = 1, arrows_height = 1.6, word_height = 0.8, segment_height = 0.9,
                 between_requests = 0.6;
constexpr std::size_t few = 8; // segments that have room for their size as well

struct FirstWarp {
  std::array<std::int64_t, warp_lanes> address{};
  std::uint32_t active = 0;
};

FirstWarp first_warp(const Coalescing::Input& in, std::int64_t word) {
  LaunchWalk walk(in.block, in.grid.value_or(Shape{}), in.let);
  walk.guard_by(in.condition, "--if");
  const std::size_t index = walk.add(index_of(in), "--index");
  FirstWarp warp;
  walk.each_warp([&](const WarpView& view) {
    if (view.block != 0 || warp.active != 0 || view.active == 0) return;
    warp.active = view.active;
    const auto words = view.values(index);
    for (std::size_t l = 0; l < warp_lanes; ++l)
      if ((view.active >> l & 1u) != 0) {
        if (words[l] < 0) throw InputError("--index: an array has no word before word 0");
        warp.address[l] = words[l] * word;
      }
  });
  return warp;
}

// A segment or sector where it is drawn: side by side, whatever lies between them in memory.
struct PlacedSegment {
  Transaction of;
  double left = 0;
  std::vector<std::size_t> lanes; // that it serves
};

class Picture {
public:
  Picture(const CoalescingRule& rule, const FirstWarp& warp, std::int64_t word)
      : rule_(rule), warp_(warp), word_(word), threads_(static_cast<std::size_t>(rule.threads_of(word))) {
    drawing.kinds = {{"a lane"},
                     {"a lane without an access", Drawing::Tone::quiet},
                     {"a word that a lane asks for"},
                     {"moved, and not asked for", Drawing::Tone::quiet},
                     {rule.kind == CoalescingRule::Kind::distinct ? "a transaction: a sector or line"
                                                                  : "a transaction: a segment"}};
    for (std::size_t first = 0; first < warp_lanes; first += threads_)
      drawing.width = std::max(drawing.width, width_of(first));
    for (std::size_t first = 0; first < warp_lanes; first += threads_) request(first);
    drawing.height = y_ - between_requests;
  }

  Drawing drawing;
  std::int64_t count = 0, bytes = 0, used = 0;

private:
  Transactions of_request(std::size_t first) const {
    const std::uint32_t all = threads_ < warp_lanes ? (1u << threads_) - 1 : ~0u;
    return transactions(rule_, warp_.address, warp_.active & all << first, word_);
  }
  double words_of(const Transaction& t) const {
    return static_cast<double>(t.bytes) / static_cast<double>(word_);
  }
  // With a gap after each, a hundredth of all.
  double words_of(const Transactions& all) const {
    double words = 0;
    for (const Transaction& t : all.all()) words += words_of(t);
    return words * (1 + 0.01 * static_cast<double>(all.count));
  }
  double width_of(std::size_t first) const {
    return std::max(words_of(of_request(first)), static_cast<double>(threads_));
  }

  void request(std::size_t first) {
    const Transactions all = of_request(first);
    if (all.count == 0) return;
    std::vector<PlacedSegment> segments;
    for (const Transaction& t : all.all()) segments.push_back({t, 0, {}});
    std::stable_sort(segments.begin(), segments.end(),
                     [](const auto& a, const auto& b) { return a.of.address < b.of.address; });
    double words = 0;
    for (const PlacedSegment& s : segments) words += words_of(s.of);
    const double gap = 0.01 * words;
    double left = (drawing.width - words_of(all)) / 2;
    for (PlacedSegment& s : segments) s.left = left, left += words_of(s.of) + gap;
    const std::size_t lanes_at = lanes(first, segments);
    memory(segments, lanes_at, first);
    for (const PlacedSegment& s : segments) bytes += s.of.bytes;
    count += static_cast<std::int64_t>(all.count), used += all.unique;
    y_ += between_requests;
  }

  // The cells of the lanes, and which transaction serves each; the number of the first of them.
  std::size_t lanes(std::size_t first, std::vector<PlacedSegment>& segments) {
    const std::size_t begin = drawing.cells.size();
    const double wide = drawing.width / static_cast<double>(threads_);
    for (std::size_t l = first; l < first + threads_; ++l) {
      const bool active = (warp_.active >> l & 1u) != 0;
      drawing.cells.push_back({.left = static_cast<double>(l - first) * wide,
                               .top = y_,
                               .width = wide,
                               .height = lane_height,
                               .text = fmt::format("{}", l),
                               .title = active ? fmt::format("lane {}: word {}, byte {}", l,
                                                             warp_.address[l] / word_, warp_.address[l])
                                               : fmt::format("lane {}: no access", l),
                               .kind = active ? lane : idle});
      if (!active) continue;
      // Of transactions of the same bytes each serves one lane.
      PlacedSegment* serves = nullptr;
      for (PlacedSegment& s : segments)
        if (warp_.address[l] >= s.of.address && warp_.address[l] < s.of.address + s.of.bytes &&
            (serves == nullptr || s.lanes.size() < serves->lanes.size()))
          serves = &s;
      if (serves != nullptr) serves->lanes.push_back(l);
    }
    drawing.rows.push_back({y_ + lane_height / 2, threads_ == warp_lanes ? "lanes"
                                                  : threads_ == 16 ? fmt::format("half-warp {}", first / 16)
                                                                   : fmt::format("lanes from {}", first)});
    y_ += lane_height + arrows_height;
    return begin;
  }

  void memory(const std::vector<PlacedSegment>& segments, std::size_t lanes_at, std::size_t first) {
    for (const PlacedSegment& s : segments) {
      const auto words = static_cast<std::int64_t>(words_of(s.of));
      for (std::int64_t w = 0; w < std::max<std::int64_t>(words, 1); ++w) {
        const std::int64_t byte = s.of.address + w * word_;
        Drawing::Cell cell{.left = s.left + static_cast<double>(w),
                           .top = y_,
                           .height = word_height,
                           .text = {},
                           .title = fmt::format("word {}, byte {}", byte / word_, byte),
                           .kind = unused};
        for (const std::size_t l : s.lanes) {
          if (warp_.address[l] != byte) continue;
          cell.kind = asked;
          drawing.arrows.push_back(arrow_down(drawing.cells[lanes_at + l - first], cell));
        }
        drawing.cells.push_back(std::move(cell));
      }
      drawing.cells.push_back(
          {.left = s.left,
           .top = y_ + word_height,
           .width = words_of(s.of),
           .height = segment_height,
           .text = segments.size() > few ? fmt::format("at {}", s.of.address)
                                         : fmt::format("{} B at {}", s.of.bytes, s.of.address),
           .title = fmt::format("transaction of {} B from byte {} on", s.of.bytes, s.of.address),
           .kind = moved});
    }
    drawing.rows.push_back({y_ + word_height / 2, "words"});
    drawing.rows.push_back({y_ + word_height + segment_height / 2, "transactions"});
    y_ += word_height + segment_height;
  }

  CoalescingRule rule_;
  FirstWarp warp_;
  std::int64_t word_;
  std::size_t threads_; // of a request
  double y_ = 0;
};

} // namespace coalescing_segments

Drawing draw_segments(const Gpu& gpu, const Request& request) {
  using namespace coalescing_segments;
  const auto in = input_of<Coalescing::Input>(request);
  if (in.path != ReadPath::global)
    throw InputError("--draw segments: textures read by tiles of their own: --path global is expected");
  const double size = in.word.value;
  if (size != 1 && size != 2 && size != 4 && size != 8 && size != 16)
    throw InputError("--word: 1, 2, 4, 8 or 16 bytes are expected: what one instruction accesses");
  const auto word = static_cast<std::int64_t>(size);
  const FirstWarp warp = first_warp(in, word);
  if (warp.active == 0) throw InputError("--draw segments: no lane of the first block accesses anything");
  const GlobalAccess access = in.access == GlobalAccess::copy ? GlobalAccess::load : in.access;
  Picture picture(coalescing_rule(gpu, access, in.cache), warp, word);
  Drawing& d = picture.drawing;
  d.title = fmt::format("What a warp's {} of words of {} B moves on {}: word {}",
                        access == GlobalAccess::load ? "load" : "store", word, gpu.name, index_of(in).text());
  d.verdict = {fmt::format("{} {} of together {} B for {} B that are asked for: {:.3g} % of what is moved is "
                           "used.",
                           picture.count, picture.count == 1 ? "transaction" : "transactions", picture.bytes,
                           picture.used,
                           100 * static_cast<double>(picture.used) / static_cast<double>(picture.bytes))};
  return std::move(d);
}

} // namespace perfmodel
