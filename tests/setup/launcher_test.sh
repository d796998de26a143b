#!/usr/bin/env bash
# Tests of the launcher, each in a made-up checkout on a made-up machine: PATH holds the base system's tools and stand-ins
# for cmake, ctest, apt-get, pkg-config and id that note how they were called. Nothing is installed or compiled.
# Usage: launcher_test.sh CASE; ctest runs every test_* below.
# shellcheck disable=SC2016 # the stand-ins expand their own variables
set -euo pipefail

launcher=$(cd "$(dirname "$0")/../.." && pwd)/perfmodel
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
chmod 755 "$scratch"
unset DEBIAN_FRONTEND CUDACXX CUDA_HOME CUDA_PATH LD_LIBRARY_PATH
checkout="$scratch/a checkout"
tools=$scratch/tools
calls=$scratch/calls

stand_in() { # name, body
  printf '#!/bin/sh\n%s\n' "$2" >"$tools/$1"
  chmod +x "$tools/$1"
}

missing() { # these packages' modules are missing until apt-get has installed something
  stand_in pkg-config "[ -e '$scratch/installed' ] || case \$2 in $1) exit 1 ;; esac"
}

machine() {
  mkdir -p "$checkout"/{models,hwdb/facts,kernels/probes,plots,cli} "$tools"
  touch "$calls" "$checkout"/{CMakeLists.txt,CMakePresets.json,models/a.cpp,models/b.cpp,hwdb/facts/sm.yaml}
  touch "$checkout"/kernels/probes/{a,b,c}.cu
  chmod 777 "$checkout" "$scratch" "$calls"
  # Whether this machine has a GPU is nothing to the made-up one, which has.
  sed -e "s:/dev/nvidia:$scratch&:g; s:/dev/dxg:$scratch&:; s:/sbin/ldconfig:$scratch&:" \
    -e "s:/usr/lib\\|/usr/local/cuda/compat:$scratch&:g" "$launcher" >"$checkout/perfmodel"
  chmod 755 "$checkout/perfmodel"
  mkdir -p "$scratch"/{dev,sbin,usr/lib/wsl/lib}
  touch "$scratch/dev/nvidiactl"
  find "$checkout" -exec touch -d '1 hour ago' {} +
  local tool
  for tool in sh bash cat mkdir find flock tail mv readlink touch rmdir sleep setsid sed grep wc tr date; do
    ln -s "$(command -v "$tool")" "$tools/$tool"
  done
  stand_in nproc 'echo 2'
  stand_in dpkg ''
  stand_in make ''
  stand_in c++ ''
  stand_in id 'echo 1000'
  missing none
  stand_in ctest "echo \"ctest \$*\" >>'$calls'; echo '100% tests passed'; exit 7"
  stand_in apt-get "cat >/dev/null; echo \"apt-get \$* (\$DEBIAN_FRONTEND)\" >>'$calls'; echo 'apt-get speaks'
    case \$1 in install) : >'$scratch/installed' ;; esac"
  # --build leaves a program that shows what it was given and exits with its argument.
  cat >"$scratch/program" <<'PROGRAM'
#!/bin/sh
if [ "$1" = cat ]; then exec cat; fi
# It finds a GPU of this compute capability, and measures in a program of its own.
if [ "$1" = measure ] && [ "${0##*/}" = perfmodel ]; then exec "$PERFMODEL_LAUNCHER" --measure-on "${GPU-9.0}" "$@"; fi
if [ "$1" = measure ]; then echo "measured by ${0##*/}"; fi
if [ "$1" = capture ] && [ -z "${PERFMODEL_CAPTURE-}" ]; then exec "$PERFMODEL_LAUNCHER" --capture "$@"; fi
if [ "$1" = capture ]; then echo "injected: ${PERFMODEL_CAPTURE##*/}"; fi
printf '%s\n' "in $PWD" "$@"
case $1 in [0-9]) exit "$1" ;; esac
PROGRAM
  chmod 755 "$scratch/program"
  stand_in cmake "cat >/dev/null; echo \"cmake \$*\" >>'$calls'; echo 'cmake speaks'; echo 'cmake complains' >&2
    mkdir '$scratch/building' || { echo 'two builds at once' >>'$calls'; exit 1; }
    if [ \"\$1\" = --build ]; then
      case \$4 in
        perfmodel_measure) built=perfmodel-measure ;;
        perfmodel_capture) built=perfmodel-capture.so ;;
        *) built=perfmodel ;;
      esac
      mkdir -p \"\$2/cli\" && cat '$scratch/program' >\"\$2/cli/\$built\" && chmod +x \"\$2/cli/\$built\" && : >\"\$2/Makefile\"
    fi
    rmdir '$scratch/building'"
  ln -s "$(command -v chmod)" "$tools/chmod"
}

status=0
start() { # runs the launcher; leaves its output in $out and $err, its exit code in $status
  status=0
  PATH=$tools "${as[@]}" "${command[@]}" "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
  out=$(<"$scratch/out") err=$(<"$scratch/err")
}
command=("$checkout/perfmodel")
as=()

edit() { # a source, after the build and before now
  touch -d '1 minute ago' "$checkout/build/release/.built"
  touch -d '30 seconds ago' "$checkout/models/a.cpp"
}

builds() { grep -c -- '--build' "$calls" || true; }

expect() { # what, actual, expected
  if [[ $2 == "$3" ]]; then return; fi
  printf '%s:\n  expected: %s\n  actual:   %s\n' "$1" "$3" "$2"
  exit 1
}
expect_match() { # what, actual, pattern
  # shellcheck disable=SC2053 # the pattern is meant as one
  if [[ $2 == $3 ]]; then return; fi
  printf '%s:\n  expected like: %s\n  actual:        %s\n' "$1" "$3" "$2"
  exit 1
}

test_first_start_builds_and_only_the_program_writes_to_stdout() {
  cd /
  start roofline --hw m2090
  expect status "$status" 0
  expect stdout "$out" $'in /\nroofline\n--hw\nm2090'
  expect_match stderr "$err" '*building*'
  expect 'what cmake was asked' "$(<"$calls")" "cmake -S $checkout --preset release -DBUILD_TESTING=OFF
cmake --build $checkout/build/release --target perfmodel --parallel 2"
}

test_second_start_builds_nothing_and_says_nothing() {
  start
  start
  expect stderr "$err" ''
  expect builds "$(builds)" 1
}

test_a_changed_an_added_and_a_removed_source_are_built() {
  start
  edit
  start
  expect 'builds after a change' "$(builds)" 2
  rm "$checkout/models/b.cpp"
  start
  expect 'builds after a removal' "$(builds)" 3
}

test_a_tab_is_answered_by_what_is_built_and_builds_nothing() {
  start completion --words roof
  expect 'status, before the first start' "$status" 0
  expect 'stdout, before the first start' "$out" ''
  expect builds "$(builds)" 0
  start
  edit
  start completion --words roof
  expect_match stdout "$out" $'in *\ncompletion\n--words\nroof'
  expect stderr "$err" ''
  expect 'builds after a change' "$(builds)" 1
}

test_a_source_changed_while_building_is_built_again() {
  sed -i "2i sleep 0.05; touch '$checkout/models/a.cpp'" "$tools/cmake"
  start
  start
  expect builds "$(builds)" 2
}

test_arguments_exit_code_and_input_are_the_programs() {
  local code
  for code in 0 1 2 3; do
    start "$code" 'two words' '' '*'
    expect status "$status" "$code"
    expect stdout "$out" "in $PWD"$'\n'"$code"$'\ntwo words\n\n*'
  done
  start cat <<<'typed in'
  expect stdout "$out" 'typed in'
}

test_input_survives_the_first_start() {
  missing fmt
  stand_in id 'echo 0'
  start cat <<<'typed in'
  expect stdout "$out" 'typed in'
}

test_starts_through_a_link_through_path_and_through_sh() {
  mkdir "$scratch/bin"
  ln -s '../a checkout/perfmodel' "$scratch/bin/pm"
  command=("$scratch/bin/pm") && start 0
  expect 'status through a link' "$status" 0
  ln -s "$checkout/perfmodel" "$tools/perfmodel"
  command=(perfmodel) && start 0
  expect 'status through PATH' "$status" 0
  cd "$checkout"
  command=(sh perfmodel) && start 0
  expect 'status through sh' "$status" 0
  expect builds "$(builds)" 1
}

test_without_root_one_sentence_says_what_to_run() {
  missing 'fmt|yaml-cpp'
  start
  expect status "$status" 3
  expect stdout "$out" ''
  expect stderr "$err" "perfmodel: to install what is missing, run: sudo apt-get update && \
sudo apt-get install -y --no-install-recommends libfmt-dev libyaml-cpp-dev"
  expect 'calls' "$(<"$calls")" ''
}

test_on_another_system_one_sentence_names_the_packages() {
  missing fmt
  rm "$tools/apt-get" "$tools/c++"
  start
  expect status "$status" 3
  expect stdout "$out" ''
  expect stderr "$err" 'perfmodel: this is not a Debian-like system; please install what Debian calls g++ libfmt-dev'
}

test_on_another_system_with_everything_there_it_builds() {
  rm "$tools/apt-get"
  start 0
  expect status "$status" 0
}

test_root_installs_only_what_is_missing() {
  missing 'fmt|yaml-cpp'
  stand_in id 'echo 0'
  start 0
  expect status "$status" 0
  expect stdout "$out" "in $PWD"$'\n0'
  expect 'apt-get calls' "$(grep apt-get "$calls")" "apt-get update -q (noninteractive)
apt-get install -q -y --no-install-recommends -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 libfmt-dev libyaml-cpp-dev (noninteractive)"
}

test_root_with_nothing_missing_leaves_apt_alone() {
  stand_in id 'echo 0'
  start 0
  expect status "$status" 0
  expect 'apt-get calls' "$(grep -c apt-get "$calls" || true)" 0
}

test_a_failed_installation_is_shown() {
  missing fmt
  stand_in id 'echo 0'
  stand_in apt-get 'case $1 in install) echo "E: no such package" >&2; exit 100 ;; esac'
  start
  expect status "$status" 3
  expect stdout "$out" ''
  expect_match stderr "$err" "*E: no such package*$checkout/build/release/setup.log"
  expect builds "$(builds)" 0
}

test_old_package_lists_serve_when_they_cannot_be_refreshed() {
  missing fmt
  stand_in id 'echo 0'
  sed -i '2i if [ "$1" = update ]; then echo "E: no network" >&2; exit 100; fi' "$tools/apt-get"
  start 0
  expect status "$status" 0
  expect_match stderr "$err" '*E: no network*'
}

test_a_failed_build_is_shown_and_tried_again() {
  cp "$tools/cmake" "$scratch/good"
  stand_in cmake 'echo "the error"; exit 2'
  start
  expect status "$status" 3
  expect stdout "$out" ''
  expect_match stderr "$err" "*the error*$checkout/build/release/setup.log"
  cp "$scratch/good" "$tools/cmake"
  start 0
  expect status "$status" 0
}

test_a_failed_rebuild_does_not_run_the_old_program() {
  start 0
  edit
  stand_in cmake 'exit 2'
  start 0
  expect status "$status" 3
  start 0
  expect 'status the second time' "$status" 3
}

test_first_starts_at_once_build_once() {
  sed -i '2i sleep 0.2' "$tools/cmake"
  local i
  for i in 1 2 3 4; do
    PATH=$tools "$checkout/perfmodel" 0 >"$scratch/out$i" 2>/dev/null || echo "start $i failed" >>"$calls" &
  done
  wait
  expect 'calls' "$(grep -v '^cmake' "$calls")" ''
  expect builds "$(builds)" 1
  expect 'outputs' "$(cat "$scratch"/out[1-4] | grep -c '^0$')" 4
}

test_the_lock_ends_with_the_set_up() {
  sed -i '2i if [ "$1" = 5 ]; then sleep 5; fi' "$scratch/program"
  PATH=$tools "$checkout/perfmodel" 5 2>/dev/null &
  local running=$!
  until [[ -e "$checkout/build/release/.built" ]]; do sleep 0.01; done
  edit
  SECONDS=0
  start 0
  kill "$running"
  expect builds "$(builds)" 2
  expect 'waited for a running program' "$((SECONDS >= 4))" 0
}

test_a_moved_checkout_is_configured_afresh() {
  start 0
  mv "$checkout" "$scratch/moved"
  command=("$scratch/moved/perfmodel")
  start 0
  expect status "$status" 0
  expect 'configured' "$(grep -c -- "cmake -S $scratch/moved --preset release --fresh" "$calls")" 1
  start 0
  expect builds "$(builds)" 2
}

test_a_folder_that_cannot_be_written_is_named() {
  chmod 555 "$checkout"
  if [[ $EUID == 0 ]]; then as=("$(command -v setpriv)" --reuid=65534 --regid=65534 --clear-groups); fi
  start
  expect status "$status" 3
  expect stderr "$err" "perfmodel: cannot write to $checkout/build/release, where the program is built"
}

test_the_tests_are_built_run_by_ctest_and_its_exit_code_returned() {
  start test -R units
  expect status "$status" 7
  expect stdout "$out" '100% tests passed'
  expect 'calls' "$(<"$calls")" "cmake -S $checkout --preset release -DBUILD_TESTING=ON
cmake --build $checkout/build/release --target all --parallel 2
ctest --test-dir $checkout/build/release --output-on-failure --no-tests=error --parallel 2 -R units"
  start 0
  expect 'builds after the tests' "$(builds)" 1
}

test_the_long_tests_run_when_asked_for() {
  start test
  expect 'what ctest leaves out' "$(grep -c -- '--parallel 2 --label-exclude long$' "$calls")" 1
  expect 'what is built' "$(grep -c -- '--target quick_tests ' "$calls")" 1
  start test all
  expect 'what else is built' "$(grep -c -- '--target all ' "$calls")" 1
  expect 'runs of every test' "$(grep -c -- '--parallel 2$' <(grep '^ctest' "$calls"))" 1
}

test_only_the_tests_need_the_test_libraries() {
  missing gtest
  start 0
  expect status "$status" 0
  start test
  expect status "$status" 3
  expect_match stderr "$err" '*install -y --no-install-recommends libgtest-dev'
}

test_a_changed_fact_is_built() {
  start
  touch -d '1 minute ago' "$checkout/build/release/.built"
  touch -d '30 seconds ago' "$checkout/hwdb/facts/sm.yaml"
  start
  expect builds "$(builds)" 2
}

lock_is_free() { flock -n "$checkout/build/release/.lock" true; }
slow_build() { # cmake stays, with a compiler that it started and one in the background of that
  stand_in cmake "echo 'cmake is at work'
    sh -c 'sleep 60 & echo \$! >>\"$scratch/compilers\"; echo \$\$ >>\"$scratch/compilers\"; wait' &
    echo \$! >>'$scratch/compilers'
    until [ \$(wc -l <'$scratch/compilers') -ge 3 ]; do sleep 0.01; done
    : >'$scratch/at work'
    wait"
}
await() { # condition...; a minute is ctest's limit
  until "$@"; do sleep 0.02; done
}
alive() { # one of the slow build's processes; a zombie, which nobody may be there to collect, is none
  local pid
  while read -r pid; do
    if [[ -e /proc/$pid ]] && ! grep -qs '^State:.Z' "/proc/$pid/status"; then return; fi
  done <"$scratch/compilers"
  return 1
}
in_background() { # runs the launcher with the signals of a terminal's foreground; its PID in $!
  PATH=$tools "$(command -v env)" --default-signal=INT,QUIT "$checkout/perfmodel" "$@" >"$scratch/out" 2>"$scratch/err" &
}

test_a_signal_ends_the_build_with_the_start() {
  local number started
  cp "$tools/cmake" "$scratch/good"
  for number in 15 2 1 3; do
    slow_build
    : >"$scratch/compilers"
    rm -f "$scratch/at work"
    in_background 0
    started=$!
    await test -e "$scratch/at work"
    SECONDS=0
    kill "-$number" "$started"
    status=0
    wait "$started" || status=$?
    expect "status after signal $number" "$status" $((128 + number))
    if alive; then expect "after signal $number" 'a compiler lives' 'none does'; fi
    lock_is_free || expect "after signal $number" 'the lock is held' 'it is free'
    expect "seconds after signal $number" "$((SECONDS >= 4))" 0
    expect 'log' "$(<"$checkout/build/release/setup.log")" 'cmake is at work'
  done
  cp "$scratch/good" "$tools/cmake"
  start 0
  expect 'status of the next start' "$status" 0
}

test_a_signal_ends_what_ignores_it() {
  slow_build
  sed -i "2i trap '' TERM" "$tools/cmake"
  in_background 0
  local started=$!
  await test -e "$scratch/at work"
  kill "$started"
  status=0
  wait "$started" || status=$?
  expect status "$status" 143
  if alive; then expect 'after the signal' 'a compiler lives' 'none does'; fi
}

test_a_signal_ends_the_installation() {
  missing fmt
  stand_in id 'echo 0'
  slow_build
  mv "$tools/cmake" "$tools/apt-get"
  in_background 0
  local started=$!
  await test -e "$scratch/at work"
  kill "$started"
  wait "$started" || true
  if alive; then expect 'after the signal' 'apt-get lives' 'it does not'; fi
  expect builds "$(builds)" 0
}

test_the_lock_is_the_builds_too() {
  # Nothing can be done about SIGKILL; what it leaves running still keeps others out.
  sed -i "2i : >'$scratch/at work'; sleep 1" "$tools/cmake"
  in_background 0
  local started=$!
  await test -e "$scratch/at work"
  kill -9 "$started"
  wait "$started" || true
  start 0
  expect status "$status" 0
  expect_match stderr "$err" '*waiting for another start*'
  expect 'calls' "$(grep -v '^cmake' "$calls")" ''
}

test_a_start_that_waits_ends_at_once_when_told_to() {
  slow_build
  in_background 0
  local first=$!
  await test -e "$scratch/at work"
  in_background 0
  local second=$!
  await grep -q waiting "$scratch/err"
  SECONDS=0
  kill "$second"
  status=0
  wait "$second" || status=$?
  expect 'status of the one that waited' "$status" 143
  expect 'seconds' "$((SECONDS >= 4))" 0
  alive || expect 'the build' 'ended' 'goes on'
  kill "$first"
  wait "$first" || true
}

test_a_start_that_waited_leaves_the_log() {
  sed -i "2i : >'$scratch/at work'; sleep 0.3" "$tools/cmake"
  in_background 0
  await test -e "$scratch/at work"
  start 0
  wait
  expect_match stderr "$err" '*waiting for another start*'
  expect 'what cmake said' "$(grep -c 'cmake speaks' "$checkout/build/release/setup.log")" 2
}

test_a_start_that_waited_for_a_failure_adds_to_its_log() {
  stand_in cmake "echo 'the error'; : >'$scratch/at work'; sleep 0.3; exit 2"
  in_background 0
  await test -e "$scratch/at work"
  start 0
  wait
  expect status "$status" 3
  expect 'what cmake said' "$(grep -c 'the error' "$checkout/build/release/setup.log")" 2
}

test_a_server_that_the_build_started_does_not_hold_the_lock() {
  sed -i "2i setsid sleep 20 </dev/null >/dev/null 2>&1 & echo \$! >'$scratch/server'" "$tools/cmake"
  start 0
  lock_is_free || expect 'after the build' 'the lock is held' 'it is free'
  kill "$(<"$scratch/server")"
}

toolkit() { # a compiler for these architectures
  stand_in nvcc "printf '%s\n' $*"
}

test_the_kernels_are_built_when_something_is_measured() {
  toolkit sm_80 sm_90
  start 0
  expect 'built first' "$(builds)" 1
  start measure --quick
  expect status "$status" 0
  expect stdout "$out" "measured by perfmodel-measure
in $PWD
measure
--quick"
  expect_match stderr "$err" "perfmodel: building the microkernels for this GPU's compute capability, 9.0, once: 3 files \
of 8 s on 2 cores, at most some 1 min; output in $checkout/build/release/setup.log
perfmodel: built in * s"
  expect 'what cmake was asked' "$(tail -n 2 "$calls")" "cmake -S $checkout --preset release -DPERFMODEL_CUDA=ON \
-DCMAKE_CUDA_ARCHITECTURES=90-real
cmake --build $checkout/build/release --target perfmodel_measure --parallel 2"
  start measure
  expect 'stderr the second time' "$err" ''
  edit
  touch -d '1 minute ago' "$checkout/build/release/.built-measure"
  start 0
  expect 'builds after a change' "$(builds)" 3
  expect 'without the kernels' "$(tail -n 1 "$calls")" "cmake --build $checkout/build/release --target perfmodel --parallel 2"
  start measure
  expect 'builds of the kernels after a change' "$(grep -c perfmodel_measure "$calls")" 2
}

test_another_gpu_gets_its_kernels_and_the_first_keeps_its_own() {
  toolkit sm_80 sm_90
  start measure
  GPU=8.0 start measure
  expect 'architectures' "$(grep -o 'CUDA_ARCH.*' "$calls")" 'CUDA_ARCHITECTURES=90-real
CUDA_ARCHITECTURES=90-real;80-real'
  start measure
  expect 'stderr of the first again' "$err" ''
}

test_what_capture_injects_is_built_the_first_time_without_the_kernels() {
  toolkit sm_90
  start capture -o 'a file' -- ./app 'two words' --help
  expect status "$status" 0
  expect stdout "$out" "injected: perfmodel-capture.so
in $PWD
capture
-o
a file
--
./app
two words
--help"
  expect 'what cmake was asked' "$(tail -n 2 "$calls")" "cmake -S $checkout --preset release -DPERFMODEL_CUDA=ON
cmake --build $checkout/build/release --target perfmodel_capture --parallel 2"
  start capture -- ./app
  expect 'stderr the second time' "$err" ''
  edit
  touch -d '1 minute ago' "$checkout/build/release/.built-capture"
  start capture -- ./app
  expect 'builds after a change' "$(grep -c perfmodel_capture "$calls")" 2
}

test_without_a_gpu_measure_says_so_before_anything_is_built() {
  rm "$scratch/dev/nvidiactl"
  local words
  for words in 'measure' 'measure fma-rate --quick -o run.json' 'capture -o a -- ./app --help' '--hwdb measure measure' '--hwdb=x capture -o a -- ./app'; do
    # shellcheck disable=SC2086 # words
    start $words
    expect "status of $words" "$status" 3
    expect "stdout of $words" "$out" ''
    expect "stderr of $words" "$err" 'perfmodel: no NVIDIA GPU to measure on: its driver (libcuda.so.1) is not on this machine'
  done
  expect 'calls' "$(<"$calls")" ''
  if [[ -e "$checkout/build" ]]; then expect 'the folder build' 'is there' 'is not'; fi
}

test_what_needs_no_gpu_is_built_without_one() {
  rm "$scratch/dev/nvidiactl"
  local words
  for words in 'measure --list' 'measure --help' 'measure -h' 'capture --help' 'measure message -o run.json' 'roofline' 'hw measure' '--hwdb measure roofline'; do
    : >"$calls"
    rm -rf "$checkout/build"
    # shellcheck disable=SC2086 # words
    start $words
    expect "builds for $words" "$(grep -c 'target perfmodel ' "$calls")" 1
  done
}

test_any_trace_of_a_gpu_leaves_the_word_to_the_program() {
  rm "$scratch/dev/nvidiactl"
  stand_in ldconfig "cat '$scratch/libraries' 2>/dev/null"
  mkdir "$scratch/a folder"
  export LD_LIBRARY_PATH="$scratch:$scratch/a folder"
  local trace
  for trace in dev/nvidia0 dev/dxg usr/lib/wsl/lib/libcuda.so.1 'a folder/libcuda.so.1' libraries; do
    : >"$calls"
    rm -rf "$checkout/build"
    start measure
    expect "builds without $trace" "$(builds)" 0
    printf '\tlibcuda.so.1 (libc6,x86-64) => /usr/lib/libcuda.so.1\n' >"$scratch/$trace"
    start measure
    expect "builds with $trace" "$(grep -c 'target perfmodel ' "$calls")" 1
    rm "$scratch/$trace"
  done
  start measure
  expect 'stderr of a program that is built' "${err/*perfmodel: no NVIDIA*/it was not asked}" "$err"
}

test_without_nvcc_one_sentence_says_so() {
  sed -i 's:/usr/local/cuda:/nowhere:g' "$checkout/perfmodel" # this machine may have one
  start 0
  start measure
  expect status "$status" 3
  expect stdout "$out" ''
  expect stderr "$err" "perfmodel: measuring needs the CUDA toolkit: its compiler nvcc is neither on the PATH nor in \
/nowhere/bin"
  expect builds "$(builds)" 1
  start capture -o a -- ./app
  expect status "$status" 3
  expect stderr "$err" "perfmodel: capturing needs the CUDA toolkit: its compiler nvcc is neither on the PATH nor in \
/nowhere/bin"
}

test_a_gpu_that_nvcc_does_not_know_is_named() {
  toolkit sm_75 sm_80
  start 0
  start measure
  expect status "$status" 3
  expect stderr "$err" "perfmodel: the GPU here has compute capability 9.0, for which $tools/nvcc does not compile; \
another CUDA toolkit may"
  expect builds "$(builds)" 1
}

test_probes_are_listed_once_they_are_built() {
  toolkit sm_90
  GPU='' start measure --list
  expect status "$status" 3
  expect_match stderr "$err" '*the microkernels are not built yet*'
  start measure
  GPU='' start measure --list
  expect status "$status" 0
  expect_match stdout "$out" '*measured by perfmodel-measure*'
}

if [[ $(type -t "${1-}") != function || $1 != test_* ]]; then
  echo "usage: launcher_test.sh CASE, one of:" >&2
  declare -F | sed -n 's/^declare -f test_/  test_/p' >&2
  exit 2
fi
machine
"$1"
