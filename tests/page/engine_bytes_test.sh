#!/bin/sh
# SPDX-License-Identifier: MIT
# The committed WebAssembly is what its sources give. Skipped without clang 14 and lld 14.
set -e
for tool in clang++-14 wasm-ld-14; do
  command -v $tool >/dev/null || { echo "skipped: no $tool (Debian's packages clang-14 and lld-14)"; exit 77; }
done
page=$(cd "$(dirname "$0")/../../render/page" && pwd)
made=$(mktemp -d)
trap 'rm -r "$made"' EXIT
"$page/engine/build.sh" "$made"
for module in engine.wasm engine-fused.wasm; do
  cmp "$made/$module" "$page/$module" || { echo "$module is not what render/page/engine/ gives: run render/page/engine/build.sh"; exit 1; }
done
