#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs every script of docs/clusters.md. sbatch, srun, scontrol, module, git, cmake and apptainer are stand-ins; mpirun and
# orrery are not. Jobs that have --signal are stopped once and requeued.
#   clusters_test.sh ORRERY [PAGE]     exit code 77: skipped, there is no mpirun of Open MPI
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=$(realpath "$1")
page=${2:-$source/docs/clusters.md}
module="$(dirname "$program")/../lib/orrery_mpi.so"
[[ $(mpirun --version 2>&1 || true) == *"Open MPI"* && -f $module ]] || exit 77
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
mkdir -p bin jobs scripts
failures=0
fail() {
  printf 'FAILED: %s\n' "$*"
  failures=$((failures + 1))
}

# What mpirun and ranks need in a container as root with few cores, without Slurm, which mpirun would otherwise ask, and without
# ssh.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_btl=self,vader OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_ras='^slurm' OMPI_MCA_plm=isolated
export LSAN_OPTIONS=detect_leaks=0  # what Open MPI keeps would be reported as leaks in builds with sanitizers
export OMP_NUM_THREADS=1 JOBS=$folder/jobs HOME=$folder/home
unset "${!SLURM_@}"

# --- stand-ins ---

# sbatch: runs the job at once and waits for it, again if it was requeued. Numbers of the script can be overridden by flags, as
# with Slurm. With STOP set, the first start gets SIGTERM when $STOP exists, as --signal says: each task of srun, or with
# B: the shell. Refuses options that it does not know.
cat >bin/sbatch <<'S'
#!/usr/bin/env bash
set -euo pipefail
declare -A option=([nodes]=1 [ntasks]= [ntasks-per-node]=1 [cpus-per-task]=1 [array]= [signal]= [wrap]= [dependency]=)
parsable=
take() {
  local name=${1%%=*} value=${1#*=}
  name=${name#--}
  case $name in
    nodes | ntasks | ntasks-per-node | cpus-per-task | gpus-per-node) [[ $value =~ ^[0-9]+$ ]] ;;
    array) [[ $value =~ ^[0-9]+(-[0-9]+)?$ ]] ;;
    time) [[ $value =~ ^[0-9]+:[0-9]{2}:[0-9]{2}$ ]] ;;
    signal) [[ $value =~ ^(B:)?TERM@[0-9]+$ ]] ;;
    dependency) [[ $value =~ ^afterok:[0-9]+$ ]] ;;
    hint) [[ $value == nomultithread ]] ;;
    open-mode) [[ $value == append ]] ;;
    job-name | wrap) [[ $value ]] ;;
    requeue) ;;
    parsable) parsable=1 ;;
    *) false ;;
  esac || { echo "sbatch: unknown option $1" >&2; exit 1; }
  option[$name]=$value
}
flags=()
while (($#)) && [[ $1 == --* ]]; do flags+=("$1"); shift; done
for flag in "${flags[@]}"; do [[ $flag == --wrap=* ]] && take "$flag"; done
id=$(($(ls "$JOBS" | grep -c '^[0-9]*$' || true) + 1))
mkdir "$JOBS/$id"
script=$JOBS/$id/script # Slurm runs a copy
if [[ ${option[wrap]} ]]; then
  printf '#!/bin/sh\n%s\n' "${option[wrap]}" >"$script"
else
  [[ $(head -c 2 "$1") == '#!' ]] || { echo "sbatch: $1 is no script" >&2; exit 1; }
  cp "$1" "$script"
  shift
fi
while read -r word; do take "$word"; done < <(sed -n '/^[^#]/q; s/^#SBATCH //p' "$script" | tr ' ' '\n')
for flag in "${flags[@]}"; do take "$flag"; done
chmod +x "$script"
if [[ ${option[dependency]} ]]; then
  [[ $(cat "$JOBS/${option[dependency]#afterok:}/code") == 0 ]] || { echo "sbatch: the dependency failed" >&2; exit 1; }
fi

tasks=${option[ntasks]:-$((option[nodes] * option[ntasks-per-node]))}
export SLURM_JOB_ID=$id SLURM_NTASKS=$tasks SLURM_NPROCS=$tasks SLURM_NNODES=${option[nodes]} SLURM_SUBMIT_DIR=$PWD
export SLURM_CPUS_PER_TASK=${option[cpus-per-task]}
# run_task: runs the script until it is not requeued. Leaves the code of the last time.
run_task() {
  local stop=${STOP:-} restart=0
  code=0
  while :; do
    rm -f "$JOBS/$id"/{requeued,tasks,code-of-*}
    setsid "$script" "$@" </dev/null >>"slurm-$id.out" 2>&1 &
    local shell=$!
    if [[ $stop ]]; then
      [[ ${option[signal]} ]] || { echo "sbatch: no --signal" >&2; exit 1; }
      until [[ -e $stop ]] || ! kill -0 "$shell" 2>/dev/null; do sleep 0.02; done
      sleep 0.05
      if [[ ${option[signal]} == B:* ]]; then kill -TERM "$shell"; else kill -TERM $(cat "$JOBS/$id/tasks"); fi || true
      stop=
    fi
    code=0
    wait "$shell" || code=$?
    [[ -e $JOBS/$id/requeued ]] || break
    restart=$((restart + 1))
    export SLURM_RESTART_COUNT=$restart
    ((restart < 4)) || break
  done
  unset SLURM_RESTART_COUNT
  echo "$restart" >"$JOBS/$id/restarts"
}
worst=0
if [[ ${option[array]} ]]; then
  export SLURM_ARRAY_JOB_ID=$id
  for SLURM_ARRAY_TASK_ID in $(seq "${option[array]%-*}" "${option[array]#*-}"); do
    export SLURM_ARRAY_TASK_ID
    run_task "$@"
    ((code <= worst)) || worst=$code
  done
else
  run_task "$@"
  worst=$code
fi
echo "$worst" >"$JOBS/$id/code"
[[ $parsable ]] && echo "$id" || echo "Submitted batch job $id"
S

# srun: with --mpi=pmix the tasks are started by mpirun; with none they are independent.
cat >bin/srun <<'S'
#!/usr/bin/env bash
set -euo pipefail
mpi=none
rm -f "$JOBS/$SLURM_JOB_ID"/code-of-*
while [[ $1 == --* ]]; do
  case $1 in
    --mpi=none | --mpi=pmix) mpi=${1#*=} ;;
    --cpu-bind=cores) ;;
    *) echo "srun: unknown option $1" >&2; exit 1 ;;
  esac
  shift
done
[[ ${SRUN_CPUS_PER_TASK:-} == "$SLURM_CPUS_PER_TASK" ]] || { echo "srun: one core only" >&2; exit 1; }
export SLURM_STEP_ID=0
if [[ $mpi == none ]]; then
  pids=()
  for ((k = 0; k < SLURM_NTASKS; ++k)); do SLURM_PROCID=$k task "$@" & pids+=($!); done
  code=0
  for pid in "${pids[@]}"; do wait "$pid" || code=$?; done
  exit "$code"
fi
mpirun -n "$SLURM_NTASKS" --bind-to none task "$@" || true
exit "$(sort -n "$JOBS/$SLURM_JOB_ID"/code-of-* | tail -n 1)"
S
# Notes the process of a task, which gets the signals of --signal, and its exit code. mpirun, unlike srun, ends the others as soon
# as one has ended without MPI_Finalize, as after a signal.
cat >bin/task <<'S'
#!/bin/sh
export SLURM_PROCID="${OMPI_COMM_WORLD_RANK:-$SLURM_PROCID}"
trap : TERM
"$@" &
echo $! >>"$JOBS/$SLURM_JOB_ID/tasks"
while kill -0 $! 2>/dev/null; do
  wait $!
  code=$?
done
echo "$code" >"$JOBS/$SLURM_JOB_ID/code-of-$SLURM_PROCID"
exit "$code"
S
cat >bin/scontrol <<'S'
#!/bin/sh
[ "$1 $2" = "requeue $SLURM_JOB_ID" ] && touch "$JOBS/$2/requeued"
S
cat >bin/module <<'S'
#!/bin/sh
[ "$1" = purge ] || [ "$1 $#" = "load 6" ]
S
# cmake: --install puts the program of this test where the real one would.
cat >bin/cmake <<S
#!/bin/sh
echo "cmake \$*" >>"$folder/cmake-calls"
[ "\$1 \$2" = "--install build/release" ] || exit 0
mkdir -p "\$4/bin" "\$4/lib" && cp "$program" "\$4/bin" && cp "$(dirname "$module")"/*.so* "\$4/lib"
S
# git archive: a source whose bootstrap builds nothing.
cat >bin/git <<'S'
#!/bin/sh
[ "$1 $2 $3" = "archive --format=tar.gz -o" ] && [ "$5" = HEAD ] || exit 1
mkdir -p archived
printf '#!/bin/sh\n[ "$1" = build ]\n' >archived/bootstrap
chmod +x archived/bootstrap
tar -czf "$4" -C archived bootstrap
S
# apptainer: the image is a folder; its files, commands and environment are those of the definition.
cat >bin/apptainer <<'S'
#!/usr/bin/env bash
set -euo pipefail
part() { sed -n "/^%$2\$/,/^%/{/^%/d;p}" "$1"; }
case $1 in
  build)
    root=$PWD/$2
    mkdir -p "$root/opt" "$root/usr/local"
    grep -q '^Bootstrap: docker$' "$3" && grep -q '^From: ..*' "$3"
    while read -r from to; do [[ ! $from ]] || cp "$from" "$root$to"; done < <(part "$3" files)
    for name in post environment runscript test; do part "$3" $name | sed "s#/opt/#$root/opt/#g; s#/usr/local#$root/usr/local#g" >"$root/$name"; done
    sh -e "$root/post"
    PATH=$root/usr/local/bin:$PATH sh -e "$root/test"
    ;;
  exec | run)
    what=$1
    shift
    [[ $1 != --nv ]] || shift
    root=$PWD/$1
    shift
    . "$root/environment"
    export PATH=$root/usr/local/bin:$PATH
    [[ $what != run ]] || exec sh "$root/runscript" "$@"
    exec "$@"
    ;;
  *) exit 1 ;;
esac
S
ln -s "$program" bin/orrery
chmod +x $(ls bin/* | grep -v orrery)
export PATH=$folder/bin:$PATH

# --- the page ---

# Every block of code in the page, by the name in its first lines.
awk -v folder=scripts '
  /^```/ { if (open) { if (!name) name = "unnamed-" NR; printf "%s", text >(folder "/" name); close(folder "/" name); open = 0 }
           else { open = 1; text = ""; name = ""; lines = 0 }
           next }
  open { text = text $0 "\n"; if (++lines <= 2 && match($0, /^# [^ .]+\.(sh|def)/)) name = substr($0, 3, RLENGTH - 2) }' "$page"
expected="build.sh container-build.sh container.sh cores.sh film-submit.sh film.sh gpus.sh mpirun.sh nodes.sh orrery.def scaling.sh
sweep-ranks.sh sweep-submit.sh sweep.sh"
[[ $(LC_ALL=C ls scripts | tr '\n' ' ') == "$(tr '\n' ' ' <<<"$expected")" ]] ||
  fail "the page has other scripts than those tested here: $(LC_ALL=C ls scripts | tr '\n' ' ')"
cp scripts/* .

# Options of CMake that the page mentions exist.
for option in $(grep -o -- '-DORRERY_[[:upper:]]*' "$page" | sort -u); do
  grep -q "${option#-D}" "$source/CMakeLists.txt" || fail "CMakeLists.txt has no ${option#-D}"
done

# --- the scripts ---

# Few long steps: where ranks and other programs share cores, each exchange may wait for a time slice.
scenario() {
  printf '[initial]\nkind = "plummer"\nn = %s\n[force]\nsoftening = 0.05\n[integrator]\nkind = "leapfrog"\ndt = 1e-4\nsteps = %s\n' "$1" "$2"
  printf '[trajectory]\nframes = 3\n[observables]\nrows = 3\n[backend]\nkind = "cpu"\n'
}
steps=60
scenario 4000 $steps >galaxy.toml
pictures=$(orrery list film 2>/dev/null | grep -c projection || true)
if ((pictures)); then
  printf '[[film]]\nkind = "projection"\nfile = "galaxy.mp4"\nsize = [320, 180]\nfps = 8\nduration = 1\n' >>galaxy.toml
fi
state() { sed -n 's/.*"state" *: *"\([0-9a-f]*\)".*/\1/p' "$1/summary.json" 2>/dev/null; }
orrery simulate galaxy.toml -o alone --quiet >/dev/null
alone=$(state alone)
[[ $alone ]] || fail "one process has no state"

# expect_same WHAT JOB RESTARTS: the job was requeued so often, ended well, and has the state of one process.
expect_same() {
  local said
  said=$(cat "slurm-$2.out")
  [[ $(cat "jobs/$2/code") == 0 ]] || fail "$1: exit code $(cat "jobs/$2/code"): $said"
  [[ $(cat "jobs/$2/restarts") == "$3" ]] || fail "$1: requeued $(cat "jobs/$2/restarts") times, not $3: $said"
  [[ $(state galaxy) == "$alone" ]] || fail "$1: state $(state galaxy), of one process $alone: $said"
  # mpirun waits before it passes a signal on, and a fast machine may have finished the run.
  if (($3)) && [[ $1 != mpirun.sh && $said != *"stopped at step "*"goes on from step "* ]]; then
    fail "$1: was not stopped and resumed: $said"
  fi
}
# job STOPS SCRIPT RANKS [FLAG…]: stops and requeues it so often; the device line says how many ranks there were.
job() {
  local stops=$1 script=$2 ranks=$3 stop=
  shift 3
  rm -rf galaxy
  ((stops == 0)) || stop=galaxy/run.h5
  local id
  id=$(STOP=$stop sbatch --parsable "$@" "$script") || { fail "$script: not submitted"; return; }
  expect_same "$script" "$id" "$stops"
  local device
  device=$(orrery info galaxy/run.h5 | sed -n 's/^device  *//p')
  ((ranks == 1)) || [[ $device == "$ranks × "* ]] || fail "$script: $device, expected $ranks ranks"
}
# Fewer ranks than in the page, since this machine may have two cores.
job 1 gpus.sh 1
job 1 nodes.sh 3 --nodes=3 --ntasks-per-node=1
job 0 cores.sh 2 --nodes=2 --ntasks-per-node=1
sed -i 's/sigkill_timeout 10/sigkill_timeout 1/' mpirun.sh # mpirun lets this time pass before SIGTERM, too
job 1 mpirun.sh 2 --nodes=1 --cpus-per-task=1

sh -e container-build.sh >container.log 2>&1 || fail "container-build.sh: $(cat container.log)"
job 0 container.sh 2 --ntasks-per-node=1
[[ $(apptainer run orrery.sif --version) == "$(orrery --version)" ]] || fail "the container's own command is not orrery"

# A job that fails is not requeued.
cp galaxy.toml whole.toml
sed -i 's/^softening.*/softening = -1/' galaxy.toml
rm -rf galaxy
id=$(sbatch --parsable --ntasks-per-node=1 nodes.sh)
[[ $(cat "jobs/$id/code") == 2 && $(cat "jobs/$id/restarts") == 0 ]] || fail "a wrong scenario: $(cat "slurm-$id.out")"
mv whole.toml galaxy.toml

scenario 100 60 >sweep.toml
printf '[sweep]\n"integrator.dt" = [0.01, 0.005, 0.0025]\ninitial.n = [90, 100]\n' >>sweep.toml
sh -e sweep-submit.sh >sweep.log 2>&1 || fail "sweep-submit.sh: $(cat sweep.log)"
[[ $(wc -l <sweep.csv) == 7 ]] || fail "the table of the sweep: $(cat sweep.csv)"
by_array=$(for k in 0 1 2 3 4 5; do state "sweep/00$k"; done)
rm -rf sweep
id=$(sbatch --parsable --ntasks=3 sweep-ranks.sh)
[[ $(cat "jobs/$id/code") == 0 && $by_array && $(for k in 0 1 2 3 4 5; do state "sweep/00$k"; done) == "$by_array" ]] ||
  fail "sweep-ranks.sh: $(cat "slurm-$id.out")"

id=$(sbatch --parsable --nodes=1 --ntasks-per-node=2 scaling.sh --n 512 --quiet)
said=$(cat "slurm-$id.out")
[[ $(cat "jobs/$id/code") == 0 && $said =~ speedup\ .*times\ one\ rank && $said =~ direct\ +512\ +2\  ]] || fail "scaling.sh: $said"

if ((pictures)); then
  rm -rf galaxy
  sed -i 's/--parsable nodes.sh/--parsable --nodes=1 --ntasks-per-node=2 nodes.sh/' film-submit.sh
  sh -e film-submit.sh >film.log 2>&1 || fail "film-submit.sh: $(cat film.log slurm-*.out | tail -n 20)"
  [[ -s galaxy/galaxy.mp4 && $(ls galaxy/galaxy.piece-*-of-8.mp4 | wc -l) == 8 ]] || fail "film-submit.sh: no film of eight pieces"
fi

rm -f cmake-calls
sh -e build.sh >build.log 2>&1 || fail "build.sh: $(cat build.log)"
[[ -x home/orrery/bin/orrery && $(wc -l <cmake-calls) == 3 ]] || fail "build.sh installed nothing: $(cat cmake-calls)"
rm -rf galaxy
[[ $(OMPI_COMM_WORLD_SIZE=1 home/orrery/bin/orrery --version) == "$(orrery --version)" ]] || fail "what build.sh installed"

((failures == 0)) || exit 1
