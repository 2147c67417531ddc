# SPDX-License-Identifier: MIT
# Completion for bash: commands, their flags, what `list` knows, and files.
_orrery() {
  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local names=""
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    names="$(orrery list command 2>/dev/null | awk 'NR > 1 { print $1 }') --help --version"
  elif [[ $word == -* ]]; then
    names="$(orrery "$command" --help 2>/dev/null | grep -oE -- '--[a-z]+')"
  elif [[ $previous == --backend ]]; then
    names="auto $(orrery list backend 2>/dev/null | awk 'NR > 1 { print $1 }')"
  elif [[ $command == new ]]; then
    names="$(orrery new 2>/dev/null)"
  elif [[ $command == list ]]; then
    if ((COMP_CWORD == 2)); then
      names="$(orrery list 2>/dev/null | grep -E '^[a-z]')"
    else
      names="$(orrery list "${COMP_WORDS[2]}" 2>/dev/null | awk 'NR > 1 { print $1 }')"
    fi
  fi
  if [[ -n $names ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$names" -- "$word")
  else
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$word")
  fi
}
complete -F _orrery orrery
