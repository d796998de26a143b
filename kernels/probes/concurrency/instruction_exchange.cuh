// What leaves the thread: shuffles, votes, shared memory, branches. In the machine code for sm_90
// (CUDA 13.0): SHFL, VOTE, LDS, STS, ATOMS. ptxas drops a shuffle of equal values and a repeated vote: hence
// the forms.
#pragma once

#include "instruction_floats.cuh"
#include "instruction_step.cuh"

namespace perfmodel::kernels {

// Every kernel takes an even number of steps: the values end where they began.
struct Shuffle : Integers {
  static constexpr const char* name = "shuffle";
  static constexpr Word a = 1;
  __device__ static void step(Word& x, Word, Word) {
    asm volatile("shfl.sync.bfly.b32 %0,%0,%1,31,-1;" : "+r"(x) : "r"(a));
  }
  static Word host(Word x, Word, Word) { return x; }
};
// Transposes 8 x 8 halves, of which each lane has two.
struct Transpose : Integers {
  static constexpr const char* name = "movm";
  __device__ static void step(Word& x, Word, Word) {
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0,%0;" : "+r"(x));
  }
  static Word host(Word x, Word, Word) { return x; }
};
#define PERFMODEL_VOTE "vote.sync.any.pred p,p,-1;\n"
#define PERFMODEL_VOTES                                                                                      \
  PERFMODEL_VOTE PERFMODEL_VOTE PERFMODEL_VOTE PERFMODEL_VOTE PERFMODEL_VOTE PERFMODEL_VOTE PERFMODEL_VOTE   \
      PERFMODEL_VOTE PERFMODEL_VOTE PERFMODEL_VOTE
// Votes on votes: a predicate cannot leave its step, which is therefore of 30, a comparison and a selection.
// These two count as votes: were theirs another pipe, 32 in the time of 30 would exceed a power of two.
struct Vote : Integers {
  static constexpr const char* name = "vote";
  static constexpr int results = 32, instructions = 32;
  __device__ static void step(Word& x, Word, Word a) {
    asm volatile("{.reg .pred p; setp.ne.u32 p,%0,%1;\n" PERFMODEL_VOTES PERFMODEL_VOTES PERFMODEL_VOTES
                 "selp.u32 %0,%0,%1,p;}"
                 : "+r"(x)
                 : "r"(a));
  }
  static Word host(Word x, Word, Word) { return x; }
};

// A loop whose body is one FFMA: beside an addition, a comparison and the branch. Where the schedulers issue
// these four no faster, branches cost what this shows at most.
struct Branch : Ffma {
  static constexpr const char* name = "branch";
  static constexpr bool is_loop = true;
};

// Every thread has a word of its own for each chain: no bank conflicts, no contention.
struct SharedLoad : Integers {
  static constexpr const char* name = "lds";
  static constexpr bool in_shared = true; // the word holds its own address
  __device__ static void step(Word& x, Word, Word) {
    asm volatile("ld.volatile.shared.u32 %0,[%0];" : "+r"(x));
  }
};
// A word of global memory that holds its own address, of which L1 has a copy.
static __device__ unsigned long long own_address;
struct GlobalLoad : ClassOf<unsigned long long> {
  static constexpr const char* name = "ldg";
  static constexpr unsigned long long a = 0;
  static constexpr Check check = Check::bounded; // where the word lies
  __host__ __device__ static unsigned long long start(int, int) {
#ifdef __CUDA_ARCH__
    own_address = reinterpret_cast<unsigned long long>(&own_address);
    return own_address;
#else
    return 0;
#endif
  }
  __device__ static void step(T& x, T, T) { asm volatile("ld.global.ca.u64 %0,[%0];" : "+l"(x)); }
  static T host(T x, T, T) { return x; }
};
struct SharedStore : Integers {
  static constexpr const char* name = "sts";
  static constexpr bool in_shared = true;
  __device__ static void step(Word& x, Word, Word) {
    asm volatile("st.volatile.shared.u32 [%0],%0;" ::"r"(x));
  }
};
struct SharedAtomic : Integers {
  static constexpr const char* name = "atoms";
  static constexpr bool in_shared = true;
  static constexpr Word a = 0; // so that the word keeps its own address
  __device__ static void step(Word& x, Word, Word a) {
    asm volatile("atom.shared.add.u32 %0,[%0],%1;" : "+r"(x) : "r"(a));
  }
};

} // namespace perfmodel::kernels
