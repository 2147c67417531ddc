#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# python_test.sh LIBRARY [arguments of pytest]: the tests of the Python module with the first python3 of at least 3.11 that has numpy
# and pytest; exit code 77, skipped, without one.
set -euo pipefail
export ORRERY_LIBRARY=$1 PYTHONDONTWRITEBYTECODE=1
shift
for python in python3 /usr/bin/python3; do
  if "$python" -c 'import sys, numpy, pytest; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    cd "$(dirname "$0")/python"
    "$python" -m pytest -q -p no:cacheprovider -W error --basetemp "$folder/tests" "$@" .
    exit
  fi
done
echo "there is no python3 of at least 3.11 with numpy and pytest" >&2
exit 77
