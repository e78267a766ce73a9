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
# h5py for the HDF5 that girona is built for, which has MPI; what is on PyPI brings an HDF5 of its own without.
bash scripts/setup-mpi.sh
h5py=.cache/h5py-mpio
if [ ! -e $h5py/installed ] && command -v h5pcc.openmpi >/dev/null; then
  echo "bench/setup.sh: building h5py for parallel HDF5, which takes some minutes"
  python3 -m venv $h5py
  $h5py/bin/pip install --quiet --disable-pip-version-check --upgrade "setuptools>=77" wheel
  $h5py/bin/pip install --quiet --disable-pip-version-check numpy==2.4.6 "cython>=3" pkgconfig mpi4py==4.1.2
  HDF5_MPI=ON CC=mpicc.openmpi HDF5_INCLUDEDIR=/usr/include/hdf5/openmpi HDF5_LIBDIR=$(dirname "$(find /usr/lib -path '*hdf5/openmpi/libhdf5.so' | head -1)") \
    $h5py/bin/pip install --quiet --disable-pip-version-check --no-build-isolation --no-binary=h5py h5py==3.16.0
  touch $h5py/installed
fi
.venv/bin/python -c '
from importlib.metadata import version
print("bench/setup.sh:", ", ".join(f"{name} {version(name)}" for name in ("ray", "distributed", "dask", "numpy")))'
