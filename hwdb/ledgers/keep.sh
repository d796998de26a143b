#!/usr/bin/env bash
# keep.sh PROGRAM: computes what is kept here anew, with a built perfmodel: the predictions of validate and their
# errors, then how many rows lie inside the bands. Takes minutes, the bands longest; with PERFMODEL_NO_BANDS=1 in
# the environment these are left as they are.
set -euo pipefail
program=$(realpath "$1")
cd "$(dirname "$0")/.."
keep() {
  local running=() question one
  for question in "h200" "h100-sxm" "h100-sxm --hide all" "m2090" "gtx280" "gtx260"; do
    # shellcheck disable=SC2086 # several words
    PERFMODEL_HWDB=$PWD "$program" validate --hw $question --keep "$@" >/dev/null &
    running+=($!)
  done
  for one in "${running[@]}"; do
    wait "$one" || [[ $? == 1 ]] # rows out of tolerance
  done
}
keep
[[ ${PERFMODEL_NO_BANDS:-} ]] || keep --bands # from the errors of all
