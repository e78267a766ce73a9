#!/usr/bin/env bash
# Makes .venv with the Python peers of the benchmark. Run again, it does nothing unless the pins changed.
set -euo pipefail
cd "$(dirname "$0")/.."

pins=bench/peers/requirements.txt
stamp=.venv/installed.txt

if cmp -s "$pins" "$stamp"; then
  echo "bench/setup.sh: .venv has the pins of $pins already"
else
  if [ ! -x .venv/bin/pip ]; then
    echo "bench/setup.sh: making .venv with $(python3 --version)"
    python3 -m venv .venv
  fi
  echo "bench/setup.sh: installing $(grep -v '^#' "$pins" | paste -sd' ')"
  .venv/bin/pip install --quiet --disable-pip-version-check --requirement "$pins"
  cp "$pins" "$stamp"
fi
.venv/bin/python -c '
from importlib.metadata import version
print("bench/setup.sh:", ", ".join(f"{name} {version(name)}" for name in ("ray", "distributed", "dask", "numpy")))'
