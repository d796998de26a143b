#!/bin/sh
# What the compiler makes of the kernels that the ladders launch, and of the templates: FAMILY/9.0.sass and FAMILY/9.0.ptx of this folder, of
# all families or of those named. Both come of one source with the same flags. Without cuobjdump, which the toolkit has,
# the PTX alone.
#   hwdb/kernels/make.sh [FAMILY ..]
# shellcheck disable=SC2086,SC2048 # flags are several words
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
root=$folder/../..
flags="-O3 -arch=sm_90a"
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
compiler="nvcc $(nvcc --version | sed -n 's/.*, V//p') $flags"

# The family, its source, and parts of the names of its functions.
make_family() {
  source=$root/kernels/$2
  nvcc $flags -std=c++20 -I"$root" -ptx "$source" -o "$made/$1.ptx"
  awk -v compiler="$compiler" -v names="$3" -f "$folder/ptx.awk" "$made/$1.ptx" > "$made/9.0.ptx"
  if command -v cuobjdump > /dev/null; then
    nvcc $flags -std=c++20 -I"$root" -c "$source" -o "$made/$1.o"
    cuobjdump -elf -sass "$made/$1.o" > "$made/$1.elf"
    awk -v compiler="$compiler" -v names="$3" -f "$folder/functions.awk" "$made/$1.elf" > "$made/9.0.sass"
    mv "$made/9.0.sass" "$folder/$1/"
  fi
  mv "$made/9.0.ptx" "$folder/$1/"
}

for family in ${*:-matmul memory-parallelism pi reduction suffix-sums templates transpose}; do
  case $family in
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
