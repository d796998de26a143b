#include "scripts.hpp"

#include "models/core/error.hpp"
#include "models/core/model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

namespace perfmodel::cli {

namespace {

// All three hand the words over as they stand and take what comes back, "word<tab>meaning" in each line:
// which words there are, the program alone knows. Where it knows none, the shell completes files.

constexpr std::string_view bash = R"sh(# bash completion of perfmodel: the program says which words there are.
_perfmodel() {
  local word words=()
  # bash parts words at '=', the program does not.
  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ ${#words[@]} -gt 0 && ($word == = || ${words[-1]} == *=) ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
  done
  mapfile -t COMPREPLY < <("${COMP_WORDS[0]/#\~/$HOME}" completion --words "${words[@]}" 2>/dev/null)
  COMPREPLY=("${COMPREPLY[@]%%$'\t'*}")
  # What stands before '=' is no part of bash's word.
  if [[ ${words[-1]} == *=* ]]; then COMPREPLY=("${COMPREPLY[@]#"${words[-1]%%=*}="}"); fi
  if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]]; then compopt -o nospace; fi
}
complete -o bashdefault -o default -F _perfmodel perfmodel
)sh";

constexpr std::string_view zsh = R"sh(#compdef perfmodel
# zsh completion of perfmodel: the program says which words there are.
_perfmodel() {
  local line
  local -a lines whole open
  lines=("${(@f)$("${(Q)words[1]/#\~/$HOME}" completion --words "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  for line in $lines; do
    # A value follows behind '=', a blank behind all else.
    if [[ ${line%%$'\t'*} == *= ]]; then
      open+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    else
      whole+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    fi
  done
  if (( ! $#whole && ! $#open )); then
    _files
    return
  fi
  (( $#whole )) && _describe -t words word whole
  (( $#open )) && _describe -t words word open -S ''
}
if [[ $funcstack[1] == _perfmodel ]]; then
  _perfmodel "$@"
else
  compdef _perfmodel perfmodel
fi
)sh";

constexpr std::string_view fish = R"sh(# fish completion of perfmodel: the program says which words there are.
function __perfmodel_words
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    set -l lines ($typed[1] completion --words $typed[2..-1] "$current" 2>/dev/null)
    if test (count $lines) -gt 0
        printf '%s\n' $lines
    else
        __fish_complete_path "$current"
    end
end
complete -c perfmodel -f -a '(__perfmodel_words)'
)sh";

} // namespace

std::string_view completion_script(std::string_view shell) {
  if (shell == "bash") return bash;
  if (shell == "zsh") return zsh;
  if (shell == "fish") return fish;
  const std::vector<std::string> known(completion_shells.begin(), completion_shells.end());
  throw InputError(fmt::format("completion: unknown shell '{}'{}; one of {} is expected",
                               std::string(shell.substr(0, 40)), suggestion(shell, known),
                               fmt::join(known, ", ")));
}

} // namespace perfmodel::cli
