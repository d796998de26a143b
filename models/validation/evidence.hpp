// How much a row says for or against its model: the four classes that the ledger scores apart. A row is of
// the last one that fits.
//   blind          nothing in the model was chosen with this row in view
//   in-sample      the model's form or one of its constants was chosen with this row in view
//   semi-circular  a constant that the prediction rests on was found by moving the same data in the same way
//                  as the kernel does (same tiles, same order; or the same copies of other sizes), or was
//                  worked out of the machine code of the kernel itself
//   calibration    the row's own probe found a constant that the prediction rests on, or a constant was
//                  fitted to this row: shown, never scored
// Which of them holds is data: of published series (hwdb/published) and of probes (hwdb/evidence.yaml).
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace perfmodel {

enum class Evidence { blind, in_sample, semi_circular, calibration };
inline constexpr Evidence every_evidence[] = {Evidence::blind, Evidence::in_sample, Evidence::semi_circular,
                                              Evidence::calibration};
inline constexpr std::string_view evidence_names[] = {"blind", "in-sample", "semi-circular", "calibration"};
constexpr std::string_view name_of(Evidence e) { return evidence_names[static_cast<int>(e)]; }

// A constant that makes rows of a model semi-circular: whatever `probe` found, the model's own constant
// `symbol`, or the input `input`, where a run gives it to the model with its rows. Rows of other quantities
// do not feel it.
struct OwnConstant {
  std::string model, quantity;
  std::string probe, symbol, input; // one of them
  std::string why;
};

// Measured rows of a GPU. An empty model, probe or quantity is any.
struct NamedRows {
  std::string gpu, model, probe, quantity;
  std::string why;
};

// What is known of how models and measurements came about.
struct EvidenceRecord {
  std::vector<OwnConstant> own_constants;
  std::vector<std::string> seen;    // GPUs whose runs were there while models were written
  std::vector<NamedRows> blind;     // although others of their GPU were seen
  std::vector<NamedRows> in_sample; // although others of their GPU were not

  // Of rows that a probe measured, before it is known which constants their predictions rest on.
  Evidence of(std::string_view gpu, std::string_view model, std::string_view probe,
              std::string_view quantity) const {
    const auto fits = [](const std::string& asked, std::string_view is) {
      return asked.empty() || asked == is;
    };
    const auto among = [&](const std::vector<NamedRows>& named) {
      return std::any_of(named.begin(), named.end(), [&](const NamedRows& rows) {
        return rows.gpu == gpu && fits(rows.model, model) && fits(rows.probe, probe) &&
               fits(rows.quantity, quantity);
      });
    };
    const bool was_seen = std::find(seen.begin(), seen.end(), gpu) != seen.end();
    return (was_seen ? !among(blind) : among(in_sample)) ? Evidence::in_sample : Evidence::blind;
  }
};

} // namespace perfmodel
