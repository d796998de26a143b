#!/usr/bin/env bash
# keep.sh PROGRAM: computes what is kept here anew, with a built perfmodel: the predictions of validate, and their
# errors. Takes minutes.
# keep.sh PROGRAM bands: how many rows lie inside the bands, from what is kept. Takes ten minutes of a core a GPU.
set -euo pipefail
program=$(realpath "$1")
cd "$(dirname "$0")/.."
what=(--keep) questions=("h200" "h100-sxm" "h100-sxm --hide all" "m2090" "gtx280" "gtx260")
[[ ${2:-} != bands ]] || what=(--bands --keep) questions=("h200" "h100-sxm" "m2090" "gtx280" "gtx260")
running=()
for question in "${questions[@]}"; do
  # shellcheck disable=SC2086 # several words
  PERFMODEL_HWDB=$PWD "$program" validate --hw $question "${what[@]}" >/dev/null &
  running+=($!)
done
for one in "${running[@]}"; do
  wait "$one" || [[ $? == 1 ]] # rows out of tolerance
done
