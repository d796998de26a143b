#!/usr/bin/env bash
# keep.sh PROGRAM: computes the predictions that are kept here anew, with a built perfmodel. Takes minutes.
set -euo pipefail
program=$(realpath "$1")
cd "$(dirname "$0")/.."
running=()
for question in "h200" "h100-sxm" "h100-sxm --hide all" "m2090" "gtx280" "gtx260"; do
  # shellcheck disable=SC2086 # several words
  PERFMODEL_HWDB=$PWD "$program" validate --hw $question --keep >/dev/null &
  running+=($!)
done
for one in "${running[@]}"; do
  wait "$one" || [[ $? == 1 ]] # rows out of tolerance
done
