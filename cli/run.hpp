// The whole program as a function, so that tests can call it.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>
#include <vector>

namespace perfmodel::hwdb {
class Database;
}

namespace perfmodel::cli {

// Starts the program that measures, with the same arguments: the microkernels, for a GPU of this compute
// capability ("9.0"), or, for "mpi", messages between ranks; for "capture" this program again, with what it
// injects. Does not return where there is one.
using StartMeasuring =
    std::function<void(const std::vector<std::string>& arguments, const std::string& what)>;

// 0 done; 1 a comparison is out of tolerance; 2 the input is wrong; 3 the machine cannot do it. Never throws.
// `database`: one that is open, and keeps what it has read from one call to the next; without it, and where
// --hwdb or PERFMODEL_HWDB names another, the call opens its own.
int run(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& err,
        const StartMeasuring& start_measuring = {}, const hwdb::Database* database = nullptr);

} // namespace perfmodel::cli
