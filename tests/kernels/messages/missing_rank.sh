#!/usr/bin/env bash
# A rank that stops in the middle of it, or is killed, ends the run with a sentence that names it; one rank alone is
# told how to start two, exit 2; sums of any number of ranks are right.
#   tests/kernels/messages/missing_rank.sh MPIEXEC PROGRAM
set -uo pipefail
export LC_ALL=C OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$2" measure message 2>"$folder/alone"
code=$?
if [[ $code != 2 ]] || ! grep -q "mpirun -n 2" "$folder/alone"; then
  echo "FAILED: one rank alone: exit $code: $(cat "$folder/alone")"
  exit 1
fi

# Every sum of the probe is checked, and a wrong one ends with exit 3: of powers of two, and of what is none.
for ranks in 2 3 6; do
  "$1" --oversubscribe -n $ranks "$2" measure message --quick >"$folder/out" 2>"$folder/err"
  code=$?
  if [[ $code != 0 ]] || ! grep -q "Sums of $ranks ranks are off by" "$folder/out"; then
    echo "FAILED: $ranks ranks: exit $code: $(cat "$folder/err")"
    exit 1
  fi
done

"$1" --oversubscribe -n 3 "$2" measure message --time-limit 5 >"$folder/out" 2>"$folder/err" &
mpiexec=$!
sleep 2.5
victim=
for child in $(pgrep -P $mpiexec); do
  tr '\0' '\n' <"/proc/$child/environ" | grep -qx OMPI_COMM_WORLD_RANK=1 && victim=$child
done
[[ -n $victim ]] || { echo "FAILED: no rank 1 was found: $(cat "$folder/err")"; exit 1; }
kill -STOP "$victim"
wait $mpiexec
code=$?
if [[ $code != 3 ]] || ! grep -q "has not ended within 5 s: rank 1 is missing" "$folder/err"; then
  echo "FAILED: exit $code: $(cat "$folder/err")"
  exit 1
fi
