#!/usr/bin/env bash
# A tab in each shell that is here: what the shell makes of what the program says.
# Usage: completion.sh PROGRAM
set -euo pipefail
program=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
ln -s "$program" "$scratch/perfmodel"
cd "$scratch"
touch a-file.csv

expect() { # what, is, should be
  [[ $2 == "$3" ]] && return
  printf "%s: '%s' instead of '%s'\n" "$@"
  exit 1
}

# shellcheck source=/dev/null
source <("$program" completion bash)
compopt() { spaces=no; } # there is no line being typed here
# What bash would put in place of its last word; it parts words at '='.
tab() {
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=() spaces=yes
  _perfmodel
}
tab ./perfmodel rooflin
expect 'bash, a command' "${COMPREPLY[*]} $spaces" 'roofline yes'
tab ./perfmodel roofline --hw = m2090,k20
expect 'bash, behind =' "${COMPREPLY[*]}" 'm2090,k20c'
tab ./perfmodel balance --set dram.bandw
expect 'bash, a fact' "${COMPREPLY[*]} $spaces" 'dram.bandwidth= no'
tab ./perfmodel hw show ''
expect 'bash, an empty word' "$([[ ${#COMPREPLY[@]} -gt 20 ]] && echo many)" many
tab ./perfmodel roofline -o a-
expect 'bash, a file' "${COMPREPLY[*]}" ''
tab ./perfmodel reduction --draw tr
expect 'bash, a drawing' "${COMPREPLY[*]}" tree
tab ./perfmodel roofline --size sl
expect 'bash, a size' "${COMPREPLY[*]}" slide
expect 'bash, files' "$(complete -p perfmodel)" 'complete -o bashdefault -o default -F _perfmodel perfmodel'

if command -v fish >/dev/null; then
  asked() { HOME=$scratch fish -c "source (./perfmodel completion fish | psub); complete -C '$1'" | cut -f1 | xargs; }
  expect 'fish, a command' "$(asked './perfmodel rooflin')" roofline
  expect 'fish, behind =' "$(asked './perfmodel roofline --hw=m2090,k20')" '--hw=m2090,k20c'
  expect 'fish, a drawing' "$(asked './perfmodel reduction --draw tr')" tree
  expect 'fish, a size' "$(asked './perfmodel roofline --size sl')" slide
  expect 'fish, a file' "$(asked './perfmodel roofline -o a-f')" a-file.csv
fi

if command -v zsh >/dev/null; then
  # A zsh at a terminal of its own, which is typed into.
  cat >type.zsh <<'ZSH'
zmodload zsh/zpty
zpty -b typed zsh -f -i
until_said() { # pattern
  local all= piece
  repeat 100; do
    while zpty -rt typed piece; do all+=${piece//$'\a'/}; done
    [[ $all == *${~1}* ]] && return
    sleep 0.1
  done
  print -r -- "no '$1' in: ${(qqqq)all}"
  exit 1
}
zpty -w typed 'PROMPT=; unsetopt zle_bracketed_paste; autoload -U compinit; compinit -D -u; source <(./perfmodel completion zsh); echo rea""dy'
until_said ready
zpty -w -n typed $'./perfmodel rooflin\t--hw=m2090,k20\t --set dram.bandw\t1 --size sl\t --theme pr\t -o a-f\t'
until_said 'roofline*k20c*bandwidth=*1*slide*print*a-file.csv' # with colours between
ZSH
  zsh -f type.zsh
fi
