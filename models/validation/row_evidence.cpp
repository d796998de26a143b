#include "row_evidence.hpp"

#include <algorithm>

namespace perfmodel {

namespace {

bool is_of(const OwnConstant& own, const Series& series) {
  return own.model == series.model && own.quantity == series.value;
}
// The run that measured the rows measured this input of their predictions as well.
bool is_given(const OwnConstant& own, const Series& series) {
  return is_of(own, series) && !own.input.empty() && series.kind == Kind::measured &&
         series.table.find(own.input) != nullptr;
}

} // namespace

RowMarks marks_of(const Series& series, std::size_t row, const EvidenceRecord& record) {
  RowMarks marks = row < series.marks.size() ? series.marks[row] : RowMarks{};
  if (!series.probe.empty())
    marks.evidence =
        std::max(marks.evidence, record.of(series.gpu, series.model, series.probe, series.value));
  return marks;
}

bool is_own(const OwnConstant& own, const Series& series, const Step& constant) {
  return is_of(own, series) && own.input.empty() &&
         (own.probe.empty() ? constant.symbol == own.symbol : constant.probe == own.probe);
}

Evidence evidence_of(const Series& series, const RowMarks& marks, const RowPrediction& prediction,
                     const EvidenceRecord& record) {
  Evidence evidence = marks.evidence;
  for (const OwnConstant& own : record.own_constants)
    if (is_given(own, series)) evidence = std::max(evidence, Evidence::semi_circular);
  for (const Step& constant : prediction.constants) {
    if (!series.probe.empty() && constant.probe == series.probe) evidence = Evidence::calibration;
    for (const OwnConstant& own : record.own_constants)
      if (is_own(own, series, constant)) evidence = std::max(evidence, Evidence::semi_circular);
  }
  return evidence;
}

} // namespace perfmodel
