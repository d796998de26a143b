#include "balance.hpp"

namespace perfmodel {
template std::vector<Balance::Row> Balance::predict(const Gpu&, const Input&, Plain&);
template std::vector<Balance::Row> Balance::predict(const Gpu&, const Input&, Recorder&);
} // namespace perfmodel
