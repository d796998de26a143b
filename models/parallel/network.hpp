// What a message costs, in the parameters of Hockney and LogGP, and what they are taken to be where nobody
// gave them. The assumed ranges stand here, and not in the database, because they are facts of no GPU: they
// hold whatever carries messages between the nodes of a cluster, from TCP over Ethernet to InfiniBand.
#pragma once

#include "models/core/trace.hpp"

#include <optional>

namespace perfmodel::network {

inline constexpr Assumption<Seconds> latency{
    "latency", Seconds(5e-6), Seconds(1e-6), Seconds(50e-6),
    "between processes of two nodes: 1 us over InfiniBand, 50 us over TCP"};
inline constexpr Assumption<BytesPerSecond> bandwidth{"bandwidth", BytesPerSecond(12.5e9),
                                                      BytesPerSecond(1.25e9), BytesPerSecond(50e9),
                                                      "lines of 10 to 400 Gbit/s; 100 Gbit/s is taken"};
inline constexpr Assumption<BytesPerSecond> copying{"copy", BytesPerSecond(10e9), BytesPerSecond(4e9),
                                                    BytesPerSecond(20e9),
                                                    "what one core copies from memory to memory"};
inline constexpr Assumption<Seconds> system_call{
    "system-call", Seconds(1e-6), Seconds(0.3e-6), Seconds(5e-6),
    "into the kernel of the operating system and back, with what it does for a message"};

inline constexpr Assumption<Seconds> between_gpus{
    "latency", Seconds(5e-6), Seconds(1e-6), Seconds(20e-6),
    "a step of a collective between GPUs of one host, with its launch or its flags"};
inline constexpr Assumption<double> share_of_pair{
    "bandwidth", 1, 0.25, 1,
    "of what two GPUs exchange, what each keeps among more: all of it through a switch, less where links are "
    "shared"};
inline constexpr Assumption<Seconds> operation{
    "operation", Seconds(1e-9), Seconds(0.1e-9), Seconds(3e-9),
    "one core and three nested loops: from vectors out of cache to every load a miss of it"};
inline constexpr Assumption<Seconds> barrier_round{"barrier", Seconds(0.2e-6), Seconds(0.05e-6),
                                                   Seconds(2e-6),
                                                   "a flag that goes from one core's cache to another's"};
inline constexpr Assumption<Seconds> locking{"lock", Seconds(0.2e-6), Seconds(0.02e-6), Seconds(2e-6),
                                             "an atomic exchange of a line that another core has"};
inline constexpr Assumption<Seconds> spawning{"spawn", Seconds(20e-6), Seconds(5e-6), Seconds(200e-6),
                                              "from a thread of the same process to a process of its own"};

template <class Q, class T>
auto given_or(T& trace, std::string_view symbol, const std::optional<Q>& given,
              const Assumption<Q>& assumption) {
  return given ? trace.input(symbol, *given) : trace.assume(symbol, assumption);
}

} // namespace perfmodel::network
