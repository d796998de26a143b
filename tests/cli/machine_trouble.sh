#!/usr/bin/env bash
# What only the whole program shows: a full disk behind stdout, a file that may not grow, memory that runs out. One sentence, exit 3.
#   tests/cli/machine_trouble.sh PROGRAM [no-memory-limit]
set -uo pipefail
export LC_ALL=C
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# expect WHAT: the last command's exit code is 3 and it said one sentence.
expect() {
  local code=$? lines
  lines=$(wc -l <"$folder/err")
  if [[ $code != 3 || $lines != 1 ]] || ! grep -q "^perfmodel: .*$2" "$folder/err"; then
    echo "FAILED: $1: exit $code, and it said:"
    cat "$folder/err"
    failed=1
  fi
}

if [[ -e /dev/full ]]; then
  "$program" roofline --hw m2090 >/dev/full 2>"$folder/err"
  expect "stdout is full" "cannot be written"
  "$program" roofline --hw m2090 --intensity 1:100000 --format csv >/dev/full 2>"$folder/err"
  expect "stdout is full in the middle" "cannot be written"
  "$program" roofline --hw m2090 --format json -o /dev/full 2>"$folder/err"
  expect "the file is full" "No space left on device"
fi

(ulimit -f 100; exec "$program" transfer --hw h200 --bytes 1:100000:1 -o "$folder/long.csv") 2>"$folder/err"
expect "the file may not grow" "File too large"
if compgen -G "$folder/.perfmodel-*" >/dev/null || [[ -e $folder/long.csv ]]; then
  echo "FAILED: the file may not grow: something of it is left"
  failed=1
fi

# What the limit meets, rendering, JSON, a file that is read, differs from limit to limit.
if [[ ${2:-} != no-memory-limit ]]; then
  "$program" roofline --hw m2090 --intensity 1:200000 -o "$folder/large.json" || exit 1
  # What the libraries take before main begins differs from machine to machine.
  bare=40
  until (
    ulimit -v $((bare << 10))
    exec "$program" --version
  ) >/dev/null 2>&1; do
    ((bare += 10))
    if ((bare > 2000)); then
      echo "FAILED: it does not start in 2000 MiB"
      exit 1
    fi
  done
  for more in 10 150 250 350; do
    mebibytes=$((bare + more))
    for question in "roofline --hw m2090 --intensity 1:300000 --format json" \
      "roofline --hw m2090 --intensity 1:2000000 --format csv" \
      "compare $folder/large.json $folder/large.json" \
      "roofline --hw m2090 --intensity 1:5000000"; do
      # shellcheck disable=SC2086
      (ulimit -v $((mebibytes << 10)); exec "$program" $question) >/dev/null 2>"$folder/err"
      code=$?
      [[ $code == 0 ]] && continue # enough
      (exit $code)
      expect "$mebibytes MiB for $question" "not enough memory"
    done
  done
fi
exit $failed
