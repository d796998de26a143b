// What an access pattern of global memory costs, counted over a launch warp after warp.
//   transactions, bytes moved       by the rule of the compute capability: transactions.hpp
//   efficiency                      bytes that the threads of a request ask for, each once / bytes moved
//   DRAM bytes                      with L2 (cc 2.0 on) the atoms that differ among those touched last
//                                   (recent_reads.hpp), and a read for each sector that was written only in
//                                   part; without L2 the bytes moved
//   time = the longest of
//     DRAM, bytes: R / B(read) + W / B(write) + min(R, W) t_turn + lines filled for two / split rate
//     DRAM, rows:  openings for reads / segment rate + for writes / scatter rate      (recent_writes.hpp)
//     L2:          split lines / split rate + other bytes between L2 and the SMs / B(L2)
//     L1:          wavefronts of its banks / B(L1), lines looked up / line rate       (l1_time.hpp)
//     textures:    wavefronts / their rate, in place of L1                            (read_path.hpp)
//   bandwidth = bytes that the program asks for / time
// t_turn, what DRAM loses for each byte that is read as well as written, follows from the copy's bandwidth:
// t_turn = 2 / B(copy) - 1 / B(read) - 1 / B(write). The equal copy is of the same pattern, in two arrays
// that share L2. Rows and split lines count where the rates of isolated sectors (probes sector-gather,
// sector-scatter) and of split lines (split-sectors) were measured; that lines written in part are opened one
// by one was found in the stride sweeps that it predicts, and that a line of which two warps write parts and
// which is filled costs what a split one does, beside DRAM's time, in those of words of 1 and 2 bytes; it
// then predicted other sweeps: words of 4 bytes at stride 2 fall from 1.05 to 0.67 TB/s when moved by half a
// line (H200, 2026-11-22). Assumes enough bytes in flight, a launch that stands for one of any length, and
// that each warp's instruction is issued once; L1 serves the warps of a block, no others. Of a launch that
// touches much memory L2 is followed in a sample (page_sample.hpp): transactions and bytes moved stay exact,
// DRAM's bytes are good to a hundredth. With --ilp the threads have so many words in flight and no more: the
// bandwidth is then that of a kernel of that pattern, simulated (pattern_time.hpp).
#pragma once

#include "models/access/read_path.hpp"
#include "models/access/transactions.hpp"
#include "models/core/model.hpp"

#include <optional>
#include <string>

namespace perfmodel {

// The lanes of a warp in another order: reversed lane -> 31 - lane, shuffled lane -> (5 lane + 3) mod 32.
enum class Permutation { identity, reversed, shuffled };
constexpr auto names(Permutation) {
  return std::to_array<std::string_view>({"identity", "reversed", "shuffled"});
}

struct Coalescing {
  static constexpr ModelInfo info{
      .name = "coalescing",
      .summary = "Coalescing: transactions, bytes moved and bandwidth of an access pattern of global memory",
      .equation = "efficiency = bytes asked for / bytes of the transactions",
      .source = "NVIDIA, CUDA C Programming Guide 4.2, sections F.3 to F.5",
      .reading =
          "A transaction moves all of its bytes, asked for or not. DRAM moves what differs among the sectors "
          "of many warps, and reads a sector first that is written only in part.",
      .tolerance = 0.25, // of one pattern; the mean over strides and offsets is to be within 0.08
      .chart = ChartKind::lines,
      .x = "stride",
      .y = "efficiency",
      .series = "gpu",
      .banded = "bandwidth",
      .examples = "--hw gtx280,m2090,h200 --stride 1,2,8,32; --hw h200 --index '2*gid'"};

  struct Input {
    GlobalAccess access = GlobalAccess::load;
    Bytes word{4};
    Count stride = 1, offset = 0;
    Permutation permutation = Permutation::identity;
    Expression index, condition;
    Bindings let;
    Shape block{256, 1, 1};
    std::optional<Shape> grid;
    LoadCache cache = LoadCache::standard;
    ReadPath path = ReadPath::global;
    Count pitch = 4096;
    std::optional<Count> ilp;
    static void fields(auto& field) {
      field(&Input::access, "access", "load, store, or copy: a load and a store of the same pattern");
      field(&Input::word, "word", "bytes of a word: 1, 2, 4, 8 or 16");
      field(&Input::stride, "stride", "words from one thread's word to the next one's", Range::not_negative);
      field(&Input::offset, "offset", "words before the first thread's word", Range::not_negative);
      field(&Input::permutation, "permutation", "order of a warp's lanes; shuffled: (5 lane + 3) mod 32");
      field(&Input::index, "index",
            "word that a thread accesses, instead of stride, offset and permutation: an expression of "
            "tid, lane, warp, x y z, bx by bz, dx dy dz, gx gy gz, row, col, gid, --let names");
      field(&Input::condition, "if", "only threads for which this expression is not 0");
      field(&Input::let, "let", "names for expressions, may be repeated: n=4000; swept by name: n=1:32");
      field(&Input::block, "block", "shape of a block: 256, 16x16, 8x8x4");
      field(&Input::grid, "grid",
            "shape of the grid; expressions that read row, by or, in blocks of more than one row, col or "
            "y need it (default: as many blocks as the GPU holds at once; without expressions 32768 "
            "threads)");
      field(&Input::cache, "cache", "where loads are cached: l1 is -dlcm=ca, l2 is -dlcm=cg");
      field(&Input::path, "path",
            "how words are read: plain loads (global), __ldg, tex1Dfetch, or tex2D of an array");
      field(&Input::pitch, "pitch", "words of a row of the array that tex2D reads", Range::positive);
      field(&Input::ilp, "ilp",
            "words that a thread accesses, all loads before its first store: what they reach is simulated "
            "(default: as many in flight as it takes)",
            Range::per_thread);
    }
  };

  struct Pattern {
    static constexpr std::string_view title = "access pattern";
    Count stride = absent; // of an expression there is none
    std::string path;
    Count requests = 0, transactions = 0;
    double transactions_per_request = 0;
    Bytes bytes_requested, bytes_unique, bytes_moved;
    double efficiency = 0, requested_per_moved = 0;
    double block_reuse = 1, dram_read = 0, dram_written = 0, dram_bytes = 0;
    BytesPerSecond bandwidth;
    double gain = absent;
    std::string bound, grid, first_warp, index, advice;
    static void fields(auto& field) {
      using R = Pattern;
      field(&R::stride, "stride", "words from thread to thread", Range::any, Role::key);
      field(&R::path, "path", "how words are read", Range::any, Role::key);
      field(&R::requests, "requests", "requests of the launch that have an active thread", Range::any,
            Role::predicted, "requests");
      field(&R::transactions, "transactions", "transactions of the launch", Range::any, Role::predicted,
            "transactions");
      field(&R::transactions_per_request, "transactions_per_request",
            "mean over the requests; sectors per request from cc 5.0 on");
      field(&R::bytes_requested, "bytes_requested", "bytes that the active threads ask for");
      field(&R::bytes_unique, "bytes_unique",
            "the same, but a word that threads of one request share is counted once");
      field(&R::bytes_moved, "bytes_moved", "bytes of the transactions");
      field(&R::efficiency, "efficiency", "bytes_unique over bytes_moved", Range::any, Role::predicted,
            "fraction");
      field(&R::requested_per_moved, "requested_per_moved",
            "bytes_requested over bytes_moved; above 1 where threads share words", Range::any,
            Role::predicted, "fraction");
      field(&R::block_reuse, "block_reuse",
            "loads: bytes of a block's transactions over those of its different ones", Range::any,
            Role::predicted);
      field(&R::dram_read, "dram_read", "bytes DRAM reads for each byte asked for, fills included",
            Range::any, Role::predicted, "B/B");
      field(&R::dram_written, "dram_written", "bytes written to DRAM for each byte asked for", Range::any,
            Role::predicted, "B/B");
      field(&R::dram_bytes, "dram_bytes", "both together", Range::any, Role::predicted, "B/B");
      field(&R::bandwidth, "bandwidth",
            "bytes asked for per second, read plus written; above DRAM's where caches serve bytes again");
      field(&R::gain, "over_plain_loads",
            "bandwidth over that of plain loads of the same words; empty: these are plain", Range::any,
            Role::predicted, "times");
      field(&R::bound, "bound", "what limits the bandwidth", Range::any, Role::note);
      field(&R::grid, "grid_walked", "shape of the grid that was counted", Range::any, Role::note);
      field(&R::first_warp, "first_warp", "transactions of the first warp", Range::any, Role::note);
      field(&R::index, "index", "word that a thread accesses", Range::any, Role::note);
      field(&R::advice, "advice", "what would remove the cost", Range::any, Role::note);
    }
  };

  // Throws InputError: a fact is missing, the expressions are wrong, no thread is active.
  template <class T> static Pattern predict(const Gpu& gpu, const Input& in, T& trace);
  static std::string verdict(const Gpu&, const Input&, const Pattern&);
};

} // namespace perfmodel
