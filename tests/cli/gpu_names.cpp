// GPUs by the names that drivers give them.
#include "program.hpp"

#include "hwdb/names/driver_names.hpp"

#include <gtest/gtest.h>

#include <map>

namespace perfmodel::gpu_names_test {

// The GPU that an answer about `hw` is of: hw show begins with its title.
std::string shown(const std::string& name) {
  const Answer answer = perfmodel({"hw", "show", name});
  return answer.code == 0 ? lines_of(answer.out).front() : answer.err;
}

TEST(GpuNames, what_nvidia_smi_prints_is_understood) {
  for (const auto& [driver, name] : std::map<std::string, std::string>{{"NVIDIA H100 80GB HBM3", "h100-sxm"},
                                                                       {"NVIDIA H100 PCIe", "h100-pcie"},
                                                                       {"NVIDIA A100-SXM4-40GB", "a100-40"},
                                                                       {"A100-SXM4-80GB", "a100-80"},
                                                                       {"Tesla V100-SXM2-16GB", "v100"},
                                                                       {"Tesla P100-PCIE-16GB", "p100-pcie"},
                                                                       {"Tesla V100-SXM2-32GB", "v100"},
                                                                       {"NVIDIA GeForce RTX 4090", "rtx4090"},
                                                                       {"geforce rtx 4090", "rtx4090"},
                                                                       {"NVIDIA H200", "h200"},
                                                                       {"NVIDIA Tesla T4", "t4"},
                                                                       {"Tesla K40m", "k40"}})
    EXPECT_EQ(shown(driver), shown(name)) << driver;
}

// So that a new line of the file is tested.
TEST(GpuNames, every_name_of_the_file_is_that_of_its_gpu_or_of_several) {
  const hwdb::Database database(hwdb::default_folder());
  const std::vector<std::string> gpus = database.names();
  std::map<std::string, int> uses;
  const auto names = hwdb::driver_names(database.root());
  ASSERT_GT(names.size(), 5u);
  for (const auto& [gpu, titles] : names)
    for (const std::string& title : titles) ++uses[title];
  for (const auto& [gpu, titles] : names) {
    EXPECT_NE(std::find(gpus.begin(), gpus.end(), gpu), gpus.end()) << gpu;
    for (const std::string& title : titles)
      if (uses[title] == 1) {
        EXPECT_EQ(shown(title), shown(gpu)) << title;
      }
  }
}

TEST(GpuNames, several_may_be_overlaid_by_them) {
  const Answer answer = perfmodel({"balance", "--hw", "NVIDIA H200,Tesla V100-SXM2-16GB"});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_NE(answer.out.find("v100"), std::string::npos);
}

TEST(GpuNames, of_several_cards_or_of_none_are_refused_with_what_is_near) {
  const auto why = [](const std::string& name) {
    const Answer answer = perfmodel({"balance", "--hw", name});
    EXPECT_EQ(answer.code, 2) << name;
    return answer.err;
  };
  EXPECT_EQ(
      why("GeForce GTX 260"),
      "perfmodel: 'GeForce GTX 260' is the driver's name of several cards: give 'gtx260' or 'gtx260-192'\n");
  EXPECT_EQ(why("NVIDIA H100"),
            "perfmodel: unknown GPU 'NVIDIA H100' (did you mean 'h100-pcie' or 'h100-sxm'?); "
            "'perfmodel hw list' shows all\n");
  EXPECT_NE(why("Tesla V100-DGXS-32GB").find("(did you mean 'v100'?)"), std::string::npos);
  EXPECT_NE(why("NVIDIA GeForce RTX 4080").find("(did you mean 'rtx3080'?)"), std::string::npos);
  EXPECT_NE(why("NVIDIA L40S").find("(did you mean 'l40'?)"), std::string::npos);
  EXPECT_EQ(why("Intel Iris Xe").find("did you mean"), std::string::npos);
  EXPECT_EQ(why("NVIDIA"), "perfmodel: unknown GPU 'NVIDIA'; 'perfmodel hw list' shows all\n");
}

TEST(NumberWords, what_programmers_call_a_format_is_understood) {
  const auto out = [](const std::string& line) { return perfmodel(words(line)).out; };
  EXPECT_EQ(out("balance --hw h200 --precision double,float,half"),
            out("balance --hw h200 --precision fp64,fp32,fp16"));
  EXPECT_EQ(out("memory-parallelism --hw h200 --word double"), out("memory-parallelism --hw h200 --word 8B"));
  EXPECT_EQ(out("rank --hw h200,m2090 --flops 1e12 --bytes 1e9 --precision double --format csv"),
            out("rank --hw h200,m2090 --flops 1e12 --bytes 1e9 --precision fp64 --format csv"));
  EXPECT_NE(perfmodel(words("balance --hw h200 --precision doubel")).err.find("unknown value 'doubel'"),
            std::string::npos);
}

} // namespace perfmodel::gpu_names_test
