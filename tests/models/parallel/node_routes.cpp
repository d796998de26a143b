#include "models/parallel/node_routes.hpp"

#include "tests/models/error_of.hpp"
#include "tests/models/parallel/nodes.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace perfmodel::node_routes_test {

using test::NodeMaker;
using test::two_sockets;

std::optional<NodeRoute> between(const NodeGraph& node, const char* from, const char* to) {
  return route(node, node.place(from), node.place(to));
}
double ns(Seconds s) { return std::round(s.value * 1e12) / 1e3; }
double gbs(BytesPerSecond b) { return b.value / 1e9; }

TEST(NodeRoutes, latency_is_the_sum_and_bandwidth_the_smallest) {
  const NodeGraph node = two_sockets();
  const NodeRoute near = *between(node, "ma", "ga"), far = *between(node, "ma", "gb");
  EXPECT_EQ(ns(near.latency), 110);
  EXPECT_EQ(ns(far.latency), 115);
  EXPECT_EQ(gbs(far.bandwidth), 10);
  EXPECT_EQ(node.link_name(far.narrowest), "b-gb");
  EXPECT_EQ(gbs(between(node, "a", "mb")->bandwidth), 20) << "the link between the sockets";
  EXPECT_EQ(ns(between(node, "gb", "ma")->latency), 115) << "the same back";
}

TEST(NodeRoutes, what_is_passed_adds_its_crossing_and_the_ends_do_not) {
  NodeGraph node = two_sockets();
  node.places[0].crossing = test::known<Seconds>(1e-9); // a
  node.places[4].crossing = test::known<Seconds>(7e-9); // ga
  EXPECT_EQ(ns(between(node, "ma", "ga")->latency), 111);
  EXPECT_EQ(ns(between(node, "a", "ga")->latency), 100);
}

TEST(NodeRoutes, nothing_goes_through_a_gpu_or_a_memory) {
  NodeGraph node = NodeMaker(two_sockets()).link("ga", "gb", 1).node;
  EXPECT_EQ(ns(between(node, "ga", "gb")->latency), 5) << "from one to the other";
  node.cut("a-b");
  EXPECT_FALSE(between(node, "ma", "mb")) << "only through both GPUs";
}

TEST(NodeRoutes, a_cut_leads_around_or_leaves_no_way) {
  NodeGraph node =
      NodeMaker(two_sockets()).place("h", PlaceKind::hub).link("a", "h", 1).link("h", "b", 1).node;
  EXPECT_EQ(ns(between(node, "a", "b")->latency), 5);
  node.cut("a-b");
  EXPECT_EQ(ns(between(node, "a", "b")->latency), 10) << "by h";
  node.cut("h");
  EXPECT_FALSE(between(node, "a", "b"));
  EXPECT_TRUE(between(node, "a", "ga"));
}

// The four switches of an HGX board: 5, 4, 4 and 5 links of 25 GB/s of every GPU.
TEST(NodeRoutes, equally_near_links_that_spread_add_up_and_others_do_not) {
  for (const bool spread : {true, false}) {
    NodeMaker m;
    m.place("g0", PlaceKind::gpu).place("g1", PlaceKind::gpu).wire("five", 125, 10, false, spread);
    m.wire("four", 100, 10, false, spread);
    for (int s = 0; s < 4; ++s) {
      const std::string name = "s" + std::to_string(s);
      m.place(name, PlaceKind::nvswitch)
          .link("g0", name, s % 3 == 0 ? 0 : 1)
          .link("g1", name, s % 3 == 0 ? 0 : 1);
    }
    const NodeRoute r = *between(m.node, "g0", "g1");
    EXPECT_EQ(r.ways.size(), spread ? 4u : 1u);
    EXPECT_NEAR(gbs(r.bandwidth), spread ? 450 : 125, 1e-9);
    m.node.cut("s0");
    EXPECT_NEAR(gbs(between(m.node, "g0", "g1")->bandwidth), spread ? 325 : 125, 1e-9);
  }
}

TEST(NodeRoutes, more_equal_ways_than_anybody_wires_are_refused) {
  NodeMaker m;
  m.place("g0", PlaceKind::gpu).place("g1", PlaceKind::gpu).wire("w", 1, 1, false, true);
  for (int s = 0; s < 65; ++s) m.place("s" + std::to_string(s), PlaceKind::nvswitch);
  for (int s = 0; s < 65; ++s)
    m.link("g0", "s" + std::to_string(s), 0).link("s" + std::to_string(s), "g1", 0);
  EXPECT_NE(error_of([&] { between(m.node, "g0", "g1"); }).find("equally near"), std::string::npos);
}

// Bertsekas and Gallager 1992, figure 6.13 in kind: three flows over a link of 1, one of which goes on over
// another.
TEST(FairShares, are_those_of_the_textbook) {
  const std::vector<FairShare> s = fair_shares({1, 2}, {{{0, 1}}, {{0, 1}}, {{0, 1}, {1, 1}}, {{1, 1}}});
  EXPECT_DOUBLE_EQ(s[0].rate, 1.0 / 3);
  EXPECT_DOUBLE_EQ(s[2].rate, 1.0 / 3);
  EXPECT_DOUBLE_EQ(s[3].rate, 5.0 / 3) << "takes what the others leave";
  EXPECT_EQ(s[2].held_by, 0u);
  EXPECT_EQ(s[3].held_by, 1u);
}

TEST(FairShares, directions_share_nothing_but_where_the_link_is_half_duplex) {
  const NodeGraph node = two_sockets();
  const auto share = [&](std::initializer_list<std::pair<const char*, const char*>> flows) {
    std::vector<std::vector<Use>> uses;
    for (const auto& [from, to] : flows) uses.push_back(uses_of(node, *between(node, from, to)));
    return fair_shares(capacities_of(node, {}), uses).front().rate / 1e9;
  };
  EXPECT_DOUBLE_EQ(share({{"a", "b"}}), 20);
  EXPECT_DOUBLE_EQ(share({{"a", "b"}, {"b", "a"}}), 20);
  EXPECT_DOUBLE_EQ(share({{"a", "b"}, {"a", "b"}}), 10);
  EXPECT_DOUBLE_EQ(share({{"a", "ma"}, {"ma", "a"}}), 20) << "40 GB/s for both directions";
}

NodeGraph random_node(std::mt19937& random) {
  const auto pick = [&](int most) {
    return static_cast<std::size_t>(random() % static_cast<unsigned>(most));
  };
  NodeMaker m;
  const std::size_t places = 3 + pick(5);
  constexpr PlaceKind kinds[] = {PlaceKind::socket, PlaceKind::hub, PlaceKind::gpu, PlaceKind::memory};
  for (std::size_t p = 0; p < places; ++p)
    m.place("p" + std::to_string(p), kinds[pick(4)], static_cast<double>(pick(3)));
  for (int w = 0; w < 4; ++w)
    m.wire("w" + std::to_string(w), 1.0 + static_cast<double>(pick(9)), 1.0 + static_cast<double>(pick(4)));
  for (std::size_t a = 0; a < places; ++a)
    for (std::size_t b = a + 1; b < places; ++b)
      if (pick(10) < 4) m.node.links.push_back({a, b, pick(4), false});
  return m.node;
}

struct Best {
  double latency = INFINITY, links = INFINITY, bandwidth = 0;
};
// Every way there is, one after the other.
void walk(const NodeGraph& node, std::size_t at, std::size_t to, std::vector<bool>& seen, const Best& so_far,
          Best& best) {
  if (at == to) {
    const bool nearer =
        so_far.latency < best.latency - 1e-12 ||
        (so_far.latency < best.latency + 1e-12 &&
         (so_far.links < best.links || (so_far.links == best.links && so_far.bandwidth > best.bandwidth)));
    if (nearer) best = so_far;
    return;
  }
  if (so_far.links > 0 && !passes_on(node.places[at].kind)) return;
  seen[at] = true;
  for (const NodeLink& link : node.links) {
    if (link.a != at && link.b != at) continue;
    const std::size_t next = link.a == at ? link.b : link.a;
    if (seen[next]) continue;
    const NodeWire& wire = node.wires[link.wire];
    const double crossing = so_far.links > 0 ? node.places[at].crossing.value.value * 1e9 : 0;
    walk(node, next, to, seen,
         {so_far.latency + crossing + wire.latency.value.value * 1e9, so_far.links + 1,
          std::min(so_far.bandwidth, wire.bandwidth.value.value / 1e9)},
         best);
  }
  seen[at] = false;
}

TEST(NodeRoutes, agree_with_every_way_tried) {
  std::mt19937 random(7);
  int reached = 0;
  for (int round = 0; round < 400; ++round) {
    const NodeGraph node = random_node(random);
    for (std::size_t a = 0; a < node.places.size(); ++a)
      for (std::size_t b = 0; b < node.places.size(); ++b) {
        if (a == b) continue;
        Best best;
        std::vector<bool> seen(node.places.size(), false);
        walk(node, a, b, seen, {0, 0, INFINITY}, best);
        const auto found = route(node, a, b);
        ASSERT_EQ(found.has_value(), std::isfinite(best.latency));
        if (!found) continue;
        ++reached;
        EXPECT_NEAR(found->latency.value * 1e9, best.latency, 1e-6);
        EXPECT_NEAR(found->bandwidth.value / 1e9, best.bandwidth, 1e-9);
      }
  }
  EXPECT_GT(reached, 3000);
}

// Max-min fair: nothing is overfull, and every flow has a full resource on which nobody has more than it.
TEST(FairShares, leave_no_flow_that_could_have_more) {
  std::mt19937 random(11);
  for (int round = 0; round < 500; ++round) {
    const std::size_t resources = 1 + random() % 6, count = 1 + random() % 8;
    std::vector<double> capacities(resources);
    for (double& c : capacities) c = 1.0 + static_cast<double>(random() % 10);
    std::vector<std::vector<Use>> flows(count);
    for (auto& uses : flows)
      for (std::size_t r = 0; r < resources; ++r)
        if (random() % 2 == 0 || (r + 1 == resources && uses.empty())) uses.push_back({r, 1});
    const std::vector<FairShare> shares = fair_shares(capacities, flows);
    std::vector<double> taken(resources, 0), most(resources, 0);
    for (std::size_t f = 0; f < count; ++f)
      for (const Use& use : flows[f])
        taken[use.resource] += shares[f].rate,
            most[use.resource] = std::max(most[use.resource], shares[f].rate);
    for (std::size_t r = 0; r < resources; ++r) EXPECT_LE(taken[r], capacities[r] * (1 + 1e-9));
    for (std::size_t f = 0; f < count; ++f) {
      const std::size_t r = shares[f].held_by;
      EXPECT_NEAR(taken[r], capacities[r], 1e-9);
      EXPECT_NEAR(most[r], shares[f].rate, 1e-9);
    }
  }
}

} // namespace perfmodel::node_routes_test
