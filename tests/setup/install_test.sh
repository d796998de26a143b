#!/usr/bin/env bash
# An installed perfmodel finds its hardware files: where it was installed, after a move, and where it is told to look.
# Every copy of the files carries a title of its own, so the answer shows which one was read.
# Usage: install_test.sh BUILD_DIR
set -euo pipefail
build_dir=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset PERFMODEL_HWDB
cd /

mark() { # hwdb folder, title
  sed -i "s/^title: .*/title: $2/" "$1/gpus/m2090.yaml"
}

shows() { # title, command...
  local title=$1 out
  shift
  out=$("$@" 2>&1) && grep -qF "$title" <<<"$out" && return
  printf "no '%s' in the output of %s:\n%s\n" "$title" "$*" "$out"
  exit 1
}

prefix="$scratch/a prefix"
DESTDIR='' cmake --install "$build_dir" --prefix "$prefix" >/dev/null
mark "$prefix/share/perfmodel/hwdb" 'in the prefix'
grep -q perfmodel-result/1 "$prefix/share/perfmodel/result.schema.json"
mkdir "$scratch/elsewhere"
cp -r "$prefix/share/perfmodel/hwdb" "$scratch/by variable"
mark "$scratch/by variable" 'by variable'
cp -r "$prefix/share/perfmodel/hwdb" "$scratch/by option"
mark "$scratch/by option" 'by option'

shows 'NVIDIA Tesla M2090' "$build_dir/cli/perfmodel" hw show m2090
shows 'in the prefix' "$prefix/bin/perfmodel" hw show m2090
"$prefix/bin/perfmodel" roofline --hw m2090 >/dev/null

mv "$prefix" "$scratch/elsewhere"
moved="$scratch/elsewhere/a prefix/bin/perfmodel"
shows 'in the prefix' "$moved" hw show m2090
ln -s "$moved" "$scratch/link"
shows 'in the prefix' "$scratch/link" hw show m2090
shows 'by variable' env PERFMODEL_HWDB="$scratch/by variable" "$moved" hw show m2090
shows 'by option' env PERFMODEL_HWDB="$scratch/by variable" "$moved" hw --hwdb "$scratch/by option" show m2090
