// What `explain` and `help` say, and that no word which answers print is left without an explanation.
#include "program.hpp"

#include "cli/explanation.hpp"
#include "cli/glossary.hpp"
#include "cli/text_lines.hpp"
#include "models/concurrency/resident_blocks.hpp"
#include "models/core/error.hpp"
#include "models/core/estimate.hpp"
#include "models/simulate/sm_simulation.hpp"
#include "models/validation/evidence.hpp"

#include <gtest/gtest.h>

#include <set>

namespace perfmodel::explain_test {

std::string flowing(const std::string& text) {
  std::string out;
  for (const std::string& word : words(text)) out += (out.empty() ? "" : " ") + word;
  return out;
}

bool holds(const std::string& text, const std::string& piece) {
  return flowing(text).find(piece) != std::string::npos;
}

TEST(Explain, case_hyphen_and_plural_do_not_matter) {
  const std::string warp = perfmodel({"explain", "warp"}).out;
  EXPECT_TRUE(holds(warp, "32 threads that execute one instruction together"));
  for (const char* word : {"Warp", "warps", "WARPS"})
    EXPECT_EQ(perfmodel({"explain", word}).out, warp) << word;
  const std::string latency = perfmodel({"explain", "latency bound"}).out;
  EXPECT_TRUE(holds(latency, "too few operations or bytes are in flight"));
  EXPECT_TRUE(holds(latency, "docs/models/littles-law.md"));
  for (const char* line : {"explain Latency-bound", "explain latency bound", "explain latency_bounds"})
    EXPECT_EQ(perfmodel(words(line)).out, latency) << line;
  EXPECT_EQ(cli::term_key("Bytes in flight"), cli::term_key("byte-in-flight"));
  EXPECT_EQ(cli::term_key("memories"), cli::term_key("memory"));
  EXPECT_NE(cli::term_key("bus"), cli::term_key("bu"));
  EXPECT_NE(cli::term_key("basis"), cli::term_key("basi"));
}

TEST(Explain, a_fact_has_unit_meaning_and_probe) {
  for (const KeyInfo& key : all_keys()) {
    const std::string text = cli::explanation_text(cli::explanation(key.path), 100);
    EXPECT_TRUE(holds(text, std::string(key.path) + " (fact) " + std::string(key.meaning))) << text;
    if (!key.probe.empty()) {
      EXPECT_TRUE(holds(text, "probe " + std::string(key.probe))) << text;
    }
  }
  EXPECT_TRUE(holds(perfmodel({"explain", "dram.bandwidth"}).out, "unit B/s"));
  EXPECT_EQ(perfmodel({"explain", "DRAM.bandwidth"}).out, perfmodel({"explain", "dram.bandwidth"}).out);
}

TEST(Explain, a_model_has_its_line_formula_source_and_help) {
  for (const Model& model : models()) {
    const std::string name(model.info.name);
    const Answer a = perfmodel({"explain", name});
    EXPECT_EQ(a.code, 0) << name;
    for (const std::string& piece :
         {name + " (model) " + std::string(model.info.summary), "formula " + std::string(model.info.equation),
          "source " + std::string(model.info.source), "perfmodel " + name + " --help"})
      EXPECT_TRUE(holds(a.out, flowing(piece))) << a.out;
    EXPECT_TRUE(std::filesystem::exists(PERFMODEL_SOURCE_DIR "/docs/models/" + name + ".md")) << name;
  }
}

TEST(Explain, grades_kinds_of_evidence_stalls_and_limiters_are_explained) {
  for (const std::string_view stall : names(Stall{})) EXPECT_TRUE(cli::is_explained(stall)) << stall;
  for (const std::string_view limiter : names(Limiter{})) EXPECT_TRUE(cli::is_explained(limiter)) << limiter;
  for (const std::string_view grade : grade_names) EXPECT_TRUE(cli::is_explained(grade)) << grade;
  for (const std::string_view evidence : evidence_names) EXPECT_TRUE(cli::is_explained(evidence)) << evidence;
}

// The words of a column, as `limiter` lists several.
void expect_explained(const Column& column, const std::string& model) {
  for (std::size_t row = 0; row < column.size(); ++row) {
    std::string left = column.text(row);
    if (column.name != "limiter") {
      EXPECT_TRUE(left.empty() || cli::is_explained(left)) << model << " prints '" << left << "'";
      continue;
    }
    while (!left.empty()) {
      const std::size_t end = std::min(left.find(", "), left.size());
      EXPECT_TRUE(cli::is_explained(left.substr(0, end))) << model << " prints '" << left << "'";
      left.erase(0, end + 2);
    }
  }
}

TEST(Explain, every_bound_limiter_and_grade_of_an_answer_is_explained) {
  const std::set<std::string> columns{"bound", "limiter", "binds", "grade"};
  std::set<std::string> met;
  for (const Model& model : models())
    for (const char* gpu : {"gtx280", "m2090", "h200"}) {
      Request request;
      for (const auto& [name, text] : small_problem(model))
        request.inputs.push_back({name, parse_values(*model.find(name), text)});
      if (!model.info.positional.empty()) continue; // a listing has to be given
      static const hwdb::Database shipped(hwdb::default_folder());
      const Gpu asked = shipped.completed(shipped.gpu(gpu));
      Result result;
      try {
        result = predict(model, {&asked, 1}, request);
      } catch (const InputError&) {
        continue; // of a GPU that lacks what the model is about, or inputs that it cannot do without
      }
      for (const Table& table : result.tables)
        for (const Column& column : table.columns)
          if (columns.count(column.name) > 0 && column.is_text()) {
            met.insert(column.name);
            expect_explained(column, std::string(model.info.name));
          }
    }
  EXPECT_EQ(met, columns);
}

// Parts of columns' names that are read as anybody reads them.
const std::set<std::string>& plain_words() {
  static const std::set<std::string> words = [] {
    std::istringstream in(
        "about achieved active additions advice after ahead algorithm alike all allocated allowed alone and "
        "apart arch argument arguments assumes at batch be because before best binds both branch "
        "busiest by byte bytes can cancelled carries change changed choice chunk chunks class code "
        "computing constant copies count difference differs direction each elements end error even "
        "executed far fastest first fits fix fixed flight flow flows for found fraction from full "
        "gpu group growth held helps high idle in index instruction instructions issued its kib "
        "kind last launch least left letter level link links load loads lone longest loop low m "
        "mean meaning measured met method mix most moved n name narrowest near needed next note "
        "numbers of on one over pairs passes path per performance pin pins place places "
        "plain power predicted prints processor processors product race rate ratio reached read "
        "requested right row rows rule runs scope second send sends share shared side single slice "
        "slots start state states step steps store taken target term the then time timed to "
        "together topic total twice type unique unit unreceived used values version virtual waiting "
        "walked way what why width window wire without written wrong ");
    return std::set<std::string>{std::istream_iterator<std::string>(in), {}};
  }();
  return words;
}

TEST(Explain, every_column_is_of_terms_that_are_explained_and_of_plain_words) {
  for (const Model& model : models())
    for (const std::string& column : model.outputs) {
      if (cli::is_explained(column)) continue;
      std::string name = column;
      std::replace(name.begin(), name.end(), '_', ' ');
      for (const std::string& part : words(name))
        EXPECT_TRUE(cli::is_explained(part) || plain_words().count(part) != 0)
            << model.info.name << " has a column " << column << ": what is '" << part << "'?";
    }
  for (const std::string& word : plain_words())
    EXPECT_FALSE(cli::is_explained(word)) << word << " need not stand among the plain words";
}

TEST(Explain, every_column_of_a_model_is_explained_as_it_is_printed) {
  for (const Model& model : models())
    for (std::string column : model.outputs) {
      std::replace(column.begin(), column.end(), '_', ' ');
      EXPECT_FALSE(cli::explanation(column).tables.empty()) << model.info.name << ": " << column;
    }
  for (const char* line : {"explain passes", "explain of roof", "explain block reuse"})
    EXPECT_EQ(perfmodel(words(line)).code, 0) << line;
  EXPECT_TRUE(holds(perfmodel(words("explain of roof")).out, "achieved, or else predicted, over attainable"));
}

// Of tables that no model declares: profiles, ranks and comparisons.
TEST(Explain, every_column_of_other_answers_is_explained) {
  for (const char* column : {"of best", "not known", "of time", "of dram", "of l2", "of l1", "of arithmetic",
                             "energy", "verdict", "change", "before", "after"})
    EXPECT_EQ(perfmodel({"explain", column}).code, 0) << column;
}

TEST(Explain, terms_that_users_asked_for) {
  for (const char* term :
       {"ridge", "ulp", "half-warp", "word", "segment", "degree", "stride", "speed-up", "LogGP"})
    EXPECT_TRUE(cli::is_explained(term)) << term;
}

TEST(Explain, what_is_none_gets_the_nearest_and_code_2) {
  for (const auto& [line, said] :
       {std::pair{"explain sectr", "did you mean 'sector'?"},
        {"explain of_rof", "did you mean 'of roof'?"},
        {"explain ocupancy", "did you mean 'occupancy'?"},
        {"explain scoreboard", "did you mean 'long scoreboard', 'short scoreboard'?"},
        {"explain xyzzy", "'perfmodel explain' lists the terms"}}) {
    const Answer a = perfmodel(words(line));
    EXPECT_EQ(a.code, 2) << line;
    EXPECT_EQ(a.out, "") << line;
    EXPECT_TRUE(one_sentence(a.err)) << a.err;
    EXPECT_NE(a.err.find(said), std::string::npos) << a.err;
  }
}

TEST(Explain, knows_the_names_of_number_formats) {
  for (const char* name : {"double", "fp64", "float", "fp32", "fp16", "bf16", "tf32", "fp8", "int8"})
    EXPECT_TRUE(holds(perfmodel({"explain", name}).out, "the kind of number that is computed with")) << name;
}

TEST(Explain, without_a_term_lists_all_in_columns_that_fit) {
  for (const std::size_t width : {40U, 72U, 100U}) {
    const std::string list = cli::every_term_text(width);
    for (const std::string& line : lines_of(list)) EXPECT_LE(cli::width_of(line), width) << line;
    for (const cli::Term& term : cli::glossary())
      EXPECT_NE(list.find(term.names.front()), std::string::npos) << term.names.front();
  }
  EXPECT_LT(lines_of(cli::every_term_text(100)).size(), cli::glossary().size() / 2);
}

TEST(Explain, answers_in_every_format_and_into_a_file) {
  EXPECT_TRUE(holds(perfmodel(words("explain sector --format csv")).out, "sector,\"32 bytes, the least"));
  EXPECT_TRUE(holds(perfmodel(words("explain sector --format markdown")).out, "| 32 bytes, the least"));
  EXPECT_TRUE(holds(perfmodel(words("explain --format json")).out, "\"long scoreboard\""));
  const Scratch scratch;
  EXPECT_EQ(perfmodel({"explain", "sector", "-o", scratch / "sector.txt"}).out, "");
  EXPECT_EQ(contents(scratch / "sector.txt"), perfmodel(words("explain sector")).out);
}

TEST(HelpCommand, is_the_same_as_the_option) {
  for (const char* command : {"", "roofline", "hw", "hw show", "capture", "explain", "help"}) {
    const Answer a = perfmodel(words("help " + std::string(command)));
    EXPECT_EQ(a.code, 0) << command;
    EXPECT_FALSE(a.out.empty()) << command;
    EXPECT_EQ(a.out, perfmodel(words(std::string(command) + " --help")).out) << command;
  }
}

TEST(HelpCommand, of_a_term_that_is_no_command_explains_it) {
  EXPECT_EQ(perfmodel(words("help sector")).out, perfmodel(words("explain sector")).out);
  EXPECT_EQ(perfmodel(words("help latency bound")).out, perfmodel(words("explain latency bound")).out);
  for (const auto& [line, said] :
       {std::pair{"help rofline", "unknown command 'rofline' (did you mean 'roofline'?)"},
        {"help hw compare", "perfmodel hw: unknown command 'compare'"},
        {"help roofline more", "'more' is one argument too many"},
        {"help sectr", "did you mean 'sector'?"}}) {
    const Answer a = perfmodel(words(line));
    EXPECT_EQ(a.code, 2) << line;
    EXPECT_EQ(a.out, "") << line;
    EXPECT_NE(a.err.find(said), std::string::npos) << a.err;
  }
}

TEST(Explain, what_has_no_letter_is_no_word) {
  for (const char* word : {"''", "\"", " ", "--", "%"}) {
    const Answer a = perfmodel({"explain", "--", word});
    EXPECT_EQ(a.code, 2) << word;
    EXPECT_EQ(a.out, "") << word;
    EXPECT_NE(a.err.find("is no word; 'perfmodel explain' lists the terms"), std::string::npos)
        << word << a.err;
  }
}

} // namespace perfmodel::explain_test
