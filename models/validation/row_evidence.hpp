// What class of evidence a measured row is for its prediction.
#pragma once

#include "evidence.hpp"
#include "row_prediction.hpp"
#include "series.hpp"

namespace perfmodel {

// The marks of a row, with what the record says of its probe.
RowMarks marks_of(const Series& series, std::size_t row, const EvidenceRecord& record);

// Whether the constant is one that these rows, or those of the same probe, decided on.
bool is_own(const OwnConstant& own, const Series& series, const Step& constant);

// The weakest that holds: of the marks, of what the prediction was given, of each constant that it rests on.
Evidence evidence_of(const Series& series, const RowMarks& marks, const RowPrediction& prediction,
                     const EvidenceRecord& record);

} // namespace perfmodel
