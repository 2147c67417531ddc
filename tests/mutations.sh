#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Mutation test of the tests of sim: changes one thing at a time in a copy of this tree, builds the tests, and prints the
# first one that fails. Not part of ctest, because each mutation takes about a minute.
#   tests/mutations.sh [DIR] [WORD]    DIR: where the copy goes; WORD: only mutations whose line contains it
# Exit code 1 if a mutation was not detected.
set -uo pipefail
cd "$(dirname "$0")/.."
copy=${1:-$(mktemp -d)}
word=${2:-}

# What, file, change (sed -E). The reference is not changed, because the others are compared with it.
mutations=$(cat <<'LIST'
carry one step late    | sim/solvers/direct/simd/bodies.hpp | s/s\[t \+ group_size - 1\] = s\[t - 1\]/s[t + group_size - 1] = s[t]/
no carry               | sim/solvers/direct/simd/bodies.hpp | s/if \(t > 0\)/if (t > group_size)/
bodies of a lane       | sim/solvers/direct/simd/pairs.cpp  | s/for \(size_t k = lane; k < tile_size; k \+= group_size\)/for (size_t k = lane + tile_size - group_size; k < tile_size; k -= group_size)/
sign of the reaction   | sim/solvers/direct/pair.hpp        | s/z = nfma\(pair\.d\.z/z = fma(pair.d.z/
order of tiles         | sim/solvers/direct/simd/pairs.cpp  | s/for \(size_t i = 0; i < chunk; i \+= tile_size\) \{/for (size_t e = chunk; e > 0; e -= tile_size) { const size_t i = e - tile_size;/
sources of weight 0    | sim/solvers/direct/simd/pairs.cpp  | s/unless_equal\(weight, 0\.0, value\)/value/
walk downwards         | sim/solvers/direct/sources.cpp     | s/group_size - 1 - i % group_size/i % group_size/
mask of i = j          | sim/solvers/direct/simd/pairs.cpp  | s/if constexpr \(is_among_i\)/if constexpr (false \&\& is_among_i)/
potential's weight     | sim/solvers/direct/pair.hpp        | s/u = fma\(w, pair\.u, u\)/u = fma(w * w, pair.u, u)/
jerk's reaction        | sim/solvers/direct/pair.hpp        | s/nfma\(pair\.change\.z, w/fma(pair.change.z, w/
first factor of one    | sim/backends/simd/columns.cpp      | s/factors\[0\] == 1\.0 \? first/factors[0] == 1.0 ? Lanes(0.0) + first/
order of chunks        | sim/backends/simd/columns.cpp      | s/parts \+ k \* step \+ i/parts + (number - 1 - k) * step + i/
both sides exchanged   | sim/solvers/direct/chunk_pairs.hpp | s/\{slot\(band, I, J\), chunk_\}, \{slot\(band, J, I\), chunk_\}/{slot(band, J, I), chunk_}, {slot(band, I, J), chunk_}/
half of a field        | sim/backends/cpu.cpp               | s/\+= 2 \* field\.law/+= 1 * field.law/
neighbours in a tree   | sim/observables.cpp                | s/t\[k\] \+= t\[k \+ half\]/t[k] = t[2 * k] + t[2 * k + 1]/
order in v squared     | sim/observables.cpp                | s/fma\(vx\[i\], vx\[i\], fma\(vy\[i\], vy\[i\], vz\[i\] \* vz\[i\]\)\)/fma(vz[i], vz[i], fma(vy[i], vy[i], vx[i] * vx[i]))/
low word of the seed   | sim/backends/simd/lanes.hpp        | s/hn::ShiftLeft<32>\(hn::ShiftRight<33>\((.*)\)\);/hn::ShiftRight<1>(\1);/
two roundings          | sim/backends/simd/lanes.hpp        | s/hn::NegMulAdd\(a\.v\[k\], b\.v\[k\], c\.v\[k\]\)/hn::Sub(c.v[k], hn::Mul(a.v[k], b.v[k]))/
chunks at most         | sim/pair_order.hpp                 | s/max_chunks = 256/max_chunks = 128/
chunk doubling         | sim/pair_order.hpp                 | s/size \*= 2/size += tile_size/
weight of Yoshida      | sim/integrators/splitting.hpp      | s/1\.3512071919596576340/1.351207191959658/
polynomial of c        | sim/arithmetic.hpp                 | s/2\.1875/2.1876/
slope of a cube        | sim/arithmetic.hpp                 | s/Real\(-3\)/Real(-2.999)/
velocities across      | sim/arithmetic.hpp                 | s/d\.z \* v\.z/d.z * v.y/
rounding of forces     | sim/integrators/hermite4.cpp       | s/0x1p-50/0x1p-70/
weight of a jerk       | sim/integrators/hermite4.hpp       | s/-h \* h \/ 12, j1/-h * h \/ 12.001, j1/
seed constant          | sim/arithmetic.hpp                 | s/0x5fe6eb50/0x5fe6eb51/
polynomial of estimate | sim/arithmetic.hpp                 | 0,/0\.3125/s/0\.3125/0.3126/
LIST
)

mkdir -p "$copy"
while IFS= read -r -d '' file; do
  cmp -s "$file" "$copy/$file" || cp --parents "$file" "$copy"
done < <(git ls-files -z --cached --others --exclude-standard)
cmake -S "$copy" -B "$copy/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_FLAGS_RELEASE=-O1 -DORRERY_RENDER=OFF \
  -DORRERY_CUDA=OFF >"$copy/configure.log" 2>&1 || { tail -n 20 "$copy/configure.log"; exit 2; }

# tried: builds and runs; prints the first failure, or nothing if all tests passed.
tried() {
  ninja -C "$copy/build" -j "$(nproc)" sim_tests >"$copy/build.log" 2>&1 || { echo "does not compile"; return; }
  timeout 300 "$copy/build/bin/sim_tests" --gtest_filter='-*Slow' --gtest_fail_fast >"$copy/tests.log" 2>&1 && return
  grep -m 1 -oP '\[  FAILED  \] \K[^, ]+' "$copy/tests.log" || echo "crashed or hung"
}

first=$(tried)
if [[ -n $first ]]; then
  echo "the tests fail as it is: $first"
  exit 2
fi
unnoticed=0
while IFS= read -r line; do
  [[ $line == *"$word"* ]] || continue
  IFS='|' read -r what file how < <(sed -E 's/ *\| */|/g' <<<"$line")
  sed -i -E "$how" "$copy/$file"
  if cmp -s "$file" "$copy/$file"; then
    found="the disturbance finds nothing to disturb"
    unnoticed=1
  else
    found=$(tried)
    [[ -n $found ]] || unnoticed=1
  fi
  cp "$file" "$copy/$file"
  printf '%-24s %s\n' "$what" "${found:-UNNOTICED}"
done <<<"$mutations"
exit $unnoticed
