// What became of the ranks of a program, as rows and in words.
#pragma once

#include "message.hpp"

#include <string>

namespace perfmodel {

// The ranks, and who waits for whom.
void add_ranks(MessageModel::Tables& tables, const RunOutcome& outcome);

// Of tables with ranks: the deadlock, or when the last rank ends and what is printed.
std::string verdict_of_ranks(const MessageModel::Tables& rows);

} // namespace perfmodel
