// What is written as JSON against the schema that is shipped, docs/reference/result.schema.json.
#include "program.hpp"

#include "hwdb/database.hpp"
#include "hwdb/launches_file.hpp"
#include "models/core/model.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <set>

namespace perfmodel::schema_test {

using Json = nlohmann::json;

const Json& schema() {
  static const Json all = Json::parse(contents(PERFMODEL_SOURCE_DIR "/docs/reference/result.schema.json"));
  return all;
}

bool is_a(const Json& value, const std::string& type) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "number") return value.is_number();
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  ADD_FAILURE() << "the schema has a type '" << type << "'";
  return false;
}

// What is wrong with `value`, or "". The keywords that our schema uses, and no others: the libraries of
// Debian for it bring Qt or another language. Stricter than draft 07 in one thing: a member that an object's
// properties do not list is wrong, so that nothing is written that is not documented.
std::string wrong(const Json& value, const Json& rule, const std::string& at) {
  if (rule.contains("$ref")) {
    const std::string path = rule.at("$ref").get<std::string>().substr(1);
    return wrong(value, schema().at(Json::json_pointer(path)), at);
  }
  for (const auto& [keyword, asked] : rule.items()) {
    const bool of_members =
        keyword == "required" || keyword == "properties" || keyword == "additionalProperties";
    if ((of_members && !value.is_object()) || (keyword == "items" && !value.is_array())) continue;
    if (keyword == "$schema" || keyword == "$id" || keyword == "title" || keyword == "description" ||
        keyword == "definitions")
      continue;
    if (keyword == "const") {
      if (value != asked) return at + " is not " + asked.dump();
    } else if (keyword == "enum") {
      if (std::find(asked.begin(), asked.end(), value) == asked.end())
        return at + ": " + value.dump() + " is none of " + asked.dump();
    } else if (keyword == "type") {
      const Json types = asked.is_array() ? asked : Json::array({asked});
      if (std::none_of(types.begin(), types.end(),
                       [&](const Json& type) { return is_a(value, type.get<std::string>()); }))
        return at + " is no " + asked.dump();
    } else if (keyword == "minLength") {
      if (value.is_string() && value.get<std::string>().size() < asked.get<std::size_t>())
        return at + " is empty";
    } else if (keyword == "required") {
      for (const Json& name : asked)
        if (!value.contains(name.get<std::string>())) return at + " lacks " + name.dump();
    } else if (keyword == "properties") {
      for (const auto& [name, member] : value.items()) {
        if (!asked.contains(name)) return at + " has a member '" + name + "' that the schema does not list";
        if (std::string why = wrong(member, asked.at(name), at + "." + name); !why.empty()) return why;
      }
    } else if (keyword == "additionalProperties") {
      for (const auto& [name, member] : value.items())
        if (std::string why = wrong(member, asked, at + "." + name); !why.empty()) return why;
    } else if (keyword == "items") {
      for (std::size_t i = 0; i < value.size(); ++i)
        if (std::string why = wrong(value[i], asked, at + "[" + std::to_string(i) + "]"); !why.empty())
          return why;
    } else if (keyword == "oneOf") {
      std::string reasons;
      int kept = 0;
      for (const Json& one : asked) {
        const std::string why = wrong(value, one, at);
        kept += why.empty() ? 1 : 0;
        reasons += why.empty() ? "" : "; " + why;
      }
      if (kept != 1) return at + " keeps " + std::to_string(kept) + " of the rules, not one" + reasons;
    } else {
      return "the schema has a keyword that this test does not know: " + keyword;
    }
  }
  return "";
}

std::string wrong_with(const std::string& text) { return wrong(Json::parse(text), schema(), "$"); }

void expect_kept(const std::vector<std::string>& arguments) {
  std::vector<std::string> all = arguments;
  all.insert(all.end(), {"--format", "json"});
  const Answer a = perfmodel(all);
  std::string line;
  for (const std::string& word : arguments) line += word + " ";
  ASSERT_TRUE(a.code == 0 || a.code == 1) << line << a.err;
  EXPECT_EQ(wrong_with(a.out), "") << line;
}

TEST(Schema, is_kept_by_every_model) {
  for (const Model& model : models()) {
    expect_kept(small_question(model, "h200"));
    expect_kept(small_question(model, "m2090,gtx280") + words("--explain"));
    const Answer a = perfmodel(small_question(model, "m2090") + words("--format json"));
    EXPECT_FALSE(Json::parse(a.out).at("verdict").empty()) << model.info.name;
  }
}

TEST(Schema, is_kept_by_comparisons_and_lists) {
  expect_kept(words("validate --hw m2090"));
  expect_kept(words("bank-conflicts --hw h200 --measured"));
  const Scratch scratch;
  ASSERT_EQ(perfmodel({"balance", "--hw", "m2090", "-o", scratch / "a.json"}).code, 0);
  expect_kept({"compare", scratch / "a.json", scratch / "a.json"});
  expect_kept(words("hw list"));
  expect_kept(words("hw keys"));
  expect_kept(words("hw diff m2090 h200"));
  expect_kept(words("hw show gtx260"));
}

TEST(Schema, is_kept_by_the_committed_runs) {
  const std::filesystem::path measured = hwdb::default_folder() / "measured";
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(measured)) {
    if (entry.path().extension() != ".json") continue;
    ++files;
    EXPECT_EQ(wrong_with(contents(entry.path())), "") << entry.path();
  }
  EXPECT_GT(files, 0u);
}

// The other format: docs/reference/launches.schema.json.
TEST(Schema, is_kept_by_launches_that_were_captured) {
  CapturedLaunch launch{.kernel = "f",
                        .cluster = Shape{},
                        .cooperative = true,
                        .managed = true,
                        .of_host = true,
                        .registers = 8,
                        .fixed_shared = 0,
                        .arguments_known = true,
                        .allocations = {64},
                        .arguments = {{.offset = 0, .bytes = std::vector<std::uint8_t>(8), .pointers = {{}}}},
                        .count = 2,
                        .in_a_row = 1,
                        .times = CapturedTimes{}};
  const CapturedLaunches all{.date = "d",
                             .gpus = {{.name = "a", .driver = "b", .clock = 1}},
                             .launches = {launch, {.kernel = "g"}},
                             .notes = {"c"}};
  const Json rules = Json::parse(contents(PERFMODEL_SOURCE_DIR "/docs/reference/launches.schema.json"));
  EXPECT_EQ(wrong(Json::parse(hwdb::launches_json(all)), rules, "$"), "");
  EXPECT_NE(wrong(Json::parse(R"({"schema": "perfmodel-launches/2"})"), rules, "$"), "");
}

TEST(Schema, refuses_what_no_reader_expects) {
  const Json answer = Json::parse(perfmodel(words("balance --hw m2090 --format json")).out);
  const auto after = [&](const char* pointer, const Json& value) {
    Json changed = answer;
    changed[Json::json_pointer(pointer)] = value;
    return wrong(changed, schema(), "$");
  };
  EXPECT_EQ(wrong(answer, schema(), "$"), "");
  EXPECT_NE(after("/schema", "perfmodel-result/2"), "");
  EXPECT_NE(after("/kind", "guessed"), "");
  EXPECT_NE(after("/verdict", "a sentence"), "");
  EXPECT_NE(after("/verdict/0", ""), "");
  EXPECT_NE(after("/tables/0/columns/0/role", "grey"), "");
  EXPECT_NE(after("/tables/0/columns/0/values/0", true), "");
  EXPECT_NE(after("/undocumented", 1), "");
  Json lacking = answer;
  lacking.erase("tables");
  EXPECT_NE(wrong(lacking, schema(), "$"), "");
}

} // namespace perfmodel::schema_test
