#!/usr/bin/env bash
# The packages for Debian: what is in them, what they depend on, and that the program runs from its own, out of a folder.
# Usage: deb_test.sh BUILD_DIR VERSION; exit 77 where Debian's tools are not.
set -euo pipefail
build_dir=$1 version=$2
command -v dpkg-deb >/dev/null && command -v dpkg-shlibdeps >/dev/null || exit 77
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset PERFMODEL_HWDB
cd "$scratch"
failed() {
  echo "FAILED: $*"
  exit 1
}

cpack --config "$build_dir/CPackConfig.cmake" -G DEB -B "$scratch" >log 2>&1 || { cat log; exit 1; }
deb=perfmodel_${version}_$(dpkg --print-architecture).deb
[[ -f $deb ]] || failed "no $deb"
depends=$(dpkg-deb -f "$deb" Depends)
for library in libc6 libfmt9 libyaml-cpp0.7 librsvg2-2; do
  [[ $depends == *$library* ]] || failed "$library is not in '$depends'"
done
[[ $depends != *mpi* ]] || failed "MPI is in '$depends'"
# Where MPI was found, what needs it is a package apart, and the other one does not have it.
[[ $(dpkg-deb -c "$deb") != *perfmodel-messages$'\n'* ]] || failed 'perfmodel-messages is in the package of all'
messages=perfmodel-messages_${deb#*_}
if [[ -x $build_dir/cli/perfmodel-messages ]]; then
  [[ $(dpkg-deb -f "$messages" Depends) == "perfmodel (= $version), "*mpi* ]] || failed 'what perfmodel-messages needs'
  [[ $(dpkg-deb -c "$messages" | grep -v '/$' | sed 's/.* //') == ./usr/bin/perfmodel-messages ]] ||
    failed 'what is in perfmodel-messages'
fi
[[ $(dpkg-deb -f "$deb" Package Version) == *"$version"* ]] || failed 'version'

dpkg-deb -x "$deb" root
[[ -z $(find root -mindepth 1 -maxdepth 1 ! -name usr) ]] || failed 'there is more than usr'
program=$scratch/root/usr/bin/perfmodel share=$scratch/root/usr/share
# Its own data, and not those of the source tree that it was built in.
sed -i 's/^title: .*/title: out of the package/' "$share/perfmodel/hwdb/gpus/m2090.yaml"
"$program" hw show m2090 >answer
grep -q 'out of the package' answer || failed 'the data are not those of the package'
"$program" roofline --hw m2090,h200 -o roofline.svg
"$program" kernel softmax --hw h200 >/dev/null || failed 'a template'

# A page for man and completion, of every command.
"$program" completion --words '' | cut -f1 >commands
[[ $(wc -l <commands) -gt 30 ]] || failed 'commands'
while read -r command; do
  page=$share/man/man1/perfmodel-$command.1.gz
  [[ $(gzip -dc "$page") == *".SH NAME"*"perfmodel\\-${command//-/\\-}"* ]] || failed "$page"
done <commands
[[ $(gzip -dc "$share/man/man1/perfmodel.1.gz") == *".SH EXIT STATUS"* ]] || failed 'perfmodel(1)'
pages=("$share"/man/man1/*)
[[ ${#pages[@]} == $(($(wc -l <commands) + 1)) ]] || failed 'other pages'
if command -v man >/dev/null; then
  for page in "${pages[@]}"; do
    said=$(LC_ALL=C.UTF-8 MANWIDTH=100 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)
    [[ -z $said ]] || failed "$page: $said"
  done
fi
cmp "$share/bash-completion/completions/perfmodel" <("$program" completion bash)
cmp "$share/zsh/vendor-completions/_perfmodel" <("$program" completion zsh)
cmp "$share/fish/vendor_completions.d/perfmodel.fish" <("$program" completion fish)
for file in doc/perfmodel/{copyright,changelog.gz,README.md,docs/glossary.md} perfmodel/result.schema.json; do
  [[ -s $share/$file ]] || failed "no $file"
done
[[ -n $(find root/usr/lib -name perfmodel-config.cmake) ]] || failed 'no CMake package'
