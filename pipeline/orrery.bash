# SPDX-License-Identifier: MIT
# Completion for bash: commands, flags, names printed by `list`, and files with the right extension.

# Prints the names that `orrery list …` shows below its title.
_orrery_names() {
  "$program" list "$@" 2>/dev/null | awk '/^  / { print $1 }'
}

_orrery() {
  local program=${1/#\~/$HOME} command=${COMP_WORDS[1]}
  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  local names="" files=""
  COMPREPLY=()
  if [[ $previous == "=" ]]; then # bash splits --backend=cpu into three words
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  elif [[ $word == "=" ]]; then
    word=""
  fi

  if ((COMP_CWORD == 1)); then
    names="$(_orrery_names command) --help --version"
  elif [[ $previous == -o || $previous == --output || ($command =~ ^(bench|validate)$ && $previous == --json) ]]; then
    files="*"
  elif [[ $previous == --compare ]]; then
    files="*.json"
  elif [[ $previous == --backend ]]; then
    names=$(_orrery_names backend)
  elif [[ $previous == --format && $command == table ]]; then
    names="csv markdown latex"
  elif [[ $previous == --format ]]; then
    names=$(_orrery_names format)
  elif [[ $previous == --integrator ]]; then
    names=$(_orrery_names integrator)
  elif [[ $previous == --suite && $command == validate ]]; then
    names="order own-steps work reversal long-run closure orbits rounding"
  elif [[ $previous == --figure ]]; then
    names=$(_orrery_names figure)
  elif [[ $previous == --quantity ]]; then
    names="distance potential force inverse-power"
  elif [[ $previous == --precision ]]; then
    names="float64 float32"
  elif [[ $previous == --reduce ]]; then
    names="sum minimum histogram"
  elif [[ $previous == --against ]]; then
    names="time evaluations wall-time"
  elif [[ $previous == --suite ]]; then
    names="forces short-range trajectory render"
  elif [[ $previous == --set || $previous == --threads || $previous == --device || $previous == --n ||
    $previous == --task || $previous == --frames || $previous == --digits || $previous == --neighbours ||
    $previous == --exponent || $previous == --time || $previous == --block || $previous == --bins || $previous == --threshold ]]; then
    return
  elif [[ $word == -* ]]; then
    names=$("$program" "$command" --help 2>/dev/null | awk '/^  +-/ { sub(/^.*--/, "--", $1); print $1 }')
  elif [[ $command == study && $previous != --compare && " ${COMP_WORDS[*]} " != *" --draw "* ]]; then
    names=$("$program" study 2>/dev/null | awk '/^[a-z]/ { print $1 }')
  elif [[ $command == study ]]; then
    files="*.json"
  elif [[ $command == new ]]; then
    names=$("$program" new 2>/dev/null)
  elif [[ $command == list ]] && ((COMP_CWORD == 2)); then
    names=$("$program" list 2>/dev/null | grep '^[a-z]')
  elif [[ $command == list ]] && ((COMP_CWORD == 3)); then
    names=$(_orrery_names "${COMP_WORDS[2]}")
  elif [[ $command == run || $command == simulate || $command == check ]]; then
    files="*.@(toml|png|svg|pdf|mp4|webm|gif)"
  elif [[ $command == table ]]; then
    files="/"
  elif [[ $command == info ]]; then
    files="*.@(h5|hdf5|vtkhdf|png|svg|pdf|mp4|webm|gif)"
  elif [[ $command == matrix ]]; then
    files="*.@(h5|hdf5|vtkhdf|toml)"
  elif [[ $command =~ ^(render|export|resume|verify|diff|repair)$ ]]; then
    files="*.@(h5|hdf5|vtkhdf)"
  fi

  if [[ -n $names ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$names" -- "$word")
  elif [[ -n $files ]]; then
    compopt -o filenames
    mapfile -t COMPREPLY < <(
      shopt -s extglob
      compgen -f -X "!$files" -- "$word"
      [[ $files == "*" ]] || compgen -d -- "$word"
    )
  fi
}
complete -F _orrery orrery
