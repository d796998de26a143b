// What an answer of the program says, as text and as JSON.
#pragma once

#include "program.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace perfmodel {

inline bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The values of a column of an answer in JSON; null where there is none.
inline nlohmann::json column(const Answer& answer, const std::string& table, const std::string& name) {
  const nlohmann::json result = nlohmann::json::parse(answer.out);
  for (const auto& t : result.at("tables"))
    if (t.at("title") == table)
      for (const auto& c : t.at("columns"))
        if (c.at("name") == name) return c.at("values");
  return {};
}

} // namespace perfmodel
