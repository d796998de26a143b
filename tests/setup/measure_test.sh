#!/usr/bin/env bash
# What the program does when it is to measure and has no kernels, on a machine whose driver is made up: it is not asked
# to build where there is no GPU, and starts what has the kernels where there is one. Nothing is compiled.
# Usage: measure_test.sh PROGRAM FAKE_DRIVER_FOLDER CASE; ctest runs every test_* below.
set -euo pipefail
program=$1 driver=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export LD_LIBRARY_PATH=$driver FAKE_GPU=9.0
unset PERFMODEL_LAUNCHER
cp "$program" "$scratch/perfmodel"
cd "$scratch"

starts() { # name, what it says
  printf '#!/bin/sh\nprintf "%%s\\n" "%s" "$@"\nexit 7\n' "$2" >"$scratch/$1"
  chmod +x "$scratch/$1"
}

ask() { # leaves out, err, status
  status=0
  ./perfmodel "$@" >out 2>err || status=$?
  out=$(<out) err=$(<err)
}

expect() { # what, actual, expected
  if [[ $2 == "$3" ]]; then return; fi
  printf '%s:\n  expected: %s\n  actual:   %s\n' "$1" "$3" "$2"
  exit 1
}

test_without_a_gpu_nothing_is_built() {
  export FAKE_GPU='' PERFMODEL_LAUNCHER=$scratch/launcher
  starts launcher launched
  starts perfmodel-measure started
  local command
  for command in 'measure' 'measure fma-rate --quick' 'hw detect'; do
    # shellcheck disable=SC2086 # words
    ask $command
    expect "status of $command" "$status" 3
    expect "stdout of $command" "$out" ''
    expect "stderr of $command" "$err" \
      'perfmodel: no NVIDIA GPU to measure on; the driver says: no CUDA-capable device is detected'
  done
}

test_the_launcher_builds_for_the_gpu_that_is_there() {
  export PERFMODEL_LAUNCHER=$scratch/launcher FAKE_GPU=8.6
  starts launcher launched
  ask measure 'fma-rate' --quick -o 'a run.json'
  expect status "$status" 7
  expect stdout "$out" $'launched\n--measure-on\n8.6\nmeasure\nfma-rate\n--quick\n-o\na run.json'
  expect stderr "$err" ''
}

test_the_program_beside_it_measures() {
  starts perfmodel-measure started
  ask measure --quick
  expect status "$status" 7
  expect stdout "$out" $'started\nmeasure\n--quick'
  ask measure --list
  expect 'the list' "$out" $'started\nmeasure\n--list'
}

test_a_build_without_kernels_says_how_to_get_them() {
  ask measure
  expect status "$status" 3
  expect stdout "$out" ''
  expect stderr "$err" 'perfmodel: the microkernels are not built: with the CUDA toolkit (nvcc) there, configure with -DPERFMODEL_CUDA=ON and build'
}

test_a_wrong_option_is_refused_before_anything_is_built() {
  export PERFMODEL_LAUNCHER=$scratch/launcher
  starts launcher launched
  local command
  for command in 'measure --quikc' 'measure -o run.csv' 'measure --hw h20000'; do
    # shellcheck disable=SC2086 # words
    ask $command
    expect "status of $command" "$status" 2
    expect "stdout of $command" "$out" ''
  done
}

test_a_gpu_too_old_for_the_kernels_is_named() {
  export PERFMODEL_LAUNCHER=$scratch/launcher FAKE_GPU=6.1
  starts launcher launched
  ask measure
  expect status "$status" 3
  expect stderr "$err" \
    'perfmodel: the microkernels need a GPU of compute capability 7.5 or later; NVIDIA Imagined has 6.1'
}

# The numbers of the made-up driver, worked by hand: 2 x 3201 MHz x 768 B = 4.917 TB/s.
test_a_gpu_is_described_without_kernels() {
  ask hw detect
  expect status "$status" 0
  expect stderr "$err" ''
  local line
  for line in 'title: "NVIDIA Imagined"' 'architecture: "9.0"' 'sm_count: {value: 132,' 'clock.boost: {value: 1980000000 Hz' \
    'dram.bandwidth: {value: 4916736000000 B/s' 'dram.size: {value: 153545080832 B' 'max_warps_per_sm: {value: 64,' \
    'max_blocks_per_sm: {value: 32,' 'registers_per_sm: {value: 65536,' 'shared.per_sm: {value: 233472 B' \
    'shared.per_block_optin: {value: 232448 B' 'shared.reserved: {value: 1024 B'; do
    grep -qF "$line" out || expect 'the description' "$out" "a line with $line"
  done
}

if [[ $(type -t "${3-}") != function || $3 != test_* ]]; then
  echo "usage: measure_test.sh PROGRAM FAKE_DRIVER_FOLDER CASE, one of:" >&2
  declare -F | sed -n 's/^declare -f test_/  test_/p' >&2
  exit 2
fi
"$3"
