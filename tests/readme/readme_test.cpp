// The README's commands are run and their output is the real one. A block
//   ```console
//   $ ./perfmodel ... | head -n 12
//   OUTPUT
//   ```
// must hold exactly what the command prints; `| head -n N`, `| tail -n N` and `| grep -A N '^WORDS'`, found
// once, mean what they mean in a shell, and a picture written with -o must equal the one of that name in
// plots/gallery. With PERFMODEL_UPDATE_GOLDEN=1 README and gallery are rewritten instead: that is the one
// command that makes them.
#include "cli/run.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;
using Lines = std::vector<std::string>;

const fs::path source_dir = PERFMODEL_SOURCE_DIR;
const fs::path gallery = source_dir / "plots" / "gallery";
const bool update = std::getenv("PERFMODEL_UPDATE_GOLDEN") != nullptr;

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

Lines lines_of(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string joined(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// Words as a shell splits them: spaces part, single and double quotes hold together.
Lines words_of(const std::string& command) {
  Lines words;
  std::string word;
  char quote = 0;
  bool any = false;
  for (const char c : command) {
    if (quote != 0 && c == quote)
      quote = 0;
    else if (quote == 0 && (c == '"' || c == '\''))
      quote = c, any = true;
    else if (quote == 0 && c == ' ') {
      if (any) words.push_back(std::exchange(word, ""));
      any = false;
    } else
      word += c, any = true;
  }
  if (any) words.push_back(word);
  return words;
}

Lines printed_by(const std::string& command) {
  Lines words = words_of(command);
  EXPECT_EQ(words.front(), "./perfmodel") << command;
  words.erase(words.begin());
  std::ostringstream out, err;
  const int code = perfmodel::cli::run(words, out, err);
  EXPECT_LE(code, 1) << command << "\n" << err.str();
  return lines_of(out.str());
}

// What the command prints, cut as its pipe says. One that stands there several times, cut elsewhere, is run
// once.
Lines output_of(const std::string& command) {
  static std::map<std::string, Lines> printed;
  const std::size_t pipe = command.find(" | ");
  const std::string whole = command.substr(0, pipe);
  if (printed.count(whole) == 0) printed[whole] = printed_by(whole);
  Lines lines = printed[whole];
  if (pipe == std::string::npos) return lines;
  const Lines cut = words_of(command.substr(pipe + 3)); // head -n 12, or grep -A 12 '^ledger'
  const auto n = static_cast<std::ptrdiff_t>(std::min<std::size_t>(lines.size(), std::stoul(cut.at(2))));
  if (cut.at(0) == "head") {
    lines.resize(static_cast<std::size_t>(n));
  } else if (cut.at(0) == "tail") {
    lines.erase(lines.begin(), lines.end() - n);
  } else {
    EXPECT_EQ(cut.at(0) + cut.at(1) + cut.at(3).front(), "grep-A^") << command;
    const std::string start = cut.at(3).substr(1);
    const auto first = std::find_if(lines.begin(), lines.end(), [&](const std::string& line) {
      return line.compare(0, start.size(), start) == 0;
    });
    EXPECT_NE(first, lines.end()) << command << " finds nothing";
    lines.erase(lines.begin(), first);
    lines.resize(std::min(lines.size(), static_cast<std::size_t>(n) + 1));
  }
  return lines;
}

// Every picture that a command wrote into the current folder.
void check_pictures() {
  for (const auto& entry : fs::directory_iterator(fs::current_path())) {
    if (entry.path().extension() == ".json") continue; // what a later command reads
    const fs::path kept = gallery / entry.path().filename();
    if (update) {
      fs::create_directories(gallery);
      fs::copy_file(entry.path(), kept, fs::copy_options::overwrite_existing);
    }
    if (entry.path().extension() != ".svg") continue; // PNG and PDF differ with the machine's fonts
    EXPECT_EQ(read(entry.path()), read(kept)) << kept.filename() << " is not what the README's command draws";
  }
}

TEST(Readme, shows_what_its_commands_print) {
  const fs::path scratch = fs::temp_directory_path() / ("perfmodel-readme-" + std::to_string(::getpid()));
  fs::create_directories(scratch);
  const fs::path before = fs::current_path();
  // Commands name files of the tree by their path from its top.
  for (const char* folder : {"tests", "hwdb"})
    fs::create_directory_symlink(source_dir / folder, scratch / folder);
  fs::current_path(scratch);
  Lines rewritten;
  std::size_t commands = 0;
  const Lines readme = lines_of(read(source_dir / "README.md"));
  for (std::size_t i = 0; i < readme.size(); ++i) {
    rewritten.push_back(readme[i]);
    if (readme[i] != "```console") continue;
    Lines shown, real;
    for (++i; i < readme.size() && readme[i] != "```"; ++i) {
      shown.push_back(readme[i]);
      if (readme[i].rfind("$ ", 0) != 0) continue;
      real.push_back(readme[i]);
      for (std::string& line : output_of(readme[i].substr(2))) real.push_back(std::move(line));
      ++commands;
    }
    if (!update) {
      EXPECT_EQ(joined(shown), joined(real));
    }
    rewritten.insert(rewritten.end(), real.begin(), real.end());
    rewritten.emplace_back("```");
  }
  for (const char* folder : {"tests", "hwdb"}) fs::remove(scratch / folder);
  check_pictures();
  fs::current_path(before);
  fs::remove_all(scratch);
  EXPECT_GT(commands, 5U) << "README.md has lost its commands";
  if (update) std::ofstream(source_dir / "README.md", std::ios::binary) << joined(rewritten);
}

} // namespace
