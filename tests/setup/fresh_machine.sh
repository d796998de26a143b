#!/usr/bin/env bash
# What perfmodel takes on a fresh Debian 12: a minimal system in a chroot, git, this commit, and the two commands.
# Run as root on Debian with debootstrap and network; 2 GB in $TMPDIR; some minutes. Not part of ctest.
#   sudo tests/setup/fresh_machine.sh [MIRROR]
# The commit is cloned: what is not committed is not tried.
set -euo pipefail
mirror=${1:-http://deb.debian.org/debian}
source_dir=$(cd "$(dirname "$0")/../.." && pwd)

if [[ -z ${FRESH_MACHINE-} ]]; then
  [[ $EUID == 0 ]] || { echo 'please run as root' >&2; exit 3; }
  FRESH_MACHINE=$(mktemp -d)
  chmod 755 "$FRESH_MACHINE"
  export FRESH_MACHINE
  trap 'rm -rf --one-file-system "$FRESH_MACHINE"' EXIT
  debootstrap --variant=minbase bookworm "$FRESH_MACHINE" "$mirror" >"$FRESH_MACHINE.log" ||
    { tail "$FRESH_MACHINE.log" >&2; exit 3; }
  rm "$FRESH_MACHINE.log"
  # The mounts live in a namespace of their own and end with it.
  unshare --mount -- "$0" "$mirror"
  exit
fi

machine=$FRESH_MACHINE
mount -t proc proc "$machine/proc"
mount -t devpts -o ptmxmode=666 devpts "$machine/dev/pts" # for the tests of terminals
mkdir "$machine/source"
mount --bind -o ro "$source_dir" "$machine/source"
inside() { env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb chroot "$machine" "$@"; }
megabytes() { du -smx "$machine" | cut -f1; }
failed() {
  echo "FAILED: $*"
  exit 1
}

inside apt-get update -qq
inside env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends git >/dev/null 2>&1
inside sh -c 'apt-get clean; rm -rf /var/lib/apt/lists/*'
inside git -c safe.directory='*' clone -q /source '/opt/perfmodel'
inside git -c safe.directory='*' clone -q /source '/srv/perfmodel'
inside chown -R 1000:1000 /srv/perfmodel
echo "commit $(inside git -C /opt/perfmodel log -1 --format=%h), $(inside cat /etc/debian_version | head -1)," \
  "$(nproc) cores; base system and git: $(megabytes) MB"

timed() { # label, command...: leaves out, err, code
  local TIMEFORMAT="$1: %R s, processors %U s user, %S s system"
  shift
  code=0
  time "$@" >"$machine/out" 2>"$machine/err" </dev/null || code=$?
  echo "  exit $code"
}

same_answer() {
  if [[ $code != 0 ]] || ! cmp "$machine/out" "$machine/first"; then failed 'the same answer was due'; fi
}

timed 'without root' inside setpriv --reuid=1000 --regid=1000 --clear-groups /srv/perfmodel/perfmodel roofline --hw m2090
cat "$machine/err"
[[ $code == 3 && ! -s $machine/out && $(wc -l <"$machine/err") == 1 ]] || failed 'one sentence and exit 3 was due'

before=$(megabytes)
timed 'first ./perfmodel roofline --hw m2090' inside /opt/perfmodel/perfmodel roofline --hw m2090
cat "$machine/err"
[[ $code == 0 && -s $machine/out ]] || { cat "$machine/out"; failed 'an answer was due'; }
grep -hE '^(Fetched|Need to get|After this operation)' "$machine/opt/perfmodel/build/release/setup.log"
inside apt-get clean
echo "installed and built: $(($(megabytes) - before)) MB, of which the build" \
  "$(du -sm "$machine/opt/perfmodel/build" | cut -f1) MB"
cp "$machine/out" "$machine/first"

timed 'second ./perfmodel roofline --hw m2090' inside /opt/perfmodel/perfmodel roofline --hw m2090
same_answer
[[ ! -s $machine/err ]] || failed 'silence was due on stderr'
cat "$machine/out"

timed './perfmodel test' inside /opt/perfmodel/perfmodel test
cat "$machine/err"
tail -n 8 "$machine/out"
[[ $code == 0 ]] || failed 'the tests'

timed 'without root, packages there' inside setpriv --reuid=1000 --regid=1000 --clear-groups \
  /srv/perfmodel/perfmodel roofline --hw m2090
same_answer
echo 'fresh machine: passed'
