#!/usr/bin/env bash
# A rank that stops in the middle of it, or is killed, ends the run with a sentence that names it; one rank alone is
# told how to start two, exit 2; sums of any number of ranks are right, and take seconds on cores that others use.
#   tests/kernels/messages/missing_rank.sh MPIEXEC PROGRAM
set -uo pipefail
export LC_ALL=C OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

"$2" measure message 2>"$folder/alone"
code=$?
if [[ $code != 2 ]] || ! grep -q "mpirun -n 2" "$folder/alone" || [[ $(wc -l <"$folder/alone") != 1 ]]; then
  echo "FAILED: one rank alone: exit $code: $(cat "$folder/alone")"
  exit 1
fi

"$2" measure message --longest 4GiB 2>"$folder/alone"
code=$?
if [[ $code != 2 || $(<"$folder/alone") != "perfmodel: --longest 4GiB: 1 MiB to 1 GiB are expected" ]]; then
  echo "FAILED: 4 GiB: exit $code: $(cat "$folder/alone")"
  exit 1
fi

# More ranks than cores, and other programs on these: a rank that waits gives its core away, and may have any.
start=("$1" --oversubscribe --bind-to none --mca mpi_yield_when_idle 1)

# Every sum of the probe is checked, and a wrong one ends with exit 3: of powers of two, and of what is none. Those of
# two are formed while as many programs as there are cores want these, too, where a message may take a time slice.
busy=()
for ((core = $(nproc); core > 0; --core)); do
  timeout 40 bash -c 'while :; do :; done' &
  busy+=($!)
done
for ranks in 2 3 5; do
  timeout 30 "${start[@]}" -n $ranks "$2" measure message --quick >"$folder/out" 2>"$folder/err"
  code=$?
  if [[ $ranks == 2 ]]; then kill "${busy[@]}"; fi
  if [[ $code != 0 ]] || ! grep -q "Sums of $ranks ranks are off by" "$folder/out"; then
    echo "FAILED: $ranks ranks: exit $code: $(cat "$folder/err")"
    exit 1
  fi
done

# The limit of steps holds once every rank has the board on which all write how far they are.
with_board() {
  local child
  for child in $(pgrep -P "$1"); do
    if grep -qs osc_sm "/proc/$child/maps"; then echo "$child"; fi
  done
}
"${start[@]}" -n 3 "$2" measure message --time-limit 6 >"$folder/out" 2>"$folder/err" &
run=$!
for _ in {1..50}; do
  if [[ $(with_board $run | wc -l) == 3 ]]; then break; fi
  sleep 0.2
done
sleep 1
victim=
for child in $(with_board $run); do
  tr '\0' '\n' <"/proc/$child/environ" | grep -qx OMPI_COMM_WORLD_RANK=1 && victim=$child
done
[[ -n $victim ]] || { echo "FAILED: no rank 1 was found: $(cat "$folder/err")"; exit 1; }
kill -STOP "$victim"
wait $run
code=$?
if [[ $code != 3 ]] || ! grep -q "has not ended within 6 s: rank 1 is missing" "$folder/err"; then
  echo "FAILED: exit $code: $(cat "$folder/err")"
  exit 1
fi
