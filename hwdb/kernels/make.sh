#!/bin/sh
# What the compiler makes of the kernels that the ladders launch, of the templates and of the collection: FAMILY/9.0.sass and
# FAMILY/9.0.ptx of this folder, of all families or of those named. Both come of the same sources with the same flags. Without
# cuobjdump, which the toolkit has, the PTX alone. Of the collection, which nobody compares with its PTX, there is none.
#   hwdb/kernels/make.sh [FAMILY ..]
# shellcheck disable=SC2086,SC2048 # flags are several words
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
root=$folder/../..
flags="-O3 -arch=sm_90a"
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
compiler="nvcc $(nvcc --version | sed -n 's/.*, V//p') $flags"

# SOURCE.. as one listing FAMILY/9.0.sass: the family, parts of the names of its functions, and the sources.
make_sass() {
  family=$1 names=$2
  shift 2
  command -v cuobjdump > /dev/null || return 0
  for source in "$@"; do
    nvcc $flags -std=c++20 -I"$root" -c "$source" -o "$made/$family.o"
    cuobjdump -elf -sass "$made/$family.o"
  done > "$made/$family.elf"
  awk -v compiler="$compiler" -v names="$names" -f "$folder/functions.awk" "$made/$family.elf" > "$made/9.0.sass"
  mkdir -p "$folder/$family"
  mv "$made/9.0.sass" "$folder/$family/"
}

# The family, its source, and parts of the names of its functions.
make_family() {
  source=$root/kernels/$2
  nvcc $flags -std=c++20 -I"$root" -ptx "$source" -o "$made/$1.ptx"
  awk -v compiler="$compiler" -v names="$3" -f "$folder/ptx.awk" "$made/$1.ptx" > "$made/9.0.ptx"
  make_sass "$1" "$3" "$source"
  mv "$made/9.0.ptx" "$folder/$1/"
}

for family in ${*:-collection matmul memory-parallelism pi reduction suffix-sums templates transpose}; do
  case $family in
  collection) make_sass collection "10collection" "$root"/kernels/collection/*.cu ;;
  matmul) make_family matmul probes/ladders/matmul.cu "matmul_naive matmul_tiled matmul_whole_tiles matmul_register_tiled" ;;
  memory-parallelism)
    make_family memory-parallelism probes/concurrency/memory_parallelism.cu "copy_words"
    ;;
  pi) make_family pi probes/ladders/pi.cu "sum_points sum_blocks" ;;
  reduction) make_family reduction probes/ladders/reduction.cu "sum_" ;;
  suffix-sums) make_family suffix-sums probes/ladders/suffix_sums.cu "scan_once scan_again" ;;
  templates) make_family templates templates/run.cu "templates" ;;
  transpose) make_family transpose probes/ladders/transpose.cu "through_shared through_boxes direct vectorised" ;;
  *) echo "make.sh: no family is named $family" >&2; exit 2 ;;
  esac
done
