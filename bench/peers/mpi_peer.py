"""mpi4py: `mpirun -n 2 python mpi_peer.py <sizes as JSON>`; rank 0 prints figures as one line of JSON."""

import json
import sys

import numpy
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank = comm.rank
sizes = json.loads(sys.argv[1])
many, few, repeats = sizes["many"], sizes["few"], sizes["repeats"]


def least(iterations, messages, work):
    """Microseconds per message: the least of some repeats."""
    best = 1e9
    for _ in range(repeats):
        comm.Barrier()
        start = MPI.Wtime()
        work(iterations)
        best = min(best, (MPI.Wtime() - start) / iterations / messages)
    return best * 1e6


def ping_pong(doubles, iterations):
    data = numpy.zeros(doubles)

    def work(n):
        if rank == 0:
            for _ in range(n):
                comm.Send(data, 1, 0)
                comm.Recv(data, 1, 0)
        else:
            for _ in range(n):
                comm.Recv(data, 0, 0)
                comm.Send(data, 0, 0)

    return least(iterations, 2, work)


def values(value, iterations):
    def work(n):
        if rank == 0:
            for _ in range(n):
                comm.send(value, 1, 0)
                got = comm.recv(source=1, tag=0)
        else:
            for _ in range(n):
                got = comm.recv(source=0, tag=0)
                comm.send(got, 0, 0)
        assert got == value

    return least(iterations, 2, work)


def allreduce(doubles, iterations):
    send, receive = numpy.zeros(doubles), numpy.zeros(doubles)

    def work(n):
        for _ in range(n):
            comm.Allreduce(send, receive)

    return least(iterations, 1, work)


records = [{"id": i, "value": i * 0.5, "name": f"item{i}"} for i in range(1000)]
figures = {
    "mpi.pingpong": ping_pong(1, many),
    "mpi.message": ping_pong(131072, few),
    "mpi.allreduce8": allreduce(1, many),
    "mpi.allreduce1m": allreduce(131072, few),
    "mpi.int": values(1, many),
    "mpi.object": values({"a": 7, "b": 3.14, "name": "x", "list": [1, 2, 3]}, many),
    "mpi.records": values(records, max(10, few // 5)),
}
if rank == 0:
    print(json.dumps(figures), flush=True)
