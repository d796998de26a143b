// A user's listing of machine code: read, and run for a block of three warps with arguments that mean little
// to it; and compared with the PTX that may stand in it.
#include "target.hpp"

#include "models/kernel/code_comparison.hpp"
#include "models/kernel/register_use.hpp"
#include "models/kernel/run_block.hpp"

#include <algorithm>

using namespace perfmodel;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = fuzz::text_of(data, size);
  fuzz::read_or_refuse([&] { KernelArguments::from_text(text.substr(0, 200)); });
  std::vector<std::string> names;
  fuzz::read_or_refuse([&] { names = functions_of(text); });
  if (names.size() > 4) names.resize(4);
  for (const std::string& name : names)
    for (const LoadedData loaded :
         {LoadedData{}, LoadedData{Unknown::taken}, LoadedData{Unknown::coin, LoadedIndex::near}})
      fuzz::read_or_refuse([&] {
        const KernelCode code = read_listing(text, name);
        fuzz::promise(!code.instructions.empty(), "a function that is read has instructions");
        for (const Instruction& i : code.instructions) (void)register_use(i);
        KernelLaunch launch{.grid = {5, 2, 1}, .block = {80, 1, 1}, .arguments = {}};
        launch.arguments = KernelArguments::from_text("a=1MiB,b=1MiB,c=1MiB+4,n=1000");
        if (!code.parameters.empty())
          launch.arguments.list.resize(std::min(launch.arguments.list.size(), code.parameters.size()));
        std::uint64_t seen = 0;
        const BlockRun run =
            KernelRunner(code, launch)
                .run(
                    3, loaded,
                    [&](const Executed& e) {
                      ++seen;
                      fuzz::promise(e.warp < 3 && e.instruction < code.instructions.size(),
                                    "what was run is of the code");
                      if (e.access != nullptr)
                        fuzz::promise((e.access->mask & ~e.mask) == 0, "who accesses memory takes part");
                    },
                    20'000);
        fuzz::promise(run.instructions == seen, "every instruction is seen");
      });
  for (const std::string& name : names)
    fuzz::read_or_refuse([&] {
      const KernelCode code = read_listing(text, name);
      const std::vector<std::uint64_t> executed(code.instructions.size(), 1);
      const CodeComparison made = compare_code(read_ptx(text, name), code, executed);
      fuzz::promise(made.sass <= code.instructions.size(), "what is counted is of the code");
      fuzz::promise(!made.ptx || *made.ptx <= text.size(), "an instruction of PTX has text");
      for (const GroupDifference& one : made.groups)
        fuzz::promise(one.ptx.has_value() == made.ptx.has_value(), "counts of PTX are all there, or none");
      for (const auto& loop : {made.ptx_loop, made.sass_loop})
        fuzz::promise(!loop || (loop->overhead <= loop->instructions && loop->repeats >= 1),
                      "a loop's own instructions are some of its own");
    });
  return 0;
}
