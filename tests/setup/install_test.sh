#!/usr/bin/env bash
# An installed perfmodel finds its hardware files: where it was installed, after a move, and where it is told to look.
# Usage: install_test.sh SOURCE_DIR BUILD_DIR
set -euo pipefail
source_dir=$1 build_dir=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset PERFMODEL_HWDB
cd /

answers() { # what, command...: it lists the GPUs and answers a roofline
  local what=$1
  shift
  "$@" hw list 2>&1 | grep -qw m2090 || { echo "$what: 'hw list' does not show m2090"; "$@" hw list; exit 1; }
  "$@" roofline --hw m2090 >/dev/null || { echo "$what: 'roofline --hw m2090' fails"; exit 1; }
}

answers 'in the build tree' "$build_dir/cli/perfmodel"

prefix="$scratch/a prefix"
DESTDIR='' cmake --install "$build_dir" --prefix "$prefix" >/dev/null
ls "$prefix/share/perfmodel/hwdb/gpus/m2090.yaml" "$prefix/bin/perfmodel" >/dev/null
answers 'installed' "$prefix/bin/perfmodel"
