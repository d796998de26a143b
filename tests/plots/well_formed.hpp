// Whether XML is well-formed, as far as a writer gets it wrong.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace perfmodel::plots::test {

// Tags balance, attributes are quoted, text holds no bare < or &: "", else what is wrong.
inline std::string malformed(const std::string& xml) {
  std::vector<std::string> open;
  for (std::size_t at = 0; at < xml.size();) {
    if (xml[at] == '&') {
      const std::size_t end = xml.find(';', at);
      if (end == std::string::npos || end - at > 6) return "a bare & at " + std::to_string(at);
    }
    if (xml[at] != '<') {
      ++at;
      continue;
    }
    const std::size_t end = xml.find('>', at);
    if (end == std::string::npos) return "an open tag at the end";
    std::string tag = xml.substr(at + 1, end - at - 1);
    at = end + 1;
    if (tag.find('<') != std::string::npos) return "a bare < in " + tag;
    if (tag.front() == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return "an unexpected </" + tag.substr(1) + ">";
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
    if (std::count(tag.begin(), tag.end(), '"') % 2) return "an unbalanced quote in " + tag;
  }
  return open.empty() ? "" : "no end of <" + open.back() + ">";
}

} // namespace perfmodel::plots::test
