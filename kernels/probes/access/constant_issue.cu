// What a load from constant memory costs for every different word of a warp, from accesses that are no rows
// of constant_cache.cu and constant_latency.cu: every second of 64 words, the lanes in no order, alone and
// with the word behind it; and one word for all lanes that is not the table's first.
#include "kernels/core/probe.hpp"
#include "kernels/probes/access/constant_reads.hpp"

namespace perfmodel::kernels {
namespace constant_issue_probe {
namespace {

LaneOffsets scattered() {
  LaneOffsets offsets{};
  for (unsigned lane = 0; lane < lanes_of_warp; ++lane)
    offsets.byte[lane] = (lane * 5 + 3) % lanes_of_warp * 8;
  return offsets;
}

LaneOffsets one_word() {
  LaneOffsets offsets{};
  for (unsigned& byte : offsets.byte) byte = 84;
  return offsets;
}

ProbeResult run(Session& session) {
  session.say("constant memory");
  Report report("constant memory, scattered words and one word", {{"lanes", {}}, {"loads", {}}}, "cycles",
                unit_of<Cycles>());
  ConstantBench many(session, 32), one(session, 1);
  if (!report.verify(many.right(scattered(), ConstantLoads::independent), "scattered words") ||
      !report.verify(one.right(scattered(), ConstantLoads::dependent), "scattered words, chased") ||
      !report.verify(one.right(one_word(), ConstantLoads::dependent), "one word, chased"))
    return report.take();
  Measurement per_word = many.cycles(scattered(), ConstantLoads::independent);
  report.row({std::string("32 words"), std::string("independent")}, per_word);
  if (!report.verify(many.right(scattered(), ConstantLoads::independent_64), "scattered words of 64 bits"))
    return report.take();
  report.row({std::string("32 words of 64 bits"), std::string("independent")},
             many.cycles(scattered(), ConstantLoads::independent_64));
  const Measurement latency = one.cycles(one_word(), ConstantLoads::dependent);
  report.row({std::string("1 word"), std::string("dependent")}, latency);
  Measurement further = one.cycles(scattered(), ConstantLoads::dependent);
  report.row({std::string("32 words"), std::string("dependent")}, further);

  for (double& cycles : per_word.values) cycles /= lanes_of_warp;
  for (double& cycles : further.values) cycles = (cycles - latency.median()) / (lanes_of_warp - 1);
  report.constant("constant.cycles_per_word", per_word);
  report.constant("constant.latency", latency);
  report.constant("constant.latency_per_word", further);
  return report.take();
}

} // namespace
} // namespace constant_issue_probe

extern const Probe constant_issue{
    .name = "constant-issue",
    .order = 250,
    .measures = "cycles of a load from constant memory, and of each further word of a warp",
    .provides = {"constant.cycles_per_word", "constant.latency", "constant.latency_per_word"},
    .run = constant_issue_probe::run};

} // namespace perfmodel::kernels
