// Drawings of messages over time hold what the run of the program says.
#include "drawn.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace perfmodel::message_drawings_test {

using namespace drawn_for_tests;

constexpr const char* two_sends = R"(rank 0
a = 10
send a to 1
receive c from 1
rank 1
receive b from 0
send b + 1 to 0
)";

Drawing of_program(const std::string& text, const char* sends = "synchronous") {
  Request request =
      request_of(model("message"), {{"latency", "5us"}, {"bandwidth", "10GB/s"}, {"sends", sends}});
  request.inputs.push_back({"program", {{.text = text}}});
  return draw("message", "messages", Gpu{}, request);
}

TEST(Drawings, messages_leave_and_arrive_when_the_run_says) {
  const Drawing d = of_program(two_sends);
  ASSERT_EQ(d.arrows.size(), 2u);
  EXPECT_LT(d.arrows[0].from_y, d.arrows[0].to_y); // down to rank 1, and back
  EXPECT_GT(d.arrows[1].from_y, d.arrows[1].to_y);
  const double transfer = 5e-6 + 4 / 10e9;
  for (const Drawing::Arrow& arrow : d.arrows) EXPECT_NEAR(arrow.to_x - arrow.from_x, transfer, 1e-15);
  EXPECT_NEAR(d.arrows[1].to_x, d.width, 1e-15); // the last thing that happens
  EXPECT_EQ(d.title, "Messages over time: 2 ranks, each send waits until it is received");
  EXPECT_EQ(of_program(two_sends, "buffered").title,
            "Messages over time: 2 ranks, no send waits to be received");
}

// The statement says it, whatever --sends says of others.
TEST(Drawings, of_messages_say_which_sends_wait) {
  const std::string none = "rank 0\nbsend 1 to 1\nreceive b from 1\nrank 1\nbsend 2 to 0\nreceive d from 0\n";
  EXPECT_EQ(of_program(none).title, "Messages over time: 2 ranks, no send waits to be received");
  const std::string some = "rank 0\nbsend 1 to 1\nreceive b from 1\nrank 1\nreceive d from 0\nsend 2 to 0\n";
  EXPECT_EQ(of_program(some).title, "Messages over time: 2 ranks, some sends wait until they are received");
}

// From which rank to which, of the arrows past the end.
std::vector<std::pair<std::string, std::string>> waits_drawn(const Drawing& d) {
  std::vector<std::pair<std::string, std::string>> waits;
  const auto rank_at = [&](double y) {
    const auto row =
        std::find_if(d.rows.begin(), d.rows.end(), [&](const auto& r) { return std::fabs(r.at - y) < 1e-9; });
    return row == d.rows.end() ? std::string() : row->text;
  };
  for (const Drawing::Arrow& arrow : d.arrows)
    if (!arrow.line && arrow.from_x == arrow.to_x)
      waits.emplace_back(rank_at(arrow.from_y), rank_at(arrow.to_y));
  return waits;
}

TEST(Drawings, an_arrow_leads_to_whom_a_rank_waits_for_and_where_no_time_passed_there_is_no_scale) {
  const Drawing d =
      of_program("rank 0\nsend 1 to 1\nreceive x from 1\nrank 1\nsend 2 to 0\nreceive x from 0\n");
  EXPECT_EQ(of_kind(d, "waits for ever").size(), 2u);
  EXPECT_EQ(waits_drawn(d),
            (std::vector<std::pair<std::string, std::string>>{{"rank 0", "rank 1"}, {"rank 1", "rank 0"}}));
  EXPECT_EQ(d.across, "");
  EXPECT_NE(d.verdict.front().find("rank 0 for rank 1, rank 1 for rank 0"), std::string::npos)
      << d.verdict.front();
}

TEST(Drawings, the_scale_ends_with_what_happens_and_no_end_is_told_of_who_waits_for_ever) {
  const Drawing d = of_program("rank 0\ncompute 10us\nreceive x from 1\nrank 1\ncompute 3us\n");
  EXPECT_DOUBLE_EQ(d.scale_to, 10e-6);
  EXPECT_GT(d.width, d.scale_to);
  EXPECT_EQ(waits_drawn(d), (std::vector<std::pair<std::string, std::string>>{{"rank 0", "rank 1"}}));
  EXPECT_EQ(of_kind(d, "has ended").size(), 1u);
  const Result table = as_result(d);
  for (std::size_t row = 0; row < table.tables[0].rows(); ++row)
    EXPECT_EQ(std::isnan(table.tables[0].at("to").number(row)), d.cells[row].open) << d.cells[row].title;
}

TEST(Drawings, of_very_many_waits_each_rank_has_one_arrow) {
  const std::string text = "ranks 8\nrank 1..7\nreceive x from (rank + 1) % 8\nrank all\nbarrier\n";
  const Drawing d = of_program(text);
  EXPECT_EQ(waits_drawn(d).size(), 14u); // rank 0 waits for all others: few enough
  const Drawing many = of_program("ranks 20\nrank 1..19\nreceive x from 0\nrank 0\nbarrier\n");
  EXPECT_EQ(waits_drawn(many).size(), 20u);
}

} // namespace perfmodel::message_drawings_test
