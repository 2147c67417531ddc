#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Mutation test of the tests of faults: weakens the writer or reader in one place at a time in a copy of this tree, builds these
# tests, and prints the first one that fails. Not part of ctest, because the whole takes about ten minutes on many processors.
#   tests/faults/weakened.sh [DIR] [WORD]    DIR: where the copy goes; WORD: only lines that contain it
#   tests/faults/weakened.sh --match         only checks that every mutation matches its source file; ctest runs this
# Exit code 1 if a mutation was not detected.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit

# What, file, change (sed -E), tests in addition to the default ones.
weakenings=$(cat <<'LIST'
frames published before their data | pipeline/trajectory/trajectory_writer.cpp | s/^    open->frames\.write\(at\.frames, row\);/    open->frames.publish(at.frames, row.step); open->flush(); open->frames.write(at.frames, row);/
no tail slots: a row is written again | pipeline/trajectory/trajectory_writer.cpp | s/^    open->tail\.write\(\+\+at\.tail_sequence, at\.frames, at\.unfinished\);/    open->frames.write(at.frames, at.unfinished); open->frames.publish(at.frames, at.unfinished.step);/
one restart slot | pipeline/trajectory/restart_slots.cpp | s/slot = rotation_\.next\(\);/slot = 0;/
one tail slot | pipeline/trajectory/tail_slots.cpp | s/slot = rotation_\.next\(\);/slot = 0;/
frames not compared with their checksum | pipeline/trajectory/frame_block.cpp | s/checksum\[i\] != checksum_of\(i\)/false/
steps not compared with their stamp | pipeline/trajectory/frames.hpp | s/stamp\[i\] == stamp_of\(i\)/(void(i), true)/
rows not compared with their checksum | pipeline/trajectory/rows.cpp | s/rows\[i\]\.checksum\(parts_\) == checksums\[i\]/true/
states not compared with theirs | pipeline/trajectory/restart_slots.cpp | s/checksum_of\(header, snapshot, shape\.images\) != header\.checksum/false/
no lock | pipeline/trajectory/opening.cpp | s/::fcntl\(descriptor_, F_OFD_SETLK, &whole\) == 0/true/
its name before its contents | pipeline/trajectory/opening.cpp | s/^    if \(!draft\.rename_to_new\(path\)\).*$//; s/^    fill\(file\);/    (void)draft.rename_to_new(path); fill(file);/
no recovery after a kill | pipeline/trajectory/opening.cpp | s/if \(needs_recovery\(path\)\) recover\(path\);//
stale ends of files | pipeline/trajectory/opening.cpp | s/check\(H5Fincrement_filesize\(file, 0\)\);//
slots kept back until they close | pipeline/trajectory/opening.cpp | s/^  check\(H5Pset_sieve_buf_size\(access, 0\)\);//
metadata across pages | pipeline/trajectory/opening.cpp | s/^    check\(H5Pset_file_space_.*$// | Kills.EveryCallRowsResumedSlow
the view linked at once | pipeline/trajectory/vtk_view.cpp | s/hdf5::create_unlinked_group\(file\)/hdf5::create_group(file, "VTKHDF")/; s/^  hdf5::link\(view.*$//
finished before the view | pipeline/trajectory/trajectory_writer.cpp | s/^    write_finished\(closing, at\.restart_sequence\);//; s/^    write_vtk_view\(/    write_finished(closing, at.restart_sequence); hdf5::check(H5Fflush(closing, H5F_SCOPE_LOCAL)); write_vtk_view(/
metadata read again for ever | pipeline/trajectory/opening.cpp | s/^  if \(\(flags & H5F_ACC_SWMR_READ\) != 0\).*$//
tails only where rows end | pipeline/trajectory/tail_slots.cpp | s/tail->base > base/tail->base != base/
fdatasync that is not looked at | pipeline/trajectory/hdf5.cpp | s/if \(::fdatasync\(descriptor\) != 0\)/if (::fdatasync(descriptor) > 0)/
power: a state without its rows | pipeline/trajectory/recovery_point.cpp | s/ .. std::cmp_greater\(point\.rows, intact_rows\)//
power: a state without its frames | pipeline/trajectory/recovery_point.cpp | s/if \(base > in_place .. /if (/
power: slots written over before a sync | pipeline/trajectory/restart_slots.cpp | s/const std::size_t slot = rotation_\.next\(\);/rotation_.synced(); const std::size_t slot = rotation_.next();/
power: the index of chunks as it was left | pipeline/trajectory/rewind.cpp | s/^  truncate_indexes\(path, progress\.frames, progress\.rows\);//
power: a name before what it names is synced | pipeline/trajectory/opening.cpp | s/^    lock\.sync\(\);//
power: a row dropped before its slot is synced | pipeline/trajectory/rewind.cpp | s/^    lock\.sync\(\);//
power: fdatasync that does nothing | pipeline/trajectory/hdf5.cpp | s/if \(::fdatasync\(descriptor\) != 0\)/if (false)/
LIST
)

# parts LINE: sets what, file, how and more.
parts() { IFS='|' read -r what file how more < <(sed -E 's/ +\| +/|/g' <<<"$1"); }

if [[ ${1:-} == --match ]]; then
  missed=0
  while IFS= read -r line; do
    parts "$line"
    sed -E "$how" "$file" | cmp -s - "$file" && missed=1 && echo "$what: finds nothing to weaken in $file"
  done <<<"$weakenings"
  exit $missed
fi

copy=${1:-$(mktemp -d)}
word=${2:-}
mkdir -p "$copy"
while IFS= read -r -d '' file; do
  cmp -s "$file" "$copy/$file" || cp --parents "$file" "$copy"
done < <(git ls-files -z --cached --others --exclude-standard)
cmake -S "$copy" -B "$copy/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DORRERY_RENDER=OFF -DORRERY_CUDA=OFF \
  >"$copy/configure.log" 2>&1 || { tail -n 20 "$copy/configure.log"; exit 2; }

# built PROGRAM: compiles the copy and copies its tests to PROGRAM.
built() { ninja -C "$copy/build" -j "$(nproc)" fault_tests >"$1.build.log" 2>&1 && cp "$copy/build/bin/fault_tests" "$1"; }

# passes PROGRAM TESTS
passes() { timeout 300 "$1" --gtest_filter="$2" --gtest_fail_fast >"$1.log" 2>&1; }

# tried PROGRAM MORE: writes the first test that fails to PROGRAM.found, or nothing if all tests passed.
tried() {
  if passes "$1" '-*Slow:*Slow/*:Finalising.*' && { [[ -z $2 ]] || passes "$1" "$2"; }; then
    : >"$1.found"
  else
    grep -m 1 -oP '\[  FAILED  \] \K[^, ]+' "$1.log" >"$1.found" || echo "crashed or hung" >"$1.found"
  fi
  rm "$1"
}

mkdir -p "$copy/tried"
program=$copy/tried/0
built "$program" || { tail -n 20 "$program.build.log"; exit 2; }
tried "$program" "" &

# Mutations are compiled one after another, and tested beside each other.
names=() unnoticed=0
while IFS= read -r line; do
  [[ $line == *"$word"* ]] || continue
  parts "$line"
  names+=("$what")
  program=$copy/tried/${#names[@]}
  sed -i -E "$how" "$copy/$file"
  if cmp -s "$file" "$copy/$file"; then
    echo "the weakening finds nothing to weaken" >"$program.found"
    unnoticed=1
  elif built "$program"; then
    tried "$program" "${more:-}" &
  else
    echo "does not compile" >"$program.found"
  fi
  cp "$file" "$copy/$file"
  while (($(jobs -rp | wc -l) >= $(nproc))); do wait -n; done
done <<<"$weakenings"
wait

if [[ -s $copy/tried/0.found ]]; then
  echo "the tests fail as it is: $(<"$copy/tried/0.found")"
  exit 2
fi
for ((k = 1; k <= ${#names[@]}; ++k)); do
  found=$(<"$copy/tried/$k.found")
  [[ -n $found ]] || unnoticed=1
  printf '%-45s %s\n' "${names[k - 1]}" "${found:-UNNOTICED}"
done
exit $unnoticed
