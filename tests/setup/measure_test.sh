#!/usr/bin/env bash
# What the program does when it is to measure and has no kernels, on a machine whose driver is made up: it is not asked
# to build where there is no GPU, and starts what has the kernels where there is one. The same of capture, where a
# shell's script stands in for a program with what is injected into it. Nothing is compiled.
# Usage: measure_test.sh PROGRAM FAKE_DRIVER_FOLDER CASE; ctest runs every test_* below.
set -euo pipefail
program=$1 driver=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export LD_LIBRARY_PATH=$driver FAKE_GPU=9.0
unset PERFMODEL_LAUNCHER PERFMODEL_CAPTURE CUDA_INJECTION64_PATH
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
  for command in 'measure' 'measure fma-rate --quick' 'hw detect' 'capture -o a -- ./app'; do
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

# A program of two processes: each writes down what it launched, says something, and the last word is its exit.
app() { # what the script does at last
  cat >app <<'SCRIPT'
#!/bin/sh
caught() { printf 'perfmodel-launches/1\ngpu NVIDIA Imagined\ncapability 9.0\nkernel f\ngrid 4 1 1\nblock 32 1 1\ncount %s\ntimes %s %s %s\n' "$@"; }
caught 2 2 10 11 >"$PERFMODEL_CAPTURE_FOLDER/1-1.launches"
caught 5 5 9 12 >"$PERFMODEL_CAPTURE_FOLDER/2-2.launches"
echo "injected ${CUDA_INJECTION64_PATH##*/}, given $# words, the last: $2"
echo complains >&2
SCRIPT
  echo "$1" >>app
  chmod +x app
}

test_capture_passes_the_programs_output_and_exit_code_on() {
  export PERFMODEL_CAPTURE=$driver/libcuda.so.1
  app 'exit 7'
  ask capture -o 'a file' -- ./app --help 'two words'
  expect status "$status" 7
  expect stdout "$out" 'injected libcuda.so.1, given 2 words, the last: two words'
  expect stderr "$err" $'complains\nperfmodel: 1 distinct launch of 1 kernel in a file'
  local line
  for line in '"command": "./app --help two words"' '"kernel": "f"' '"count": 7' '"least_ns": 9' '"median_ns": 12'; do
    grep -qF "$line" 'a file' || expect 'the file' "$(<'a file')" "a line with $line"
  done
  app 'kill -SEGV $$'
  ask capture -o file -- ./app a b
  expect 'status of a crash' "$status" 139
  grep -qF '"count": 7' file || expect 'the file of a crash' "$(<file)" '7 launches'
}

test_a_program_without_kernels_is_captured_as_such() {
  export PERFMODEL_CAPTURE=$driver/libcuda.so.1
  ask capture -o file -- true
  expect status "$status" 0
  expect stderr "$err" 'perfmodel: the program launched no kernel; file says so'
  grep -qF '"launches": []' file || expect 'the file' "$(<file)" 'no launches'
}

test_what_capture_cannot_start_or_load_is_said_in_a_sentence() {
  export PERFMODEL_CAPTURE=$driver/libcuda.so.1
  ask capture -o file -- ./none
  expect status "$status" 2
  expect stderr "$err" "perfmodel: './none' cannot be started: No such file or directory"
  echo 'no library' >library
  PERFMODEL_CAPTURE=$scratch/library ask capture -o file -- true
  expect status "$status" 3
  expect stderr "$err" "perfmodel: what capture injects cannot be loaded: $scratch/library: file too short"
  [[ ! -e file ]] || expect 'the file' 'is there' 'is not'
}

test_capture_has_its_library_built_by_the_launcher_or_beside_it() {
  ask capture -o file -- true
  expect status "$status" 3
  expect stderr "$err" \
    'perfmodel: what capture injects is not built: with the CUDA toolkit (nvcc) there, configure with -DPERFMODEL_CUDA=ON and build'
  cp "$driver/libcuda.so.1" perfmodel-capture.so
  ask capture -o file -- true
  expect 'status with it beside the program' "$status" 0
  export PERFMODEL_LAUNCHER=$scratch/launcher
  starts launcher launched
  ask capture -o 'a file' -- ./app '' --help
  expect status "$status" 7
  expect stdout "$out" $'launched\n--capture\ncapture\n-o\na file\n--\n./app\n\n--help'
}

if [[ $(type -t "${3-}") != function || $3 != test_* ]]; then
  echo "usage: measure_test.sh PROGRAM FAKE_DRIVER_FOLDER CASE, one of:" >&2
  declare -F | sed -n 's/^declare -f test_/  test_/p' >&2
  exit 2
fi
"$3"
