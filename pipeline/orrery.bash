# SPDX-License-Identifier: MIT
# Completion for bash: commands, flags, names printed by `list`, and files with the right extension.

# Prints the names that `orrery list …` shows below its title.
_orrery_names() {
  "$program" list "$@" 2>/dev/null | awk '/^  / { print $1 }'
}

# Sets `names` or `files` for a word that is not the value of a flag.
_orrery_operands() {
  case $command:$COMP_CWORD:$word in
  *:1:*) names="$(_orrery_names command) --help --version" ;;
  *:-*) names=$("$program" "$command" --help 2>/dev/null | awk '/^  +-/ { sub(/^.*--/, "--", $1); print $1 }') ;;
  study:*)
    files="*.json"
    if [[ " ${COMP_WORDS[*]} " != *" --draw "* ]]; then
      files="" names=$("$program" study 2>/dev/null | awk '/^[^ `]/ { print $1 }')
    fi
    ;;
  new:*) names=$("$program" new 2>/dev/null) files="*.@(h5|hdf5|vtkhdf|png|svg|pdf|json|mp4|webm|gif)" ;;
  list:2:*) names=$("$program" list 2>/dev/null | grep '^[^ ]') ;;
  list:3:*) names=$(_orrery_names "${COMP_WORDS[2]}") ;;
  run:* | simulate:* | check:*) files="*.@(toml|png|svg|pdf|json|mp4|webm|gif)" ;;
  table:*) files="*.@(h5|hdf5|vtkhdf)" ;;
  join:*) files="*.@(mp4|webm)" ;;
  import:* | judge:* | grade:*) files="*" ;;
  info:*) files="*.@(h5|hdf5|vtkhdf|png|svg|pdf|json|mp4|webm|gif)" ;;
  matrix:* | export:* | diff:*) files="*.@(h5|hdf5|vtkhdf|toml)" ;;
  render:* | report:* | view:* | resume:* | verify:* | repair:*) files="*.@(h5|hdf5|vtkhdf)" ;;
  esac
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

  case $command:$previous in
  *:-o | *:--output | bench:--json | validate:--json) files="*" ;;
  *:--compare) files="*.json" ;;
  *:--backend | *:--integrator | *:--figure) names=$(_orrery_names "${previous#--}") ;;
  table:--format) names="csv markdown latex" ;;
  import:--format) names=$(_orrery_names import) ;;
  grade:--format) names="markdown csv html" ;;
  *:--format) names=$(_orrery_names format) ;;
  import:--units) names=$(_orrery_names units) ;;
  import:--comoving) names="true false" ;;
  *:--length-unit | *:--mass-unit | *:--velocity-unit) names=$(_orrery_names unit) ;;
  validate:--suite) names="order own-steps work reversal long-run closure orbits rounding" ;;
  *:--suite) names="forces short-range tree scaling trajectory render" ;;
  *:--quantity) names="distance potential force inverse-power" ;;
  *:--precision) names="float64 float32" ;;
  *:--reduce) names="sum minimum histogram" ;;
  *:--against) names="time evaluations wall-time" ;;
  *:--from) names="run exact" ;;
  *:--data) files="*" ;;
  *:--set | *:--unset | *:--threads | *:--device | *:--n | *:--task | *:--frames | *:--piece | *:--digits | *:--columns | *:--labels | *:--neighbours | \
    *:--exponent | *:--time | *:--block | *:--bins | *:--threshold | *:--frame | *:--components | *:--hubble | *:--scale-factor | \
    *:--mass | *:--dt | *:--expect | *:--seconds) return ;;
  *:--scenario) files="*.toml" ;;
  *) _orrery_operands ;;
  esac

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
