"""h5py beside girona/hdf5: bench/cases/hdf5.ts on one process, hdf5-mpio.ts under mpirun. Run: hdf5_peer.py <case> <sizes>."""

import json
import os
import sys
import time

import h5py
import numpy as np


def hdf5(sizes):
    rows, repeats = sizes["rows"], sizes["repeats"]
    path = f"/dev/shm/girona-bench-{os.getpid()}.h5"
    values = np.arange(rows * 1000, dtype="f8").reshape(rows, 1000)
    into = np.zeros_like(values)
    figures = {}
    layouts = {
        "contiguous": (rows, {}),
        "chunked": (rows, {"chunks": (1000, 1000)}),
        "gzip": (rows // 10, {"chunks": (1000, 1000), "compression": "gzip", "compression_opts": 1, "shuffle": True}),
    }
    for name, (length, options) in layouts.items():
        data, target = values[:length], into[:length]
        best = {"write": float("inf"), "read": float("inf")}
        for _ in range(repeats):
            start = time.perf_counter()
            with h5py.File(path, "w") as file:
                file.create_dataset("data", data=data, **options)
            written = time.perf_counter()
            with h5py.File(path) as file:
                file["data"].read_direct(target)
            read = time.perf_counter()
            assert target[77, 777] == 77_777
            best = {"write": min(best["write"], written - start), "read": min(best["read"], read - written)}
        for way, seconds in best.items():
            figures[f"hdf5.{name}.{way}"] = data.nbytes / seconds / 1e6
    os.remove(path)
    return figures


def hdf5_mpio(sizes):
    from mpi4py import MPI

    rows, repeats = sizes["rows"], sizes["repeats"]
    comm = MPI.COMM_WORLD
    rank, size = comm.rank, comm.size
    path = comm.bcast(f"/dev/shm/girona-bench-{os.getpid()}.h5")
    peer = (rank + 1) % size
    values = rank * 1e6 + np.arange(rows * 1000, dtype="f8").reshape(rows, 1000)
    into = np.zeros_like(values)
    megabytes = size * values.nbytes / 1e6
    figures = {}
    for name in "collective", "independent":
        best = {"write": float("inf"), "read": float("inf")}
        for _ in range(repeats):
            comm.Barrier()
            start = MPI.Wtime()
            with h5py.File(path, "w", driver="mpio", comm=comm) as file:
                dataset = file.create_dataset("g/data", (size, rows, 1000), "f8")
                if name == "collective":
                    with dataset.collective:
                        dataset[rank] = values
                else:
                    dataset[rank] = values
            comm.Barrier()
            written = MPI.Wtime()
            with h5py.File(path, driver="mpio", comm=comm) as file:
                dataset = file["g/data"]
                if name == "collective":
                    with dataset.collective:
                        dataset.read_direct(into, np.s_[peer])
                else:
                    dataset.read_direct(into, np.s_[peer])
            comm.Barrier()
            read = MPI.Wtime()
            assert into[0, 5] == peer * 1e6 + 5
            best = {"write": min(best["write"], written - start), "read": min(best["read"], read - written)}
        for way, seconds in best.items():
            figures[f"hdf5.{name}.{way}"] = megabytes / seconds
    comm.Barrier()
    if rank == 0:
        os.remove(path)
        return figures
    return None


if __name__ == "__main__":
    if sys.argv[1] == "version":
        print(json.dumps({"h5py": f"{h5py.__version__} with HDF5 {h5py.version.hdf5_version}"}))
    else:
        found = {"hdf5": hdf5, "hdf5-mpio": hdf5_mpio}[sys.argv[1]](json.loads(sys.argv[2]))
        if found:
            print(json.dumps(found))
