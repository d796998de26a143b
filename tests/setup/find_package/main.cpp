// A program of somebody else's: how many threads a block may have for all of an SM to be taken, in words and
// drawn.
#include "hwdb/database.hpp"
#include "models/core/model.hpp"
#include "plots/chart/lines_chart.hpp"
#include "plots/layout/layout.hpp"
#include "plots/output/svg.hpp"

#include <fstream>
#include <iostream>

int main(int argc, char** argv) {
  const perfmodel::hwdb::Database database(HWDB);
  const perfmodel::Gpu gpu = database.gpu(argc > 1 ? argv[1] : "m2090");
  const perfmodel::Model& model = perfmodel::model("occupancy");
  const auto threads = perfmodel::parse_values(*model.find("threads"), "64:1024:*2");
  const auto result = perfmodel::predict(model, {&gpu, 1}, {.inputs = {{"threads", threads}}});
  for (const std::string& sentence : result.verdict) std::cout << sentence << '\n';
  std::ofstream("occupancy.svg") << perfmodel::plots::to_svg(
      perfmodel::plots::layout(perfmodel::plots::chart_of(result)));
}
