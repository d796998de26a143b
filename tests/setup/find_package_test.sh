#!/usr/bin/env bash
# A project of somebody else's finds an installed perfmodel, compiles and links with it, and gets the same answer as
# from the program, also after the installed tree was moved.
# Usage: find_package_test.sh BUILD_DIR
set -euo pipefail
build_dir=$1
example=$(cd "$(dirname "$0")/find_package" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset PERFMODEL_HWDB
cd "$scratch"

DESTDIR='' cmake --install "$build_dir" --prefix "$scratch/first" >/dev/null
mv first prefix
cmake -S "$example" -B build -DCMAKE_PREFIX_PATH="$scratch/prefix" -DCMAKE_CXX_FLAGS=-O0 >log 2>&1 ||
  { cat log; exit 1; }
grep -q "perfmodel_DIR:PATH=$scratch/prefix/" build/CMakeCache.txt
cmake --build build >log 2>&1 || { cat log; exit 1; }

# What it links to is not of this build.
if grep -rF "$build_dir" prefix/lib*; then
  echo 'the package names the build folder'
  exit 1
fi
build/example h200 >answer
prefix/bin/perfmodel occupancy --hw h200 --threads '64:1024:*2' -o ours.csv
# The sentences at its beginning, behind which the first table's title stands.
sed -n '/^#/!q; s/^# //p' ours.csv | sed '$d' >ours
[[ -s answer ]] || { echo 'the example says nothing'; exit 1; }
diff answer ours
grep -q '</svg>' occupancy.svg
# Its data are those of the tree that was found.
sed -i 's/^title: .*/title: found in the prefix/' prefix/share/perfmodel/hwdb/gpus/m2090.yaml
rm prefix/share/perfmodel/hwdb/gpus/h200.yaml
if build/example h200 >/dev/null 2>&1; then
  echo 'the example reads other data than those that were installed with it'
  exit 1
fi
build/example m2090 >/dev/null
