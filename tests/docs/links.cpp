// A link of the documentation leads somewhere, and every page and picture is led to.
#include "page.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <regex>
#include <set>

namespace perfmodel::docs::links_test {

struct Link {
  std::string file, heading; // from the top of the tree; the heading as in "#wrong-input", without #
};

// The relative links of a page, pictures with them.
std::vector<Link> links_of(const std::string& page) {
  static const std::regex link(R"(\]\(([^)\s]+)\))"), code("`[^`]*`");
  std::vector<Link> links;
  for (const std::string& whole : prose_of(page)) {
    const std::string line = std::regex_replace(whole, code, "");
    for (auto it = std::sregex_iterator(line.begin(), line.end(), link); it != std::sregex_iterator(); ++it) {
      const std::string target = (*it)[1];
      if (target.find("://") != std::string::npos || target.rfind("mailto:", 0) == 0) continue;
      const std::size_t hash = target.find('#');
      const std::string file = target.substr(0, hash);
      const fs::path full = file.empty() ? fs::path(page) : fs::path(page).parent_path() / file;
      links.push_back({full.lexically_normal().generic_string(),
                       hash == std::string::npos ? "" : target.substr(hash + 1)});
    }
  }
  return links;
}

// Headings as a link names them: small letters, spaces as hyphens, no punctuation.
std::set<std::string> headings_of(const std::string& page) {
  std::set<std::string> headings;
  for (const std::string& line : prose_of(page)) {
    if (line.rfind("#", 0) != 0) continue;
    std::string slug;
    for (const char c : line.substr(line.find_first_not_of("# "))) {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_')
        slug += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      else if (c == ' ')
        slug += '-';
    }
    headings.insert(slug);
  }
  return headings;
}

std::vector<std::string> pages_and_changelog() {
  std::vector<std::string> pages = every_page();
  pages.emplace_back("CHANGELOG.md");
  return pages;
}

TEST(Links, lead_to_files_and_headings_that_are_there) {
  for (const std::string& page : pages_and_changelog())
    for (const Link& link : links_of(page)) {
      EXPECT_NE(link.file.rfind("..", 0), 0U) << page << ": " << link.file << " is outside of the tree";
      EXPECT_TRUE(fs::exists(tree / link.file)) << page << ": there is no " << link.file;
      if (!link.heading.empty()) {
        EXPECT_EQ(headings_of(link.file).count(link.heading), 1U)
            << page << ": " << link.file << " has no heading #" << link.heading;
      }
    }
}

TEST(Links, lead_from_the_readme_to_every_page) {
  std::set<std::string> reached{"README.md"};
  std::vector<std::string> next{"README.md"};
  while (!next.empty()) {
    const std::string page = next.back();
    next.pop_back();
    for (const Link& link : links_of(page))
      if (link.file.size() > 3 && link.file.substr(link.file.size() - 3) == ".md" &&
          reached.insert(link.file).second)
        next.push_back(link.file);
  }
  for (const std::string& page : every_page()) EXPECT_EQ(reached.count(page), 1U) << page;
}

TEST(Pictures, are_drawn_by_a_command_of_a_page_that_shows_them) {
  std::set<std::string> drawn, shown;
  for (const std::string& page : every_page()) {
    std::set<std::string> here;
    for (const std::string& command : commands_of(page))
      if (const std::size_t at = command.find(" -o "); at != std::string::npos)
        here.insert(command.substr(at + 4));
    for (const Link& link : links_of(page))
      if (here.count(fs::path(link.file).filename().string()) == 1) shown.insert(link.file);
    drawn.insert(here.begin(), here.end());
  }
  for (const auto& entry : fs::directory_iterator(pictures)) {
    const std::string name = entry.path().filename().string();
    EXPECT_EQ(drawn.count(name), 1U) << "no page has a command with -o " << name;
    EXPECT_EQ(shown.count("docs/pictures/" + name), 1U) << name << " is not shown where it is drawn";
  }
}

} // namespace perfmodel::docs::links_test
