// The commands of every page are run, and what a page shows is what they print. A block
//   ```console
//   $ ./perfmodel ... | head -n 12
//   OUTPUT
//   ```
// holds exactly the output (console.hpp says which pipes there are); one that begins with ```console exit=2
// shows what is said of a wrong input. A picture written with -o equals the one of that name in
// docs/pictures. With PERFMODEL_UPDATE_GOLDEN=1 pages and pictures are rewritten instead.
#include "console.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>

namespace perfmodel::docs::pages_test {

const bool update = std::getenv("PERFMODEL_UPDATE_GOLDEN") != nullptr;

// A folder from which commands name files of the tree as from its top, and into which they write.
class WorkingFolder {
public:
  WorkingFolder() {
    std::string name = (fs::temp_directory_path() / "perfmodel-page-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no scratch folder");
    folder_ = name;
    for (const char* known : {"docs", "hwdb", "tests"})
      fs::create_directory_symlink(tree / known, folder_ / known);
    fs::current_path(folder_);
  }
  ~WorkingFolder() {
    fs::current_path(before_);
    fs::remove_all(folder_); // links, not what they lead to
  }
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;

private:
  fs::path folder_, before_ = fs::current_path();
};

// Every picture that a command wrote into the current folder.
void check_pictures() {
  for (const auto& entry : fs::directory_iterator(fs::current_path())) {
    const fs::path kept = pictures / entry.path().filename();
    if (entry.path().extension() != ".svg") continue; // PNG and PDF differ with the machine's fonts
    if (update)
      fs::copy_file(entry.path(), kept, fs::copy_options::overwrite_existing);
    else
      EXPECT_EQ(read(entry.path()), read(kept)) << kept.filename() << " is not what the page's command draws";
  }
}

class Page : public testing::TestWithParam<std::string> {};

TEST_P(Page, shows_what_its_commands_print) {
  const fs::path file = tree / GetParam();
  const WorkingFolder folder;
  const Lines page = lines_of(read(file));
  Lines rewritten;
  for (std::size_t i = 0; i < page.size(); ++i) {
    rewritten.push_back(page[i]);
    if (page[i].rfind("```console", 0) != 0) continue;
    const bool wrong = page[i] == "```console exit=2";
    Lines shown, real;
    for (++i; i < page.size() && page[i] != "```"; ++i) {
      shown.push_back(page[i]);
      if (page[i].rfind("$ ", 0) != 0) continue;
      real.push_back(page[i]);
      SCOPED_TRACE(page[i]);
      Printed printed = printed_by(page[i].substr(2));
      EXPECT_EQ(printed.code > 1, wrong) << "exit " << printed.code << "\n" << joined(printed.lines);
      EXPECT_LE(printed.code, 2);
      real.insert(real.end(), printed.lines.begin(), printed.lines.end());
    }
    if (!update) {
      EXPECT_EQ(joined(shown), joined(real));
    }
    rewritten.insert(rewritten.end(), real.begin(), real.end());
    rewritten.emplace_back("```");
  }
  check_pictures();
  if (update && !HasFailure()) std::ofstream(file, std::ios::binary) << joined(rewritten);
}

// "docs_guide_teacher": letters, digits and _ are what a test's name may have.
std::string name_of(const testing::TestParamInfo<std::string>& page) {
  std::string name = page.param.substr(0, page.param.rfind('.'));
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(pages, Page, testing::ValuesIn(every_page()), name_of);

} // namespace perfmodel::docs::pages_test
