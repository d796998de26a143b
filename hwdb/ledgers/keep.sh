#!/usr/bin/env bash
# keep.sh PROGRAM: computes the ledgers that are kept here anew, with a built perfmodel. Takes some minutes of each core.
set -euo pipefail
program=$1
cd "$(dirname "$0")/.."
for question in "h200" "h100-sxm" "h100-sxm --hide all" "m2090" "gtx280"; do
  # shellcheck disable=SC2086 # several words
  PERFMODEL_HWDB=$PWD "$program" validate --hw $question --summary --keep >/dev/null || [[ $? == 1 ]] # 1: out of tolerance
done
