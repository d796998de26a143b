#!/usr/bin/env bash
# What a user waits for: medians of the two goals of the program, with the machine they were measured on.
#   tests/bench/startup.sh [PROGRAM] [RUNS]
set -euo pipefail
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
program=${1:-$here/../../build/release/cli/perfmodel}
runs=${2:-21}

# One line for each run: CPU and wall time in milliseconds.
timed() {
  local i TIMEFORMAT='%U %S %R'
  for ((i = 0; i < runs; i++)); do
    { time "$@" >"$sink" 2>/dev/null; } 2>&1
  done | awk '{print 1000 * ($1 + $2), 1000 * $3}'
}
# The median of each column: "CPU 8 ms, wall 12 ms".
medians() {
  local lines
  lines=$(cat)
  median() { cut -d' ' -f"$1" <<<"$lines" | sort -n | awk '{v[NR] = $1} END {print v[int((NR + 1) / 2)]}'; }
  echo "CPU $(median 1) ms, wall $(median 2) ms (median of $runs)"
}

sink=/dev/null
echo "machine: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1), $(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg)"
echo "roofline --hw m2090: $(timed "$program" roofline --hw m2090 | medians); goal: CPU 20 ms"

runs=$(((runs + 3) / 4))
sink=$(mktemp)
trap 'rm -f "$sink"' EXIT
sweep=(roofline --hw m2090 --intensity 1:1000000 --format csv)
echo "a sweep of 10^6 intensities to CSV: $(timed "$program" "${sweep[@]}" | medians); goal: wall 1500 ms"
echo "its size: $(wc -l <"$sink") lines, $(($(wc -c <"$sink") >> 20)) MiB"
if [[ -x /usr/bin/time ]]; then
  { /usr/bin/time -f "its memory: %M KiB" "$program" "${sweep[@]}" >"$sink"; } 2>&1
fi
